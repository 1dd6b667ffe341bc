package form

import (
	"fmt"
	"io"
	"slices"

	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

// table is the form for people.
type table struct{ w io.Writer }

func (f table) Begin(h *result.Header) {
	WriteHeader(f.w, h)
	text.Print(f.w, Note, 100)
}

// Note says what the figures in a table are.
var Note = fmt.Sprintf("Buffers in cache. ± is the median's %.0f %% confidence interval, spread half the distance "+
	"between the quartiles of all rounds. Cycles are the core's, by a chain of dependent multiplications timed in "+
	"between; the limit is what its ports allow at best, of a chain its latency (tcrypt limits).", 100*result.Confidence)

// WriteHeadline prints the machine.
func WriteHeadline(w io.Writer, m *result.Machine) {
	text.Print(w, m.Headline(), 0)
}

// WriteHeader prints h for people: what is not known is left out.
func WriteHeader(w io.Writer, h *result.Header) {
	WriteHeadline(w, &h.Machine)
	for _, f := range slices.Concat(h.Fields(), h.Circumstances(), h.DriverLines()) {
		if f.Value == "" || f.Name == "cpu" || f.Name == "go" || f.Name == "platform" { // the headline has them
			continue
		}
		text.Print(w, f.Name+": "+f.Value, 100)
	}
}

// End says what is to be said of all.
func (f table) End(run *result.Run) error {
	WriteNotes(f.w, run.Notes())
	return nil
}

// WriteNotes prints notes below tables.
func WriteNotes(w io.Writer, notes []string) {
	for _, note := range notes {
		fmt.Fprintln(w)
		text.Print(w, note, 100)
	}
}

// Series prints a row a cell.
func (f table) Series(cells []result.Cell) {
	if len(cells) == 0 {
		return
	}
	fmt.Fprintln(f.w)
	text.Print(f.w, cells[0].Title(), 0)
	heads, rows := Rows(cells)
	t := text.NewTable(heads...)
	for _, row := range rows {
		t.Add(row...)
	}
	t.Write(f.w)
}

// Rows returns the table of one series: its heading, in text.NewTable's form, and a row a cell.
func Rows(cells []result.Cell) (heads []string, rows [][]string) {
	hasGo := slices.ContainsFunc(cells, func(c result.Cell) bool { return c.TimesGo > 0 })
	heads = []string{">bytes", "driver", ">ns", "?>±", "?>spread", ">GB/s", "?>cycles/B", "?>of limit",
		"?>SetKey ns"}
	if hasGo {
		heads = append(heads, ">x go")
	}
	partial := result.Partial(cells) != ""
	if partial {
		heads = append(heads, ">samples")
	}
	last := 0
	for i := range cells {
		c := &cells[i]
		size, setKey := "", ""
		if c.Size != last {
			size, last = fmt.Sprint(c.Size), c.Size
		}
		if c.Size == cells[0].Size { // the key set-up knows no message size
			setKey = orNothing(c.SetKeyNS, "")
		}
		within := "-"
		if c.Known() {
			within = percent(c.Estimate().Within())
		}
		row := []string{size, c.Driver, text.Number(c.NS), within, percent(c.Spread),
			text.Number(c.GBps),
			orNothing(c.CyclesPerByte, "-"), share(c.Share), setKey}
		if hasGo {
			row = append(row, orNothing(c.TimesGo, ""))
		}
		if partial {
			row = append(row, result.SamplesOf(len(c.Samples), c.Wanted))
		}
		rows = append(rows, row)
	}
	return heads, rows
}

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }

func share(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*x)
}

// orNothing prints x, or nothing if there is none.
func orNothing(x float64, nothing string) string {
	if x == 0 {
		return nothing
	}
	return text.Number(x)
}
