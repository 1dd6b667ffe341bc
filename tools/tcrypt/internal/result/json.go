package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// WriteJSON writes v, which may be a Run, indented and without escapes for HTML.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// ReadJSON reads a Run as WriteJSON wrote it.
func ReadJSON(r io.Reader) (*Run, error) {
	run := new(Run)
	d := json.NewDecoder(r)
	if err := d.Decode(run); err != nil {
		return nil, fmt.Errorf("no JSON of tcrypt speed: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one run in it; want the output of one tcrypt speed -o json")
	}
	return run, run.check()
}

// ReadFile reads a Run from a file.
func ReadFile(name string) (*Run, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	run, err := ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return run, nil
}

// check refuses what no run can have, so that nobody who works on one has to.
func (r *Run) check() error {
	if r.Machine.CPU == "" || len(r.Cells) == 0 {
		return errors.New("there are no results in it; want the output of tcrypt speed -o json")
	}
	for _, c := range r.Cells {
		if c.Algorithm == "" || c.Driver == "" || c.Size < 1 || c.NS <= 0 || len(c.Samples) == 0 {
			return fmt.Errorf("a result lacks its algorithm, driver, size, time or samples: %s %s %d", c.Algorithm, c.Driver,
				c.Size)
		}
		for _, s := range c.Samples {
			if s.NS <= 0 {
				return fmt.Errorf("%s, %d bytes: a sample of %v ns", c.Driver, c.Size, s.NS)
			}
		}
	}
	return nil
}
