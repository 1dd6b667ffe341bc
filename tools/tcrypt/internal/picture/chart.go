// Package picture draws the results of tcrypt: curves over message sizes as SVG, in a page of HTML, and on a terminal.
//
// Nothing that it writes loads anything from elsewhere or has a script in it. Drivers differ by colour, dashes and
// markers, and each curve has its name beside its end, so no difference hangs on colour alone.
package picture

// A chart has a curve for each driver, over message sizes in bytes on a logarithmic axis.
type chart struct {
	title  string // what was measured
	unit   string // of the other axis
	curves []curve
	limit  float64 // what the hardware allows at best, in unit; 0 if that is not known
	log    bool    // the other axis is logarithmic, too
}

// A curve is what one driver reached.
type curve struct {
	name   string // the implementation's
	points []point
}

type point struct {
	size  int // bytes
	value float64
}

// last is the point that a curve's name goes beside.
func (c curve) last() point { return c.points[len(c.points)-1] }

// bounds returns the least and greatest values in the chart, the limit's too.
func (c *chart) bounds() (low, high float64) {
	low, high = c.curves[0].points[0].value, c.limit
	for _, curve := range c.curves {
		for _, p := range curve.points {
			low, high = min(low, p.value), max(high, p.value)
		}
	}
	if c.limit > 0 {
		low = min(low, c.limit)
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
