package picture

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

// OfRun draws the speed of drivers.
func OfRun(run *result.Run) *Album {
	a := &Album{header: &run.Header, heading: "Speed of kcrypto's drivers", note: form.Note, notes: run.Notes()}
	all := bothWays(result.Series(run.Cells))
	a.summary = &table{head: []string{"", "fastest", "bytes", "GB/s", "x go"}}
	for i, cells := range all {
		s := &series{cells: cells, both: cells[0].Direction != cells[len(cells)-1].Direction}
		a.panels = append(a.panels, s.panel())
		a.summary.rows = append(a.summary.rows, s.summary(id(i)))
	}
	return a
}

// Terminal draws the throughput of one series with characters, on lines of at most width of them.
func Terminal(w io.Writer, cells []result.Cell, width int, colour bool) {
	if len(cells) > 0 {
		s := &series{cells: cells}
		s.panel().charts[0].terminal(w, width, colour)
	}
}

// bothWays puts series together that differ in their direction only and follow on each other.
func bothWays(all [][]result.Cell) [][]result.Cell {
	var pairs [][]result.Cell
	for _, cells := range all {
		if n := len(pairs); n > 0 {
			other := pairs[n-1][0].Conditions
			if other.Direction == result.Encrypt && cells[0].Direction == result.Decrypt {
				other.Direction = result.Decrypt
				if other == cells[0].Conditions {
					pairs[n-1] = slices.Concat(pairs[n-1], cells)
					continue
				}
			}
		}
		pairs = append(pairs, cells)
	}
	return pairs
}

// series is the cells of a panel: one series, or two of both directions.
type series struct {
	cells []result.Cell
	both  bool
}

// title says what was measured.
func (s *series) title() string {
	title := s.cells[0].Title()
	if s.both {
		title = strings.Replace(title, " encryption", " encryption and decryption", 1)
	}
	if n := result.Partial(s.cells); n != "" {
		title += ", interrupted: " + n
	}
	return title
}

// nameOf is what c's curve is called: its implementation, unless two drivers have the same one.
func (s *series) nameOf(c *result.Cell) string {
	name := c.Impl
	same := func(d result.Cell) bool { return d.Impl == c.Impl && d.Driver != c.Driver }
	if c.Impl == "" || slices.ContainsFunc(s.cells, same) {
		name = c.Driver
	}
	if s.both && c.Direction == result.Decrypt {
		name += " decrypt"
	}
	return name
}

// names are those of the curves, in the order of cells.
func (s *series) names() []string {
	var names []string
	for i := range s.cells {
		if name := s.nameOf(&s.cells[i]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

const barsNote = " Bars are 95 % confidence intervals."

// panel makes charts of throughput and, where they can be measured, cycles.
func (s *series) panel() *panel {
	p := &panel{title: s.title(), short: s.short(), all: s.all()}
	speed := &chart{title: p.title, unit: "GB/s",
		caption: "Throughput over message size, sizes on a logarithmic axis: higher is better." + barsNote}
	speed.curves = s.curves(func(c *result.Cell) float64 { return c.GBps }, false)
	for _, c := range s.cells {
		if c.Share > 0 {
			speed.mark.value = max(speed.mark.value, c.GBps/c.Share)
		}
	}
	speed.mark.text = "hardware limit " + short(speed.mark.value)
	p.charts = []*chart{speed}
	if !slices.ContainsFunc(s.cells, func(c result.Cell) bool { return c.CyclesPerByte <= 0 }) {
		cycles := &chart{title: p.title, unit: "cycles a byte", log: true,
			caption: "Cycles of the core's clock for a byte, both axes logarithmic: lower is better." + barsNote,
			mark:    mark{s.cells[0].Limit, "hardware limit " + short(s.cells[0].Limit)}}
		cycles.curves = s.curves(func(c *result.Cell) float64 { return c.CyclesPerByte }, true)
		p.charts = append(p.charts, cycles)
	}
	return p
}

// curves makes a curve for each driver, and direction. What a value is of grows with a message's time, or falls.
func (s *series) curves(value func(*result.Cell) float64, grows bool) []curve {
	names := s.names()
	curves := make([]curve, len(names))
	for i := range s.cells {
		c := &s.cells[i]
		own := &curves[slices.Index(names, s.nameOf(c))]
		own.name, own.decrypt = s.nameOf(c), s.both && c.Direction == result.Decrypt
		own.impl = strings.TrimSuffix(own.name, " decrypt")
		v := value(c)
		p := point{c.Size, v, v, v}
		if c.Known() && grows {
			p.low, p.high = v*c.Low/c.NS, v*c.High/c.NS
		} else if c.Known() {
			p.low, p.high = v*c.NS/c.High, v*c.NS/c.Low
		}
		own.points = append(own.points, p)
	}
	for _, c := range curves {
		slices.SortFunc(c.points, func(a, b point) int { return a.size - b.size })
	}
	return curves
}

// short is a row a message size, the fastest in each marked.
func (s *series) short() table {
	names := s.names()
	t := table{title: "GB/s", head: append([]string{"bytes"}, names...)}
	best := map[int]float64{}
	var sizes []int
	for _, c := range s.cells {
		if best[c.Size] == 0 {
			sizes = append(sizes, c.Size)
			row := []cell{{Text: strconv.Itoa(c.Size)}}
			for range names {
				row = append(row, cell{Text: "-"})
			}
			t.rows = append(t.rows, row)
		}
		best[c.Size] = max(best[c.Size], c.GBps)
	}
	for i := range s.cells {
		c := &s.cells[i]
		t.rows[slices.Index(sizes, c.Size)][1+slices.Index(names, s.nameOf(c))] = cell{Text: text.Number(c.GBps),
			Best: c.GBps == best[c.Size] && len(names) > 1}
	}
	return t
}

// all is all figures.
func (s *series) all() table {
	cells := slices.Clone(s.cells)
	for i := range cells {
		if s.both && cells[i].Direction == result.Decrypt {
			cells[i].Driver += " decrypt"
		}
	}
	heads, rows := form.Rows(cells)
	for i, head := range heads {
		heads[i] = text.Heading(head)
	}
	return table{"All figures", heads, plain(rows)}
}

// summary is the panel's row in the summary: the fastest driver of the largest size.
func (s *series) summary(panel string) []cell {
	best := &s.cells[0]
	for i := range s.cells {
		if c := &s.cells[i]; c.Size > best.Size || c.Size == best.Size && c.GBps > best.GBps {
			best = c
		}
	}
	timesGo := ""
	if best.TimesGo > 0 {
		timesGo = text.Number(best.TimesGo)
	}
	return []cell{{Text: s.title(), Link: panel}, {Text: s.nameOf(best)}, {Text: fmt.Sprint(best.Size)},
		{Text: text.Number(best.GBps)}, {Text: timesGo}}
}
