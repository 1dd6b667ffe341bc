package form

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"kcrypto/tools/tcrypt/internal/result"
)

// csvForm is a table for programs: a row a cell, and in each of them the whole header, so that rows of several runs can
// be put together. Unknown values are empty.
type csvForm struct {
	w      *csv.Writer
	header *result.Header
}

func newCSV(w io.Writer) *csvForm { return &csvForm{w: csv.NewWriter(w)} }

var cellColumns = []string{
	"algorithm", "driver", "impl", "priority", "key_bits", "direction", "aad_bytes", "tag_bytes", "size", "sector_bytes",
	"batch", "threads",
	"ns", "ns_low", "ns_high", "spread", "rounds", "samples", "samples_wanted", "gb_per_s", "cycles_per_byte", "core_ghz",
	"limit_cycles_per_byte", "share_of_limit", "setkey_ns", "times_go",
}

func (f *csvForm) Begin(h *result.Header) {
	f.header = h
	names := slices.Clone(cellColumns)
	for _, field := range append(h.Fields(), h.Circumstances()...) {
		names = append(names, field.Name)
	}
	f.write(names)
}

func (f *csvForm) Series(cells []result.Cell) {
	for i := range cells {
		row := f.cell(&cells[i])
		for _, field := range append(f.header.Fields(), f.header.Circumstances()...) {
			row = append(row, field.Value)
		}
		f.write(row)
	}
	f.w.Flush() // what there is until then, should it be interrupted
}

func (f *csvForm) End(*result.Run) error {
	f.w.Flush()
	return f.w.Error()
}

// write writes a row; End returns what errors there were.
func (f *csvForm) write(row []string) { _ = f.w.Write(row) }

func (f *csvForm) cell(c *result.Cell) []string {
	priority := ""
	if p, ok := f.header.Priority(c); ok {
		priority = strconv.Itoa(p)
	}
	i := strconv.Itoa
	x := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	wanted := ""
	if c.Wanted > 0 {
		wanted = i(c.Wanted)
	}
	return []string{
		c.Algorithm, c.Driver, c.Impl, priority, i(c.KeyBits), c.Direction, i(c.AAD), i(c.Tag), i(c.Size), i(c.Sector),
		i(c.Batch), i(c.Threads),
		x(c.NS), x(c.Low), x(c.High), x(c.Spread), i(c.Rounds), i(len(c.Samples)), wanted,
		x(c.GBps), x(c.CyclesPerByte), x(c.GHz),
		x(c.Limit), x(c.Share), x(c.SetKeyNS), x(c.TimesGo),
	}
}
