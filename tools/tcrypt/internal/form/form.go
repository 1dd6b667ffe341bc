// Package form prints runs: each form of output is a Printer.
package form

import (
	"io"

	"kcrypto/tools/tcrypt/internal/result"
)

// A Printer writes a run in one form, while the run comes to be.
type Printer interface {
	Begin(h *result.Header)     // before anything is measured
	Series(cells []result.Cell) // when a series has been measured, or a part of it before an interruption
	End(run *result.Run) error  // when all is over
}

// Names lists the forms of output, as -o calls them, the default first.
var Names = []string{"table", "json", "csv", "bench", "tcrypt"}

// New returns the printer of a form that is one of Names.
func New(name string, w io.Writer) Printer {
	switch name {
	case "json":
		return jsonForm{w}
	case "csv":
		return newCSV(w)
	case "bench":
		return newBench(w)
	case "tcrypt":
		return newKernelForm(w)
	}
	return table{w}
}

// Write prints a whole run.
func Write(p Printer, run *result.Run) error {
	p.Begin(&run.Header)
	for _, cells := range result.Series(run.Cells) {
		p.Series(cells)
	}
	return p.End(run)
}

// jsonForm is the form in which runs are kept.
type jsonForm struct{ w io.Writer }

func (jsonForm) Begin(*result.Header)        {}
func (jsonForm) Series([]result.Cell)        {}
func (f jsonForm) End(run *result.Run) error { return result.WriteJSON(f.w, run) }
