package form

import (
	"io"
	"math"
	"strings"

	"kcrypto/tools/tcrypt/internal/kernelmode"
	"kcrypto/tools/tcrypt/internal/result"
)

// kernelForm is the form of the kernel's tcrypt: a heading for each driver of a series, and a row for each size.
type kernelForm struct{ lines *kernelmode.Lines }

func (f kernelForm) Begin(h *result.Header) {
	var b strings.Builder
	WriteHeader(&b, h)
	for line := range strings.Lines(b.String()) {
		f.lines.Note("%s", strings.TrimSuffix(line, "\n"))
	}
}

// End says what is to be said of all.
func (f kernelForm) End(run *result.Run) error {
	for _, note := range run.Notes() {
		f.lines.Note("%s", note)
	}
	return nil
}

// Series prints cells driver by driver. Cycles are what the kernel counts unless it is asked to count seconds; where
// they cannot be measured the rows are those of one second.
func (f kernelForm) Series(cells []result.Cell) {
	printed := map[string]bool{}
	for i := range cells {
		driver := cells[i].Driver
		if printed[driver] {
			continue
		}
		printed[driver] = true
		f.heading(&cells[i])
		for k := range cells {
			c := &cells[k]
			if c.Driver == driver && c.Wanted > 0 {
				f.lines.Partial(result.SamplesOf(len(c.Samples), c.Wanted) + " samples")
			}
			switch {
			case c.Driver != driver:
			case c.CyclesPerByte > 0:
				f.lines.Cycles(c.KeyBits/8, c.Size, c.CyclesPerByte*float64(c.Size))
			default:
				f.lines.Seconds(c.KeyBits/8, c.Size, int(math.Round(1e9/c.NS)), 1)
			}
		}
	}
}

func (f kernelForm) heading(c *result.Cell) {
	style := kernelmode.Sync
	if c.Tag > 0 {
		style = kernelmode.Plain
	}
	f.lines.Heading(style, c.KernelTitle(), c.Driver, c.Direction == result.Decrypt)
}

func newKernelForm(w io.Writer) Printer { return kernelForm{kernelmode.NewLines(w)} }
