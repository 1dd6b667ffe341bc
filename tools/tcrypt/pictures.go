package main

import (
	"bytes"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/picture"
	"kcrypto/tools/tcrypt/internal/result"
)

// pictures says which pictures of a run are wanted, besides its form of output.
type pictures struct {
	html, svg string // names of files, or ""
	plot      bool   // on the terminal
}

func (p *pictures) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.html, "html", "", "write a page with curves and tables to this file")
	flags.StringVar(&p.svg, "svg", "", "write the curves to this file, as a picture")
	flags.BoolVar(&p.plot, "plot", false, "draw the curves below each table")
}

// around returns a printer that does what inner does, which prints in the form output, and makes the pictures.
func (p *pictures) around(inner form.Printer, a *app, output string) (form.Printer, error) {
	if p.plot && output != "table" {
		return nil, usagef("--plot goes with -o table; -o %s is for programs", output)
	}
	for flag, name := range map[string]string{"--html": p.html, "--svg": p.svg} {
		if err := canWrite(name); name != "" && err != nil {
			return nil, usagef("%s %s: %w", flag, name, err)
		}
	}
	return picturing{inner, p, a.out}, nil
}

// canWrite tries whether a file can be written, and leaves it as it is.
func canWrite(name string) error {
	_, missing := os.Stat(name)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if missing != nil {
		defer os.Remove(name)
	}
	return f.Close()
}

// picturing prints and makes pictures.
type picturing struct {
	form.Printer
	pictures *pictures
	out      io.Writer
}

// Series prints the series, and its curves.
func (p picturing) Series(cells []result.Cell) {
	p.Printer.Series(cells)
	if p.pictures.plot {
		width, colour := terminal(p.out)
		picture.Terminal(p.out, cells, width, colour)
	}
}

// End writes the files, if anything was measured.
func (p picturing) End(run *result.Run) error {
	if err := p.Printer.End(run); err != nil || len(run.Cells) == 0 {
		return err
	}
	if err := draw(p.pictures.svg, picture.SVG, run); err != nil {
		return err
	}
	return draw(p.pictures.html, picture.HTML, run)
}

// draw writes a file, unless it has no name.
func draw(name string, write func(io.Writer, *result.Run) error, run *result.Run) error {
	if name == "" {
		return nil
	}
	var b bytes.Buffer
	if err := write(&b, run); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}

// terminal returns the width of the terminal that w is, and whether it shows colours; 80 if it is none. The variable
// NO_COLOR asks for none (no-color.org).
func terminal(w io.Writer) (width int, colour bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 80, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		width = 80
	}
	return width, os.Getenv("NO_COLOR") == ""
}
