package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/picture"
	"kcrypto/tools/tcrypt/internal/result"
)

// pictures says which pictures of a run are wanted, besides its form of output.
type pictures struct {
	html, svg fileName
	plot      bool // on the terminal
}

func (p *pictures) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&p.html, "html", "write a page with curves and tables to this file")
	flags.Var(&p.svg, "svg", "write the curves to this file, as a picture")
	flags.BoolVar(&p.plot, "plot", false, "draw the curves below each table")
}

// check refuses pictures that cannot be made, beside results that are printed in the form output.
func (p *pictures) check(a *app, output string) error {
	if p.plot && output != "table" {
		return usagef("--plot goes with -o table; -o %s is for programs", output)
	}
	return canWrite(a.out.w, fileFlag{"--html", p.html}, fileFlag{"--svg", p.svg})
}

// write writes the files.
func (p *pictures) write(album *picture.Album) error {
	return errors.Join(writeFile(p.svg, album.SVG), writeFile(p.html, album.HTML))
}

// draw draws on the terminal, if that is wanted.
func (p *pictures) draw(a *app, album *picture.Album) {
	if p.plot {
		width, colour := terminal(a.out)
		album.Terminal(a.out, width, colour)
	}
}

// around returns a printer that does what inner does, and makes the pictures.
func (p *pictures) around(inner form.Printer, a *app) form.Printer { return picturing{inner, p, a.out} }

// picturing prints and makes pictures.
type picturing struct {
	form.Printer
	pictures *pictures
	out      *stdout
}

// Series prints the series, and its curves.
func (p picturing) Series(cells []result.Cell) {
	p.Printer.Series(cells)
	if p.pictures.plot {
		width, colour := terminal(p.out)
		picture.Terminal(p.out, cells, width, colour)
	}
}

// End writes the files, if anything was measured, whatever became of the other forms.
func (p picturing) End(run *result.Run) error {
	err := p.Printer.End(run)
	if len(run.Cells) == 0 {
		return err
	}
	return errors.Join(err, p.pictures.write(picture.OfRun(run)))
}

// terminal returns the width of what out is, 80 if that is not known, and whether it shows colours: a terminal does,
// unless its name is dumb or the variable NO_COLOR asks for none (no-color.org).
func terminal(out *stdout) (width int, colour bool) {
	width = out.width
	if width == 0 {
		width = 80
	}
	f, ok := out.w.(*os.File)
	return width, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && !isDumb()
}

// isDumb reports whether the terminal can do nothing but print, as TERM says.
func isDumb() bool { return os.Getenv("TERM") == "dumb" }
