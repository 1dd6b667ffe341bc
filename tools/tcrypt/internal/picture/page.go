package picture

import (
	"bytes"
	_ "embed" // the page's template and style
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// pageData is what the template shows.
type pageData struct {
	Machine string
	Fields  []result.Field
	Note    string
	Partial string // what is to be said of all results
	Style   template.CSS
	Panels  []section
}

// section is one panel.
type section struct {
	ID, Title string
	Figures   []figure
	Names     []string // of the columns of the short table
	Rows      []row
	AllHead   []string
	All       [][]string
}

type figure struct {
	Caption      string
	Wide, Narrow template.HTML
}

type row struct {
	Size   int
	Values []value
}

type value struct {
	Text string
	Best bool
}

// HTML writes run as a page that needs nothing else.
func HTML(w io.Writer, run *result.Run) error {
	data := pageData{
		Machine: run.Machine.Headline(),
		Fields:  slices.Concat(run.Fields(), run.Circumstances(), run.DriverLines()),
		Note:    form.Note,
		Partial: strings.Join(run.Notes(), " "),
		Style:   template.CSS(pageStyle + css()),
	}
	for i, p := range panels(run.Cells) {
		s, err := p.section(i)
		if err != nil {
			return err
		}
		data.Panels = append(data.Panels, s)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, data); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (p *panel) section(number int) (section, error) {
	s := section{ID: "series-" + strconv.Itoa(number+1), Title: p.title, Names: p.names, Rows: p.rows()}
	for _, c := range p.charts() {
		wideText, err := c.figure(wide, "wide")
		if err != nil {
			return s, err
		}
		narrowText, err := c.figure(narrow, "narrow")
		if err != nil {
			return s, err
		}
		s.Figures = append(s.Figures, figure{c.caption(), template.HTML(wideText), template.HTML(narrowText)})
	}
	s.AllHead, s.All = form.Rows(p.cells)
	for i, head := range s.AllHead {
		s.AllHead[i] = strings.TrimPrefix(head, ">")
	}
	return s, nil
}

// caption says how to read the chart.
func (c *chart) caption() string {
	if c.log {
		return "Cycles of the core's clock for a byte, both axes logarithmic: lower is better."
	}
	return "Throughput over message size, sizes on a logarithmic axis: higher is better."
}

// rows is the short table: a row a message size, the fastest in each marked.
func (p *panel) rows() []row {
	var rows []row
	best := map[int]float64{}
	for _, c := range p.cells {
		best[c.Size] = max(best[c.Size], c.GBps)
	}
	for i := range p.cells {
		c := &p.cells[i]
		at := slices.IndexFunc(rows, func(r row) bool { return r.Size == c.Size })
		if at < 0 {
			at = len(rows)
			rows = append(rows, row{c.Size, make([]value, len(p.names))})
		}
		rows[at].Values[slices.Index(p.names, p.nameOf(c))] = value{text.Number(c.GBps),
			c.GBps == best[c.Size] && len(p.names) > 1}
	}
	for _, r := range rows {
		for i := range r.Values {
			if r.Values[i].Text == "" {
				r.Values[i].Text = "-"
			}
		}
	}
	return rows
}

// SVG writes the throughput in run as one picture.
func SVG(w io.Writer, run *result.Run) error {
	var charts []*chart
	for _, p := range panels(run.Cells) {
		charts = append(charts, p.speed)
	}
	source := fmt.Sprintf("%s, %s", run.Machine.Headline(), run.Date.UTC().Format("2006-01-02"))
	for _, note := range run.Notes() {
		source += ". " + strings.TrimSuffix(note, ".")
	}
	return writeSVG(w, charts, source)
}
