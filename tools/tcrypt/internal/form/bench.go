package form

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"kcrypto/tools/tcrypt/internal/result"
)

// benchForm is the form of go test -bench, which benchstat reads: a line a sample.
type benchForm struct {
	w      io.Writer
	out    *benchfmt.Writer
	config []benchfmt.Config
	err    error // the first one
}

func newBench(w io.Writer) *benchForm { return &benchForm{w: w, out: benchfmt.NewWriter(w)} }

// Begin makes configuration lines of what a machine and a build are. What is another in every run must not be one:
// benchstat would put the runs in tables of their own and compare nothing. It is in lines that benchstat passes over.
func (f *benchForm) Begin(h *result.Header) {
	goos, goarch, _ := strings.Cut(h.Machine.Platform, "/")
	f.set("goos", goos)
	f.set("goarch", goarch)
	f.set("pkg", "kcrypto")
	for _, field := range h.Fields() {
		if field.Name != "platform" && field.Value != "" {
			f.set(field.Name, field.Value)
		}
	}
	for _, field := range append(h.Circumstances(), h.DriverLines()...) {
		f.comment(field.Name, field.Value)
	}
	for _, unit := range []string{"ns/op", "cyc/B"} {
		key := benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}
		f.note(f.out.Write(&benchfmt.UnitMetadata{UnitMetadataKey: key, OrigUnit: unit, Value: "lower"}))
	}
}

// comment writes a line that benchstat passes over.
func (f *benchForm) comment(name, value string) {
	_, err := fmt.Fprintf(f.w, "# %s: %s\n", name, value)
	f.note(err)
}

func (f *benchForm) set(key, value string) {
	f.config = append(f.config, benchfmt.Config{Key: key, Value: []byte(value), File: true})
}

func (f *benchForm) note(err error) {
	if f.err == nil {
		f.err = err
	}
}

// Series writes a line a sample.
func (f *benchForm) Series(cells []result.Cell) {
	for i := range cells {
		c := &cells[i]
		if c.Wanted > 0 {
			f.comment("interrupted", result.SamplesOf(len(c.Samples), c.Wanted)+" samples")
		}
		for _, s := range c.Samples {
			values := []benchfmt.Value{
				{Value: short(s.NS), Unit: "ns/op"},
				{Value: short(float64(c.Size*c.Threads) / s.NS * 1000), Unit: "MB/s"},
			}
			if s.GHz > 0 {
				values = append(values, benchfmt.Value{Value: short(s.NS * s.GHz / float64(c.Size)), Unit: "cyc/B"})
			}
			name := benchfmt.Name(c.BenchName())
			f.note(f.out.Write(&benchfmt.Result{Config: f.config, Name: name, Iters: s.N, Values: values}))
		}
	}
}

// short is x with six digits, which is more than can be measured.
func short(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return x
}

// End returns the first error.
func (f *benchForm) End(run *result.Run) error {
	for _, note := range run.Notes() {
		f.comment("note", note)
	}
	return f.err
}
