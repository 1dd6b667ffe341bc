package picture

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A format is the shape of a drawing, in units of SVG: a screen's pixels unless the reader scales them.
type format struct {
	width, height vg.Length
	sizeLabels    int // how many message sizes fit on the axis
}

var (
	wide   = format{720, 380, 10}
	narrow = format{360, 330, 5}
)

// letters is the size of the letters.
const letters = 12

// plot makes c a plot, with all that can be seen of it.
func (c *chart) plot(f format) (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = nil
	styleAxis(&p.X)
	styleAxis(&p.Y)
	low, high := c.sizes()
	p.X.Min, p.X.Max = float64(low), float64(high)
	if low == high {
		p.X.Min, p.X.Max = float64(low)/2, float64(high)*2
	}
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, sizeTicks{f.sizeLabels}
	p.X.Label.Text = "message size in bytes"
	p.Y.Label.Text = c.unit
	least, most := c.bounds()
	if c.log {
		p.Y.Min, p.Y.Max = least*0.6, most*1.15 // with space for the mark's text
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	} else {
		p.Y.Min, p.Y.Max = 0, most*1.06
		p.Y.Tick.Marker = evenTicks{}
	}
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = grid.rgb(), grid.rgb()
	g.Vertical.Width, g.Horizontal.Width = 1, 1
	p.Add(g)
	if c.mark.value > 0 {
		c.addMark(p)
	}
	for _, curve := range slices.Backward(c.curves) { // what is drawn last hides the others
		if err := curve.addTo(p); err != nil {
			return nil, err
		}
	}
	p.Add(labels{c.curves, textStyle(ink), 14})
	return p, nil
}

func textStyle(t tint) draw.TextStyle {
	return text.Style{Color: t.rgb(), Font: sans(letters), Handler: plot.DefaultTextHandler}
}

func styleAxis(a *plot.Axis) {
	a.Color = faint.rgb()
	a.Tick.Color = faint.rgb()
	a.Tick.Label.Color, a.Tick.Label.Font = faint.rgb(), sans(letters-1)
	a.Label.TextStyle.Color, a.Label.TextStyle.Font = faint.rgb(), sans(letters)
	a.Padding = 0
	a.Label.Padding = 4
}

// addTo draws the curve with its markers.
func (c curve) addTo(p *plot.Plot) error {
	var xys plotter.XYs
	var bars plotter.YErrors
	for _, pt := range c.points {
		xys = append(xys, plotter.XY{X: float64(pt.size), Y: pt.value})
		bars = append(bars, struct{ Low, High float64 }{pt.value - pt.low, pt.high - pt.value})
	}
	line, points, err := plotter.NewLinePoints(xys)
	if err != nil {
		return fmt.Errorf("the curve of %s: %w", c.name, err)
	}
	errors, err := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{xys, bars})
	if err != nil {
		return fmt.Errorf("the intervals of %s: %w", c.name, err)
	}
	l := c.look()
	line.Color, line.Width, line.Dashes = l.rgb(), 2, l.dashes
	points.Color, points.Shape, points.Radius = l.rgb(), l.marker, 3.2
	if c.decrypt {
		line.Width, points.Radius = 1, 2.2
	}
	errors.Color, errors.Width, errors.CapWidth = l.rgb(), 1, 5
	p.Add(errors, line, points)
	return nil
}

// addMark draws the line across the chart.
func (c *chart) addMark(p *plot.Plot) {
	at := plotter.NewFunction(func(float64) float64 { return c.mark.value })
	at.Samples = 2
	at.Color, at.Width, at.Dashes = limit.rgb(), 1.2, dash(5, 3)
	p.Add(at, note{c.mark.text, c.mark.value, c.log})
}

// note writes along a horizontal line, at its left: below it where curves come from above, else above it.
type note struct {
	text  string
	value float64
	below bool
}

// Plot draws the text.
func (n note) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	style := textStyle(limit)
	at := vg.Point{X: c.Min.X + 6, Y: y(n.value) + 3}
	if n.below {
		at.Y = y(n.value) - 3
		style.YAlign = draw.YTop
	}
	c.FillText(style, at, n.text)
}
