package picture

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// labels writes the curves' names to the right of the chart, at the height of their ends, or as near to it as there is
// space for them all; a line joins each with its end.
type labels struct {
	curves []curve
	style  draw.TextStyle
	indent vg.Length // from the chart's edge
}

// Plot draws the names.
func (l labels) Plot(c draw.Canvas, p *plot.Plot) {
	transformX, transformY := p.Transforms(&c)
	order := slices.Clone(l.curves)
	slices.SortStableFunc(order, func(a, b curve) int {
		return int(transformY(a.last().value)*1000) - int(transformY(b.last().value)*1000)
	})
	var ends []vg.Length
	for _, curve := range order {
		ends = append(ends, transformY(curve.last().value))
	}
	height := l.style.Height("x")
	places := spread(ends, height*1.15, c.Min.Y, c.Max.Y)
	for i, curve := range order {
		style := l.style
		style.Color = curve.look().rgb()
		style.YAlign = draw.YCenter
		start := vg.Point{X: transformX(float64(curve.last().size)), Y: ends[i]}
		at := vg.Point{X: c.Max.X + l.indent, Y: places[i]}
		line := draw.LineStyle{Color: style.Color, Width: 0.6}
		c.StrokeLines(line, []vg.Point{{X: start.X + 4, Y: start.Y}, {X: at.X - 8, Y: at.Y}, {X: at.X - 3, Y: at.Y}})
		c.FillText(style, at, curve.name)
	}
}

// widerFonts is by how much letters may be wider than those of the font that the drawings are made with.
const widerFonts = 1.2

// GlyphBoxes keeps space for the names beside the chart.
func (l labels) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	var widest vg.Length
	for _, curve := range l.curves {
		widest = max(widest, l.style.Width(curve.name))
	}
	return []plot.GlyphBox{{X: 1, Rectangle: vg.Rectangle{Max: vg.Point{X: l.indent + widest*widerFonts}}}}
}

// spread moves places, which ascend, as little as it takes to have a gap between neighbours and all of them between
// low and high, if there is space: neighbours that are too near each other become a group around their middle, and
// groups that meet become one.
func spread(places []vg.Length, gap, low, high vg.Length) []vg.Length {
	type group struct {
		middle vg.Length
		n      int
	}
	half := func(g group) vg.Length { return gap * vg.Length(g.n-1) / 2 }
	var groups []group
	for _, at := range places {
		g := group{at, 1}
		for {
			g.middle = max(min(g.middle, high-half(g)), low+half(g))
			if len(groups) == 0 {
				break
			}
			last := groups[len(groups)-1]
			if last.middle+half(last)+gap <= g.middle-half(g) {
				break
			}
			n := last.n + g.n
			g = group{(last.middle*vg.Length(last.n) + g.middle*vg.Length(g.n)) / vg.Length(n), n}
			groups = groups[:len(groups)-1]
		}
		groups = append(groups, g)
	}
	var moved []vg.Length
	for _, g := range groups {
		for i := range g.n {
			moved = append(moved, g.middle-half(g)+gap*vg.Length(i))
		}
	}
	return moved
}
