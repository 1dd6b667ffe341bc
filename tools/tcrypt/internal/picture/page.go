package picture

import (
	"bytes"
	_ "embed" // the page's template and style
	"html/template"
	"io"
	"slices"
	"strings"

	"kcrypto/tools/tcrypt/internal/result"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// pageData is what the template shows.
type pageData struct {
	Heading, Machine string
	Fields           []result.Field
	Note, Notes      string
	Style            template.CSS
	Summary          *shownTable
	Sections         []section
}

// A section is one panel.
type section struct {
	ID, Title  string
	Figures    []figure
	Short, All *shownTable
}

// shownTable is a table as the template shows it.
type shownTable struct {
	Title string
	Head  []string
	Rows  [][]cell
}

type figure struct {
	Caption      string
	Wide, Narrow template.HTML
}

// HTML writes a page that needs nothing else.
func (a *Album) HTML(w io.Writer) error {
	data := pageData{
		Heading: a.heading,
		Machine: a.header.Machine.Headline(),
		Fields:  slices.Concat(a.header.Fields(), a.header.Circumstances(), a.header.DriverLines()),
		Note:    a.note,
		Notes:   strings.Join(a.notes, " "),
		Style:   template.CSS(pageStyle + css()),
	}
	if len(a.panels) > 1 {
		data.Summary = a.contents()
	}
	for i, p := range a.panels {
		s, err := p.section(id(i))
		if err != nil {
			return err
		}
		data.Sections = append(data.Sections, s)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, data); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// contents is the summary, or the panels' titles.
func (a *Album) contents() *shownTable {
	if a.summary != nil {
		return a.summary.grid()
	}
	t := table{head: []string{""}}
	for i, p := range a.panels {
		t.rows = append(t.rows, []cell{{Text: p.title, Link: id(i)}})
	}
	return t.grid()
}

func (t *table) grid() *shownTable {
	if t.rows == nil {
		return nil
	}
	return &shownTable{t.title, t.head, t.rows}
}

func (p *panel) section(id string) (section, error) {
	s := section{ID: id, Title: p.title, Short: p.short.grid(), All: p.all.grid()}
	for _, c := range p.charts {
		wideText, err := c.figure(wide, "wide")
		if err != nil {
			return s, err
		}
		narrowText, err := c.figure(narrow, "narrow")
		if err != nil {
			return s, err
		}
		s.Figures = append(s.Figures, figure{c.caption, template.HTML(wideText), template.HTML(narrowText)})
	}
	return s, nil
}
