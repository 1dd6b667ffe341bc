// Package compare compares measurements: which of two is faster at each message size, how certain that is,
// and at which size that changes.
package compare

import (
	"math"
	"slices"

	"kcrypto/tools/tcrypt/internal/result"
)

// A Row compares A and B at one message size.
type Row struct {
	Size     int             // bytes
	ANS, BNS float64         // times for a message
	Ratio    result.Estimate // how many times as long B took: more than 1 means that A is faster
	Samples  int             // of the one that has fewer
	Wanted   int             // how many there would be; 0 if these are all
}

// Known says whether there are enough samples for a confidence interval.
func (r *Row) Known() bool { return r.Samples >= result.MinSamples }

// Faster is "A" or "B", or "" if the ratio's confidence interval has 1 in it, or there is none.
func (r *Row) Faster() string {
	switch {
	case !r.Known():
		return ""
	case r.Ratio.Low > 1:
		return "A"
	case r.Ratio.High < 1:
		return "B"
	}
	return ""
}

// A Table compares A and B in one series.
type Table struct {
	result.Conditions
	A, B      string // drivers
	Rows      []Row  // in the order of sizes
	Crossings []Crossing
}

// Beside compares two drivers that were measured beside each other: the i-th samples of both are from the same rounds,
// and what slowed one slowed the other, so it is their ratios that count.
func Beside(cells []result.Cell, a, b string) []Table {
	var all []Table
	for _, series := range result.Series(cells) {
		all = add(all, series, series, a, b, func(x, y *result.Cell) result.Estimate { return result.Ratio(y, x) })
	}
	return all
}

// Runs compares what two runs have in common: drivers of one name, or the only one of each run, which are the best of
// one machine and the best of another.
func Runs(a, b []result.Cell) []Table {
	var all []Table
	for _, x := range result.Series(a) {
		var y []result.Cell
		for i := range b {
			if b[i].Conditions == x[0].Conditions {
				y = append(y, b[i])
			}
		}
		dx, dy := drivers(x), drivers(y)
		if len(dx) == 1 && len(dy) == 1 {
			all = add(all, x, y, dx[0], dy[0], apart)
			continue
		}
		for _, d := range dx {
			all = add(all, x, y, d, d, apart)
		}
	}
	return all
}

func drivers(cells []result.Cell) []string {
	var names []string
	for i := range cells {
		if !slices.Contains(names, cells[i].Driver) {
			names = append(names, cells[i].Driver)
		}
	}
	return names
}

// add adds the comparison of driver a in one series with driver b in another, if they have a size in common.
func add(all []Table, one, other []result.Cell, a, b string, ratio func(x, y *result.Cell) result.Estimate) []Table {
	t := Table{A: a, B: b}
	for i := range one {
		x := &one[i]
		j := slices.IndexFunc(other, func(y result.Cell) bool { return y.Driver == b && y.Size == x.Size })
		if x.Driver == a && j >= 0 {
			t.Conditions = x.Conditions
			y := &other[j]
			t.Rows = append(t.Rows, Row{x.Size, x.NS, y.NS, ratio(x, y), min(len(x.Samples), len(y.Samples)),
				max(x.Wanted, y.Wanted)})
		}
	}
	if t.Rows == nil {
		return all
	}
	slices.SortStableFunc(t.Rows, func(x, y Row) int { return x.Size - y.Size })
	t.Crossings = crossings(t.Rows)
	return append(all, t)
}

// apart estimates how many times as long y took as x, of samples that have nothing to do with each other: the median of
// the ratios of each to each, and the interval that belongs to the test of Mann and Whitney (L. E. Moses, 1953; M.
// Hollander and D. A. Wolfe, "Nonparametric statistical methods", chapter 4): from the k-th least ratio to the k-th
// greatest, where k comes from the normal approximation of their statistic with the correction for continuity, which is
// exact or one too small from 6 samples up.
func apart(x, y *result.Cell) result.Estimate {
	var ratios []float64
	for _, b := range y.Samples {
		for _, a := range x.Samples {
			ratios = append(ratios, b.NS/a.NS)
		}
	}
	slices.Sort(ratios)
	n, m := float64(len(x.Samples)), float64(len(y.Samples))
	wider := math.Hypot(result.Inflation(x.NSValues()), result.Inflation(y.NSValues())) / math.Sqrt2
	k := max(0, int(n*m/2-0.5-wider*result.Z*math.Sqrt(n*m*(n+m+1)/12)))
	last := len(ratios) - 1
	return result.Estimate{Median: (ratios[last/2] + ratios[(last+1)/2]) / 2, Low: ratios[k], High: ratios[last-k]}
}
