package picture

import (
	"fmt"
	"slices"
	"strconv"

	"kcrypto/tools/tcrypt/internal/compare"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

// OfComparison draws how many times as long B took as A.
func OfComparison(h *result.Header, tables []compare.Table, notes []string) *Album {
	a := &Album{header: h, heading: "Two drivers compared", notes: notes,
		note: "Above the line A is faster, below it B. " + barsNote[1:]}
	for i := range tables {
		a.panels = append(a.panels, versus(&tables[i]))
	}
	return a
}

// versus is the panel of one table.
func versus(t *compare.Table) *panel {
	c := curve{name: "B/A", impl: "vaes_avx512"}
	short := table{title: "Times", head: []string{"bytes", "A ns", "B ns", "B/A", "from", "to", "faster"}}
	for i := range t.Rows {
		r := &t.Rows[i]
		p, from, to := point{r.Size, r.Ratio.Median, r.Ratio.Median, r.Ratio.Median}, "-", "-"
		if r.Known() {
			p.low, p.high = r.Ratio.Low, r.Ratio.High
			from, to = text.Number(p.low), text.Number(p.high)
		}
		c.points = append(c.points, p)
		short.rows = append(short.rows, plain([][]string{{strconv.Itoa(r.Size), text.Number(r.ANS), text.Number(r.BNS),
			text.Number(r.Ratio.Median), from, to, r.Faster()}})...)
	}
	title := fmt.Sprintf("%s: %s (A) and %s (B)", t.Title(), t.A, t.B)
	if some := slices.IndexFunc(t.Rows, func(r compare.Row) bool { return r.Wanted > 0 }); some >= 0 {
		title += interrupted(t.Rows[some].Samples, t.Rows[some].Wanted)
	}
	return &panel{title: title, short: short, charts: []*chart{{
		title: title, unit: "B's time over A's", curves: []curve{c}, log: true, mark: mark{1, "alike"},
		caption: "How many times as long B takes, both axes logarithmic: above the line A is faster, below it B.",
	}}}
}

// interrupted says how many samples there are of those that were wanted.
func interrupted(samples, wanted int) string {
	return ", interrupted: " + result.SamplesOf(samples, wanted) + " samples"
}

// A Ranked is a ranking of drivers and what it is of.
type Ranked struct {
	Title string
	compare.Ranking
}

// OfRankings draws by how much each driver is behind the fastest one.
func OfRankings(h *result.Header, rankings []Ranked, notes []string) *Album {
	a := &Album{header: h, heading: "The order of drivers on this machine", notes: notes,
		note: "A driver's time over that of the fastest one at each size. " + barsNote[1:]}
	for i := range rankings {
		a.panels = append(a.panels, rankings[i].panel(h))
	}
	return a
}

// panel has a curve a driver.
func (r *Ranked) panel(h *result.Header) *panel {
	title := r.Title
	if r.Wanted > 0 {
		title += interrupted(r.Samples, r.Wanted)
	}
	c := &chart{title: title, unit: "times the fastest one's", log: true, mark: mark{1, "fastest"},
		caption: "Time over that of the fastest driver at each size, both axes logarithmic: lower is better."}
	short := table{title: "Times over the fastest driver's", head: []string{"driver", "priority"}}
	for _, size := range r.Sizes {
		short.head = append(short.head, fmt.Sprintf("%d B", size))
	}
	short.head = append(short.head, "all")
	for _, d := range r.Ranks {
		own := curve{name: implOf(h, d.Driver), impl: implOf(h, d.Driver)}
		row := []string{d.Driver, strconv.Itoa(d.Priority)}
		for i, e := range d.BySize {
			own.points = append(own.points, point{r.Sizes[i], e.Median, e.Low, e.High})
			row = append(row, text.Number(e.Median))
		}
		slices.SortFunc(own.points, func(a, b point) int { return a.size - b.size })
		c.curves = append(c.curves, own)
		short.rows = append(short.rows, plain([][]string{append(row, text.Number(d.Behind.Median))})...)
	}
	return &panel{title: title, short: short, charts: []*chart{c}}
}
