// Package picture draws the results of tcrypt: curves over message sizes as SVG, in a page of HTML, and on a terminal.
//
// Nothing that it writes loads anything from elsewhere or has a script in it. Drivers differ by colour, dashes and
// markers, and each curve has its name beside its end, so no difference hangs on colour alone.
package picture

// A chart has a curve for each driver, over message sizes in bytes on a logarithmic axis.
type chart struct {
	title   string // what was measured
	caption string // how to read it
	unit    string // of the other axis
	curves  []curve
	mark    mark
	log     bool // the other axis is logarithmic, too
}

// A mark is a line across a chart: what the hardware allows at best, for instance.
type mark struct {
	value float64 // 0: there is none
	text  string
}

// A curve is what one driver reached.
type curve struct {
	name    string
	impl    string // by which it looks; "" for that of its name
	decrypt bool   // beside a curve of the same look for encryption
	points  []point
}

// look is how the curve is drawn.
func (c curve) look() look {
	if c.impl == "" {
		return lookOf(c.name)
	}
	return lookOf(c.impl)
}

type point struct {
	size      int // bytes
	value     float64
	low, high float64 // the value's confidence interval; equal if there is none
}

// last is the point that a curve's name goes beside.
func (c curve) last() point { return c.points[len(c.points)-1] }

// bounds returns the least and greatest values in the chart, the mark's too.
func (c *chart) bounds() (low, high float64) {
	low, high = c.curves[0].points[0].value, c.mark.value
	for _, curve := range c.curves {
		for _, p := range curve.points {
			low, high = min(low, p.value), max(high, p.value)
		}
	}
	if c.mark.value > 0 {
		low = min(low, c.mark.value)
	}
	return low, high
}

// sizes returns the least and greatest message size.
func (c *chart) sizes() (low, high int) {
	low = c.curves[0].points[0].size
	for _, curve := range c.curves {
		for _, p := range curve.points {
			low, high = min(low, p.size), max(high, p.size)
		}
	}
	return low, high
}
