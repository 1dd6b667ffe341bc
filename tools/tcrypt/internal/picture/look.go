package picture

import (
	"fmt"
	"hash/fnv"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A tint is a colour on a light background and its counterpart on a dark one. Both have a contrast of 3 to 1 at least
// with their background, text 4.5 to 1 (WCAG 2.1, success criteria 1.4.11 and 1.4.3).
type tint struct{ light, dark string } // #RRGGBB

var (
	background = tint{"#FFFFFF", "#15181C"}
	ink        = tint{"#1C2127", "#E3E7EB"}
	faint      = tint{"#5B646E", "#A3ADB7"} // axes, ticks, notes
	grid       = tint{"#E3E6EA", "#2B3138"}
	limit      = tint{"#B3261E", "#FF8A80"}
)

// A look is how one curve is drawn.
type look struct {
	tint
	dashes []vg.Length
	marker draw.GlyphDrawer
}

// looks are those of our implementations, Go's code, and the libraries of bench/peers.
var looks = map[string]look{
	"vaes_avx512": {tint{"#0065A8", "#5CB3F0"}, nil, draw.CircleGlyph{}},
	"vaes_avx2":   {tint{"#B84300", "#F28B52"}, dash(7, 3), draw.BoxGlyph{}},
	"aesni_avx":   {tint{"#00735A", "#38C7A3"}, dash(2, 2), draw.PyramidGlyph{}},
	"aesni":       {tint{"#98417F", "#E394C9"}, dash(8, 2, 2, 2), hollow{4}},
	"stdlib":      {tint{"#7D6000", "#DDB32B"}, dash(4, 4), hollow{3}},
	"go":          {tint{"#1C2127", "#E3E7EB"}, dash(1, 3), draw.CrossGlyph{}},
	"generic":     {tint{"#6A737D", "#98A2AC"}, dash(10, 3, 1, 3), hollow{12}},
	"ipsecmb":     {tint{"#A4262C", "#FF9A8F"}, dash(3, 3, 1, 3), hollow{5}},
	"openssl":     {tint{"#5B3FA8", "#B8A2F5"}, dash(6, 2, 1, 2, 1, 2), hollow{6}},
	"gcrypt":      {tint{"#3F6B00", "#9CCB4A"}, dash(12, 4), draw.PlusGlyph{}},
}

// alike gives implementations the look of those that correspond to them.
var alike = map[string]string{"avx512": "vaes_avx512", "avx2": "vaes_avx2", "ssse3": "aesni"}

// lookOf returns the look of an implementation. Those that we do not know, which registered from elsewhere, share what
// there is.
func lookOf(impl string) look {
	impl, run, _ := strings.Cut(impl, " ")
	if other, ok := alike[impl]; ok {
		impl = other
	}
	if l, ok := looks[impl]; ok {
		if run != "" { // of another run
			l.dashes, l.marker = dash(1, 2), draw.RingGlyph{}
		}
		return l
	}
	known := []string{"aesni_avx", "stdlib", "aesni", "vaes_avx2"}
	h := fnv.New32()
	h.Write([]byte(impl))
	l := looks[known[int(h.Sum32()%uint32(len(known)))]]
	l.marker = draw.PlusGlyph{}
	return l
}

// hollow is a marker: a polygon of so many sides with nothing in it.
type hollow struct{ sides int }

// DrawGlyph draws the marker around at.
func (h hollow) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	var outline vg.Path
	for i := range h.sides {
		angle := (float64(i) + 0.5) * 2 * math.Pi / float64(h.sides)
		if h.sides == 3 {
			angle = math.Pi/2 + float64(i)*2*math.Pi/3
		}
		p := vg.Point{X: at.X + style.Radius*vg.Length(math.Cos(angle)), Y: at.Y + style.Radius*vg.Length(math.Sin(angle))}
		if i == 0 {
			outline.Move(p)
		} else {
			outline.Line(p)
		}
	}
	outline.Close()
	c.SetColor(background.rgb())
	c.Fill(outline)
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: 1.3})
	c.Stroke(outline)
}

func dash(lengths ...vg.Length) []vg.Length { return lengths }

// rgb is the light colour: pictures are drawn for a light background, and css turns them dark.
func (t tint) rgb() color.Color {
	var c color.RGBA
	if _, err := fmt.Sscanf(t.light, "#%02X%02X%02X", &c.R, &c.G, &c.B); err != nil {
		panic(err) // a mistake in the tables above
	}
	c.A = 255
	return c
}

// css is the style that all pictures share. On a dark background each light colour turns into its counterpart, by rules
// that look for it in what vgsvg writes; readers of SVG that know no such rules show the light picture.
func css() string {
	var b strings.Builder
	b.WriteString("svg text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif!important}\n")
	b.WriteString("@media (prefers-color-scheme:dark){\n")
	all := []tint{background, ink, faint, grid, limit}
	for _, l := range looks {
		if !slices.Contains(all, l.tint) {
			all = append(all, l.tint)
		}
	}
	slices.SortFunc(all, func(a, b tint) int { return strings.Compare(a.light, b.light) })
	for _, t := range all {
		for _, property := range []string{"fill", "stroke"} {
			fmt.Fprintf(&b, "svg [style*=\"%s:%s\"]{%s:%s!important}\n", property, t.light, property, t.dark)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// sans is the font whose widths the drawings are made with. Readers show the nearest one that they have.
func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)}
}
