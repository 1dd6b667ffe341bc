package main

import (
	"fmt"
	"io"
	"slices"

	"kcrypto/tools/tcrypt/internal/compare"
	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

func writeComparison(w io.Writer, c *comparison) {
	if c.A.Header == c.B.Header {
		form.WriteHeader(w, c.A.Header)
	} else {
		writeSources(w, c)
	}
	for i := range c.Tables {
		fmt.Fprintln(w)
		writeTable(w, &c.Tables[i])
	}
	form.WriteNotes(w, c.notes())
}

// notes are what is to be said of all tables.
func (c *comparison) notes() []string {
	var within []float64
	for i := range c.Tables {
		for _, r := range c.Tables[i].Rows {
			if r.Known() {
				within = append(within, r.Ratio.Within())
			}
		}
	}
	return result.Notes(c.A.Interrupted || c.B.Interrupted, within)
}

// writeSources says where two saved runs come from, and in what they differ.
func writeSources(w io.Writer, c *comparison) {
	for _, s := range []struct {
		letter string
		source
	}{{"A", c.A}, {"B", c.B}} {
		text.Print(w, fmt.Sprintf("%s: %s, %s, %s, commit %s", s.letter, s.Name, s.Machine.Headline(),
			s.Date.Format("2006-01-02 15:04"), orNone(s.Machine.Commit, "unknown")), 0)
	}
	fieldsB := c.B.Fields()
	for i, a := range c.A.Fields() {
		if b := fieldsB[i]; a.Value != b.Value {
			text.Print(w, fmt.Sprintf("%s differs: %q and %q", a.Name, a.Value, b.Value), 100)
		}
	}
}

func writeTable(w io.Writer, t *compare.Table) {
	text.Print(w, t.Title(), 0)
	fmt.Fprintf(w, "A: %s\nB: %s\n", t.A, t.B)
	heads := []string{">bytes", ">A ns", ">B ns", ">B/A", fmt.Sprintf(">%.0f %% interval", 100*result.Confidence),
		"faster"}
	partial := slices.ContainsFunc(t.Rows, func(r compare.Row) bool { return r.Wanted > 0 })
	if partial {
		heads = append(heads, ">samples")
	}
	out := text.NewTable(heads...)
	for i := range t.Rows {
		r := &t.Rows[i]
		interval := "-"
		if r.Known() {
			interval = text.Number(r.Ratio.Low) + " to " + text.Number(r.Ratio.High)
		}
		row := []string{fmt.Sprint(r.Size), text.Number(r.ANS), text.Number(r.BNS), text.Number(r.Ratio.Median), interval,
			orNone(r.Faster(), "~")}
		if partial {
			row = append(row, result.SamplesOf(r.Samples, r.Wanted))
		}
		out.Add(row...)
	}
	out.Write(w)
	text.Print(w, verdict(t), 100)
}

// verdict says in a sentence who is faster where.
func verdict(t *compare.Table) string {
	count := map[string]int{}
	for i := range t.Rows {
		count[t.Rows[i].Faster()]++
	}
	sizes := text.Counted(len(t.Rows), "size")
	switch {
	case len(t.Crossings) > 0:
		s := "Crossover:"
		for _, c := range t.Crossings {
			s += fmt.Sprintf(" %s is faster up to %d bytes, %s from %d on, equal at about %d.", other(c.Faster), c.Below,
				c.Faster, c.Above, c.At)
		}
		return s
	case count["A"]+count["B"] == 0:
		return "Neither is faster for certain at any size."
	case count["A"] > 0:
		return fmt.Sprintf("A is faster at %d of %s, B at none: no crossover.", count["A"], sizes)
	}
	return fmt.Sprintf("B is faster at %d of %s, A at none: no crossover.", count["B"], sizes)
}

func other(letter string) string {
	if letter == "A" {
		return "B"
	}
	return "A"
}
