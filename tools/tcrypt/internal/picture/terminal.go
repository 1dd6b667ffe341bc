package picture

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"

	"kcrypto/tools/tcrypt/internal/text"
)

// terminal writes the chart as curves of characters, on lines of at most width characters. Each driver has a character
// of its own; in colour there is that difference too.
func (c *chart) terminal(w io.Writer, width int, colour bool) {
	curves := c.curves
	if c.mark.value > 0 {
		low, high := c.sizes()
		line := []point{{size: low, value: c.mark.value}, {size: high, value: c.mark.value}}
		curves = append(slices.Clip(curves), curve{name: c.mark.text, impl: "limit", points: line})
	}
	const axis = 8 // characters: the scale of GB/s
	columns := min(max(width-axis-4, 20), 100)
	from, to, parts := c.exponents()
	var lines [][]float64
	var styles []asciigraph.CharSet
	var colours []asciigraph.AnsiColor
	for _, curve := range slices.Backward(curves) { // what is drawn last hides the others
		lines = append(lines, curve.stretch(columns, from, to))
		styles = append(styles, asciigraph.CreateCharSet(curve.sign().sign))
		colours = append(colours, curve.sign().colour)
	}
	options := []asciigraph.Option{
		asciigraph.Height(15), asciigraph.LowerBound(0), asciigraph.SeriesChars(styles...),
		asciigraph.YAxisValueFormatter(func(v float64) string { return fmt.Sprintf("%*s", axis-2, text.Number(v)) }),
		asciigraph.XAxisRange(from, to), asciigraph.XAxisTickCount(parts + 1),
		asciigraph.XAxisValueFormatter(func(v float64) string { return sizeLabel(int(math.Round(math.Exp2(v)))) }),
	}
	if colour {
		options = append(options, asciigraph.SeriesColors(colours...))
	}
	fmt.Fprintln(w)
	for _, line := range text.Fold(strings.Fields(c.title+", "+c.unit), width) {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "%s\n", asciigraph.PlotMany(lines, options...))
	var keys []string
	for _, curve := range curves {
		keys = append(keys, curve.sign().sign+"\u00a0"+curve.name) // a space that does not break
	}
	for _, line := range text.Fold(keys, width-axis) {
		fmt.Fprintf(w, "%*s%s\n", axis, "", strings.ReplaceAll(line, "\u00a0", " "))
	}
}

// A sign is a driver's character and colour on a terminal.
type sign struct {
	sign   string
	colour asciigraph.AnsiColor
}

var signs = map[string]sign{
	"vaes_avx512": {"●", asciigraph.Blue},
	"vaes_avx2":   {"■", asciigraph.Orange},
	"aesni_avx":   {"▲", asciigraph.Green},
	"aesni":       {"□", asciigraph.Magenta},
	"stdlib":      {"△", asciigraph.Yellow},
	"go":          {"×", asciigraph.Default},
	"generic":     {"○", asciigraph.Gray},
	"ipsecmb":     {"◆", asciigraph.Red},
	"openssl":     {"◇", asciigraph.Purple},
	"gcrypt":      {"▼", asciigraph.Olive},
	"limit":       {"-", asciigraph.Red},
}

// sign is the curve's.
func (c curve) sign() sign {
	if c.impl == "" {
		return signOf(c.name)
	}
	return signOf(c.impl)
}

func signOf(name string) sign {
	if other, ok := alike[name]; ok {
		name = other
	}
	if s, ok := signs[name]; ok {
		return s
	}
	return sign{"+", asciigraph.Cyan}
}

// exponents returns the range of the sizes as powers of 2, and in how many parts the axis is cut, so that each cut is
// at a whole power; where that takes it, the range is longer than the curves.
func (c *chart) exponents() (from, to float64, parts int) {
	low, high := c.sizes()
	from, to = math.Floor(math.Log2(float64(low))), math.Ceil(math.Log2(float64(high)))
	for _, parts := range []int{4, 5, 3} {
		if to > from && int(to-from)%parts == 0 {
			return from, to, parts
		}
	}
	return from, from + 4*max(1, math.Ceil((to-from)/4)), 4
}

// stretch returns the curve's values at n places between the exponents, evenly on the logarithmic axis; outside of the
// curve they are NaN.
func (c curve) stretch(n int, from, to float64) []float64 {
	values := make([]float64, n)
	half := (to - from) / float64(n-1) / 2
	for i := range values {
		values[i] = c.at(from+(to-from)*float64(i)/float64(n-1), half)
	}
	return values
}

// at returns the curve's value where the size is a power of 2, or NaN. A point counts for places up to half away.
func (c curve) at(exponent, half float64) float64 {
	for i, p := range c.points {
		x := math.Log2(float64(p.size))
		if math.Abs(x-exponent) <= half {
			return p.value
		}
		if x > exponent {
			if i == 0 {
				return math.NaN()
			}
			before := c.points[i-1]
			start := math.Log2(float64(before.size))
			return before.value + (p.value-before.value)*(exponent-start)/(x-start)
		}
	}
	return math.NaN()
}
