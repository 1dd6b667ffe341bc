// Package text puts words and numbers on lines.
package text

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Table aligns columns of text, numbers on the right and everything else on the left: text/tabwriter has all columns
// of a table alike.
type Table struct {
	right, spare []bool
	rows         [][]string
}

// NewTable begins a table with its heading. A heading that starts with ">" makes a column of numbers, and one with "?"
// before that one that is left out where there is no space for it, the last first.
func NewTable(heading ...string) *Table {
	t := &Table{right: make([]bool, len(heading)), spare: make([]bool, len(heading))}
	for i, h := range heading {
		h, t.spare[i] = strings.CutPrefix(h, "?")
		heading[i], t.right[i] = strings.CutPrefix(h, ">")
	}
	t.Add(heading...)
	return t
}

// Heading is a heading as it is printed.
func Heading(h string) string { return strings.TrimPrefix(strings.TrimPrefix(h, "?"), ">") }

// Add adds a row.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

const (
	gap    = 2 // between columns
	indent = 4 // of the rest of a row
)

// widths are those of the columns.
func (t *Table) widths() []int {
	width := make([]int, len(t.right))
	for _, row := range t.rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	return width
}

// lay returns which columns stand on each line of a row that has most characters, and none beyond: spare columns that
// do not fit on the first line are left out, others go on below.
func (t *Table) lay(width []int, most int) [][]int {
	var columns []int
	all := -gap
	for i, w := range width {
		columns = append(columns, i)
		all += w + gap
	}
	for i := len(columns) - 1; i >= 0 && most > 0; i-- {
		if c := columns[i]; all > most && t.spare[c] {
			columns = slices.Delete(columns, i, i+1)
			all -= width[c] + gap
		}
	}
	var lines [][]int
	used := 0
	for _, c := range columns {
		if n := len(lines); n == 0 || most > 0 && used+gap+width[c] > most {
			lines = append(lines, []int{c})
			used = width[c] + min(n, 1)*indent
		} else {
			lines[n-1] = append(lines[n-1], c)
			used += gap + width[c]
		}
	}
	return lines
}

// Lines returns the heading and the rows, in lines of at most so many characters, or of any length if that is 0. Only a
// word that is longer makes a longer one.
func (t *Table) Lines(most int) []string {
	width := t.widths()
	var lines []string
	laid := t.lay(width, most)
	for _, row := range t.rows {
		for i, columns := range laid {
			line := t.line(row, columns, width)
			if i == 0 {
				lines = append(lines, line)
			} else if strings.TrimSpace(line) != "" {
				if most > 0 && utf8.RuneCountInString(line)+indent > most {
					line = strings.Join(Fold(strings.Fields(line), most-indent), "\n"+strings.Repeat(" ", indent))
				}
				lines[len(lines)-1] += "\n" + strings.Repeat(" ", indent) + line
			}
		}
	}
	return lines
}

// line is what a row has in some columns.
func (t *Table) line(row []string, columns, width []int) string {
	var b strings.Builder
	for _, c := range columns {
		if c >= len(row) {
			break
		}
		cell := row[c]
		pad := strings.Repeat(" ", width[c]-utf8.RuneCountInString(cell))
		if t.right[c] {
			cell = pad + cell
		} else {
			cell += pad
		}
		b.WriteString(cell + strings.Repeat(" ", gap))
	}
	return strings.TrimRight(b.String(), " ")
}

// Write prints the table, as wide as w is at most.
func (t *Table) Write(w io.Writer) {
	for _, line := range t.Lines(WidthOf(w, 0)) {
		fmt.Fprintln(w, line)
	}
}

// WidthOf is how many characters fit on a line of w: what its method Width says, if it has one and that is not 0, and
// most otherwise, or if that is less.
func WidthOf(w io.Writer, most int) int {
	limited, ok := w.(interface{ Width() int })
	if !ok || limited.Width() == 0 || most > 0 && most < limited.Width() {
		return most
	}
	return limited.Width()
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

// Fold breaks words into lines of at most width characters, or puts them on one if that is 0.
func Fold(words []string, width int) []string {
	var lines []string
	for _, word := range words {
		if n := len(lines); n > 0 && (width == 0 || len(lines[n-1])+1+len(word) <= width) {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// Print writes words on lines of at most as many characters as w has, or most if that is less and not 0.
func Print(w io.Writer, words string, most int) {
	for _, line := range Fold(strings.Fields(words), WidthOf(w, most)) {
		fmt.Fprintln(w, line)
	}
}

// Counted is "1 driver" or "2 drivers".
func Counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
