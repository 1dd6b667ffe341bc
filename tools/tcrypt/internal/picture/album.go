package picture

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"kcrypto/tools/tcrypt/internal/result"
)

// An Album is the pictures of one command's results, and what is said about them.
type Album struct {
	header  *result.Header
	heading string
	note    string   // how to read the figures
	notes   []string // what is to be said of all results
	panels  []*panel
	summary *table // a row for each panel, if there are several
}

// A panel is what there is of one series: charts, the first of which is the one that is shown where there is one only,
// a short table, and a long one.
type panel struct {
	title  string
	charts []*chart
	short  table
	all    table
}

// A table is rows of cells below a heading.
type table struct {
	title string
	head  []string
	rows  [][]cell
}

type cell struct {
	Text string
	Best bool   // of its row
	Link string // to a panel, or ""
}

// plain makes rows of text cells.
func plain(rows [][]string) [][]cell {
	all := make([][]cell, len(rows))
	for i, row := range rows {
		for _, s := range row {
			all[i] = append(all[i], cell{Text: s})
		}
	}
	return all
}

// id is that of a panel in a page.
func id(i int) string { return fmt.Sprintf("series-%d", i+1) }

// SVG writes the first chart of each panel in one picture.
func (a *Album) SVG(w io.Writer) error {
	var charts []*chart
	for _, p := range a.panels {
		charts = append(charts, p.charts[0])
	}
	source := []string{fmt.Sprintf("%s, %s", a.header.Machine.Headline(), a.header.Date.UTC().Format("2006-01-02")),
		"commit of kcrypto: " + orUnknown(a.header.Machine.Commit)}
	for _, note := range a.notes {
		source = append(source, strings.TrimSuffix(note, "."))
	}
	return writeSVG(w, charts, source)
}

// Terminal draws the first chart of each panel with characters.
func (a *Album) Terminal(w io.Writer, width int, colour bool) {
	for _, p := range a.panels {
		p.charts[0].terminal(w, width, colour)
	}
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// implOf is the implementation of a driver in h, or its own name.
func implOf(h *result.Header, driver string) string {
	i := slices.IndexFunc(h.Drivers, func(d result.Driver) bool { return d.Driver == driver })
	if i < 0 {
		return driver
	}
	return h.Drivers[i].Impl
}
