package picture

import (
	"slices"

	"kcrypto/tools/tcrypt/internal/result"
)

// A panel is what a picture shows of one series.
type panel struct {
	title  string
	cells  []result.Cell
	names  []string // of the curves, in the order of cells
	speed  *chart
	cycles *chart // nil where cycles cannot be measured
}

// panels makes a panel of each series.
func panels(cells []result.Cell) []*panel {
	var all []*panel
	for _, series := range result.Series(cells) {
		all = append(all, newPanel(series))
	}
	return all
}

func newPanel(cells []result.Cell) *panel {
	title := cells[0].Title()
	if n := result.Partial(cells); n != "" {
		title += ", interrupted: " + n
	}
	p := &panel{title: title, cells: cells, speed: &chart{title: title, unit: "GB/s"}}
	for i := range cells {
		if name := p.nameOf(&cells[i]); !slices.Contains(p.names, name) {
			p.names = append(p.names, name)
		}
	}
	p.speed.curves = p.curves(func(c *result.Cell) float64 { return c.GBps })
	for _, c := range cells {
		if c.Share > 0 {
			p.speed.limit = max(p.speed.limit, c.GBps/c.Share)
		}
	}
	if !slices.ContainsFunc(cells, func(c result.Cell) bool { return c.CyclesPerByte <= 0 }) {
		p.cycles = &chart{title: title, unit: "cycles a byte", log: true, limit: cells[0].Limit}
		p.cycles.curves = p.curves(func(c *result.Cell) float64 { return c.CyclesPerByte })
	}
	return p
}

// nameOf is what c's curve is called: its implementation, unless two drivers have the same one.
func (p *panel) nameOf(c *result.Cell) string {
	same := func(d result.Cell) bool { return d.Impl == c.Impl && d.Driver != c.Driver }
	if c.Impl == "" || slices.ContainsFunc(p.cells, same) {
		return c.Driver
	}
	return c.Impl
}

// curves makes a curve for each driver.
func (p *panel) curves(value func(*result.Cell) float64) []curve {
	curves := make([]curve, len(p.names))
	for i := range curves {
		curves[i].name = p.names[i]
	}
	for i := range p.cells {
		c := &p.cells[i]
		own := &curves[slices.Index(p.names, p.nameOf(c))]
		own.points = append(own.points, point{c.Size, value(c)})
	}
	for _, c := range curves {
		slices.SortFunc(c.points, func(a, b point) int { return a.size - b.size })
	}
	return curves
}

// charts returns the charts of a panel.
func (p *panel) charts() []*chart {
	if p.cycles == nil {
		return []*chart{p.speed}
	}
	return []*chart{p.speed, p.cycles}
}
