// Package text puts words and numbers on lines.
package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Table aligns columns of text, numbers on the right and everything else on the left: text/tabwriter has all columns
// of a table alike.
type Table struct {
	right []bool
	rows  [][]string
}

// NewTable begins a table with its heading. A heading that starts with ">" makes a column of numbers.
func NewTable(heading ...string) *Table {
	t := &Table{right: make([]bool, len(heading))}
	for i, h := range heading {
		heading[i], t.right[i] = strings.CutPrefix(h, ">")
	}
	t.Add(heading...)
	return t
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Lines returns the heading and the rows, with two spaces between columns.
func (t *Table) Lines() []string {
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

// Write prints the table.
func (t *Table) Write(w io.Writer) {
	for _, line := range t.Lines() {
		fmt.Fprintln(w, line)
	}
}

// Number prints x with three digits, or all before the point.
func Number(x float64) string {
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

// Fold breaks words into lines of at most width characters.
func Fold(words []string, width int) []string {
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

// Counted is "1 driver" or "2 drivers".
func Counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
