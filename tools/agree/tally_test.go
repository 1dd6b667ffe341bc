package main

import (
	"math"
	"testing"
)

func rowOf(low, median, high float64, faster string) row {
	r := row{Faster: faster}
	r.Ratio.Low, r.Ratio.Median, r.Ratio.High = low, median, high
	return r
}

func TestTally(t *testing.T) {
	var got tally
	err := got.add(
		[]row{rowOf(0.9, 1, 1.1, ""), rowOf(1.9, 2, 2.1, "A"), rowOf(1.9, 2, 2.1, "A"), rowOf(1.1, 1.2, 1.3, "A")},
		[]row{rowOf(1, 1.1, 1.2, "A"), rowOf(2.09, 2.19, 2.3, "A"), rowOf(2.2, 2.3, 2.4, "A"), rowOf(0.7, 0.8, 0.9, "B")},
	)
	if err != nil {
		t.Fatal(err)
	}
	// The first pair overlaps and is within sqrt(0.1² + 0.1²) = 0.14, the second overlaps and is 0.19 apart.
	if got.cases != 4 || got.overlap != 2 || got.within != 1 || got.against != 1 || len(got.widths) != 8 ||
		math.Abs(got.apart[3]-0.5) > 1e-9 {
		t.Errorf("%+v", got)
	}
	if got.share(got.overlap) != 0.5 {
		t.Errorf("share %v", got.share(got.overlap))
	}
	if err := got.add([]row{rowOf(1, 1, 1, "")}, nil); err == nil {
		t.Error("runs of different lengths agree")
	}
	want := "x                                               4    50.0%   25.0%         1"
	if line := got.line("x"); line[:len(want)] != want {
		t.Errorf("%q", line)
	}
}
