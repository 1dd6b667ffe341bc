package picture

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"kcrypto/tools/tcrypt/internal/text"
)

// edge is the space that is left beside the axes' names, for letters that are larger than those drawn with.
const edge = 4

// inner draws c and returns what goes into an svg element of its width and height.
func (c *chart) inner(f format) ([]byte, error) {
	p, err := c.plot(f)
	if err != nil {
		return nil, err
	}
	canvas := vgsvg.New(f.width, f.height)
	p.Draw(draw.Crop(draw.New(canvas), edge, 0, 0, -edge))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	_, rest, found := bytes.Cut(b.Bytes(), []byte("<g"))
	body, _, closed := bytes.Cut(rest, []byte("</svg>"))
	if !found || !closed {
		return nil, errors.New("vgsvg wrote no SVG that we know")
	}
	return append([]byte("<g"), body...), nil
}

// figure returns c as an svg element for a page, with a class for its format and a text for who cannot see it.
func (c *chart) figure(f format, class string) (string, error) {
	inner, err := c.inner(f)
	if err != nil {
		return "", err
	}
	label := html.EscapeString(c.describe())
	return fmt.Sprintf("<svg class=\"%s\" viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">\n%s</svg>\n",
		class, float64(f.width), float64(f.height), label, inner), nil
}

// describe says in a sentence what the picture shows.
func (c *chart) describe() string {
	all := fmt.Sprintf("%s: %s over message size.", c.title, c.unit)
	for _, curve := range c.curves {
		all += fmt.Sprintf(" %s: %s at %d bytes, %s at %d.", curve.name, short(curve.points[0].value),
			curve.points[0].size, short(curve.last().value), curve.last().size)
	}
	if c.mark.value > 0 {
		all += fmt.Sprintf(" A line at %s: %s.", short(c.mark.value), c.mark.text)
	}
	return all
}

// writeSVG writes charts as one picture, one below the other, with their titles and lines on where they come from.
func writeSVG(w io.Writer, charts []*chart, source []string) error {
	const margin, line, titleWidth = 16, 22, 90 // the last in characters
	width, height := float64(wide.width)+2*margin, margin+line*float64(len(source))
	var titles [][]string
	for _, c := range charts {
		title := text.Fold(strings.Fields(c.title), titleWidth)
		titles = append(titles, title)
		height += float64(wide.height) + margin + line*float64(len(title))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" role="img">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<style>\n%s</style>\n", css())
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\" style=\"fill:%s\"/>\n", background.light)
	write := func(y float64, size int, t tint, words string) {
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%g\" style=\"font-family:sans-serif;font-size:%dpx;fill:%s\">%s</text>\n",
			margin, y, size, t.light, html.EscapeString(words))
	}
	top := float64(margin)
	for i, c := range charts {
		inner, err := c.inner(wide)
		if err != nil {
			return err
		}
		for _, title := range titles[i] {
			write(top+letters, letters+3, ink, title)
			top += line
		}
		fmt.Fprintf(&b, "<svg x=\"%d\" y=\"%g\" width=\"%g\" height=\"%g\">\n<title>%s</title>\n%s</svg>\n",
			margin, top, float64(wide.width), float64(wide.height), html.EscapeString(c.describe()), inner)
		top += float64(wide.height) + margin
	}
	for i, from := range source {
		write(height-margin/2-line*float64(len(source)-1-i), letters-1, faint, from)
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}
