package compare

import "math"

// A Crossing is where the faster of A and B changes.
type Crossing struct {
	Below  int    `json:"below"`  // bytes: up to this size one is faster for certain
	Above  int    `json:"above"`  // bytes: from this size on the other one is
	At     int    `json:"at"`     // bytes: where in between they are equal, by interpolation
	Faster string `json:"faster"` // from there on: "A" or "B"
}

// crossings finds where the sign of what is certain changes from one row to a later one. Rows that are not certain lie
// in between.
func crossings(rows []Row) []Crossing {
	var all []Crossing
	last := -1 // the last row that is certain
	for i := range rows {
		faster := rows[i].Faster()
		if faster == "" {
			continue
		}
		if last >= 0 && rows[last].Faster() != faster {
			all = append(all, Crossing{rows[last].Size, rows[i].Size, equal(rows[last : i+1]), faster})
		}
		last = i
	}
	return all
}

// equal is the size at which the ratio is 1, if it goes in a straight line from row to row on logarithmic axes. The
// first row's ratio and the last one's are on different sides of 1.
func equal(rows []Row) int {
	sign := math.Signbit(math.Log(rows[0].Ratio.Median))
	i := 1
	for math.Signbit(math.Log(rows[i].Ratio.Median)) == sign {
		i++
	}
	x0, x1 := math.Log(float64(rows[i-1].Size)), math.Log(float64(rows[i].Size))
	y0, y1 := math.Log(rows[i-1].Ratio.Median), math.Log(rows[i].Ratio.Median)
	return int(math.Round(math.Exp(x0 - y0*(x1-x0)/(y1-y0))))
}
