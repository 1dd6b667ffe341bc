package main

import (
	"fmt"
	"math"
	"slices"
)

// A tally counts in how many cases two runs agree. A case is one size, with one key, in both.
type tally struct {
	cases   int
	overlap int       // the intervals meet
	within  int       // the ratios differ by no more than both intervals together: half widths a and b give sqrt(a² + b²)
	against int       // one says for certain that A is faster, the other that B is
	widths  []float64 // half widths of the intervals, as shares of the ratios
	apart   []float64 // distances between the ratios, as shares
}

const heading = "comparison                                  cases  overlap  within  contrary  half width  apart"

func (t *tally) add(one, two []row) error {
	if len(one) != len(two) || len(one) == 0 {
		return fmt.Errorf("two runs of one comparison have %d and %d rows", len(one), len(two))
	}
	for i, x := range one {
		y := two[i]
		a, b := x.Ratio, y.Ratio
		t.cases++
		if a.Low <= b.High && b.Low <= a.High {
			t.overlap++
		}
		// What counts is the side that faces the other run.
		if a.Median > b.Median {
			a, b = b, a
		}
		if b.Median-a.Median <= math.Hypot(a.High-a.Median, b.Median-b.Low) {
			t.within++
		}
		if x.Faster != "" && y.Faster != "" && x.Faster != y.Faster {
			t.against++
		}
		t.widths = append(t.widths, (a.High-a.Low)/2/a.Median, (b.High-b.Low)/2/b.Median)
		t.apart = append(t.apart, b.Median/a.Median-1)
	}
	return nil
}

func (t *tally) join(other *tally) {
	t.cases += other.cases
	t.overlap += other.overlap
	t.within += other.within
	t.against += other.against
	t.widths = append(t.widths, other.widths...)
	t.apart = append(t.apart, other.apart...)
}

func (t *tally) share(n int) float64 { return float64(n) / float64(t.cases) }

// line is a row under heading. Half width and apart are medians.
func (t *tally) line(name string) string {
	middle := func(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }
	return fmt.Sprintf("%-42s  %5d  %6.1f%%  %5.1f%%  %8d  %9.1f%%  %4.1f%%", name, t.cases, 100*t.share(t.overlap),
		100*t.share(t.within), t.against, 100*middle(t.widths), 100*middle(t.apart))
}
