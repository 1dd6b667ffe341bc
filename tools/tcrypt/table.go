package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A table aligns columns of text. Numbers line up on the right, everything else on the left.
type table struct {
	right []bool
	rows  [][]string
}

// newTable begins a table with its heading. A heading that starts with ">" makes a column of numbers.
func newTable(heading ...string) *table {
	t := &table{right: make([]bool, len(heading))}
	for i, h := range heading {
		heading[i], t.right[i] = strings.CutPrefix(h, ">")
	}
	t.add(heading...)
	return t
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// lines returns the heading and the rows, with two spaces between columns.
func (t *table) lines() []string {
	width := make([]int, len(t.right))
	for _, row := range t.rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var lines []string
	for _, row := range t.rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if t.right[i] {
				cell = pad + cell
			} else {
				cell += pad
			}
			b.WriteString(cell + "  ")
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

func (t *table) write(w io.Writer) {
	for _, line := range t.lines() {
		fmt.Fprintln(w, line)
	}
}

// number prints x with three digits, or all before the point.
func number(x float64) string {
	switch {
	case x < 0.9995:
		return fmt.Sprintf("%.3f", x)
	case x < 9.995:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// fold breaks words into lines of at most width characters.
func fold(words []string, width int) []string {
	var lines []string
	for _, word := range words {
		if n := len(lines); n > 0 && len(lines[n-1])+1+len(word) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
