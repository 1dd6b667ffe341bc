package compare

import (
	"cmp"
	"math"
	"slices"

	"kcrypto/tools/tcrypt/internal/result"
)

// A Ranking is the order of an algorithm's drivers that measurements support.
type Ranking struct {
	Sizes []int       `json:"sizes"` // bytes
	Ranks []Rank      `json:"ranks"` // best first
	Wrong []Inversion `json:"wrong"` // where the priorities say otherwise, for certain
}

// A Rank is the place of one driver.
type Rank struct {
	Driver   string `json:"driver"`
	Priority int    `json:"priority"` // the present one
	// Behind is how many times as long as the first of the ranking it takes: the geometric mean over all that was measured.
	Behind result.Estimate `json:"behind"`
	// BySize is how many times as long it takes as the fastest driver at each size: the geometric mean over the rest.
	BySize []float64 `json:"by_size"`

	logs  []float64 // for each sample, the mean of the logarithms of its times in all cells
	sizes []float64 // for each size, the mean of the logarithms of its medians
}

// An Inversion is a pair of drivers whose priorities have the slower one before the faster one.
type Inversion struct {
	Faster string          `json:"faster"`
	Slower string          `json:"slower"`
	By     result.Estimate `json:"by"` // how many times as long the slower one takes
}

// RankOf ranks the drivers in cells, which are of one algorithm, one thread count and one direction: each driver is in
// every series and size. Pairs that the samples do not tell apart for certain keep the order of their priorities.
func RankOf(h *result.Header, cells []result.Cell) Ranking {
	r := Ranking{Wrong: []Inversion{}}
	for i := range cells {
		if !slices.Contains(r.Sizes, cells[i].Size) {
			r.Sizes = append(r.Sizes, cells[i].Size)
		}
	}
	for _, d := range drivers(cells) {
		r.Ranks = append(r.Ranks, r.rank(h, cells, d))
	}
	slices.SortStableFunc(r.Ranks, func(a, b Rank) int { return cmp.Compare(total(a.logs), total(b.logs)) })
	r.keepOrder()
	for i := range r.Ranks {
		x := &r.Ranks[i]
		x.Behind = behind(x, &r.Ranks[0])
		for j := range r.Sizes {
			best := math.Inf(1)
			for k := range r.Ranks {
				best = min(best, r.Ranks[k].sizes[j])
			}
			x.BySize = append(x.BySize, math.Exp(x.sizes[j]-best))
		}
		for j := range r.Ranks[:i] {
			y := &r.Ranks[j]
			if by := behind(x, y); x.Priority > y.Priority && by.Low > 1 {
				r.Wrong = append(r.Wrong, Inversion{y.Driver, x.Driver, by})
			}
		}
	}
	return r
}

// rank gathers what cells say about a driver.
func (r *Ranking) rank(h *result.Header, cells []result.Cell, driver string) Rank {
	x := Rank{Driver: driver, sizes: make([]float64, len(r.Sizes))}
	n := 0
	seen := make([]float64, len(r.Sizes))
	for i := range cells {
		c := &cells[i]
		if c.Driver != driver {
			continue
		}
		x.Priority, _ = h.Priority(c)
		if x.logs == nil {
			x.logs = make([]float64, len(c.Samples))
		}
		x.logs = x.logs[:min(len(x.logs), len(c.Samples))] // a measurement that was interrupted has fewer
		for j := range x.logs {
			x.logs[j] += math.Log(c.Samples[j].NS)
		}
		n++
		j := slices.Index(r.Sizes, c.Size)
		x.sizes[j] += math.Log(c.NS)
		seen[j]++
	}
	for j := range x.logs {
		x.logs[j] /= float64(n)
	}
	for j := range x.sizes {
		x.sizes[j] /= seen[j]
	}
	return x
}

func total(logs []float64) float64 {
	sum := 0.0
	for _, x := range logs {
		sum += x
	}
	return sum / float64(len(logs))
}

// behind estimates how many times as long as y x takes, sample by sample.
func behind(x, y *Rank) result.Estimate {
	ratios := make([]float64, min(len(x.logs), len(y.logs)))
	for i := range ratios {
		ratios[i] = math.Exp(x.logs[i] - y.logs[i])
	}
	return result.Median(ratios)
}

// keepOrder puts neighbours into the order of their priorities again where the samples do not say for certain that it is
// the other way round.
func (r *Ranking) keepOrder() {
	for again := true; again; {
		again = false
		for i := range len(r.Ranks) - 1 {
			x, y := &r.Ranks[i], &r.Ranks[i+1]
			if y.Priority > x.Priority && behind(y, x).Low <= 1 {
				*x, *y = *y, *x
				again = true
			}
		}
	}
}

// Priorities returns the priorities that give the order of r, for drivers that need another one than they have: those of
// today, dealt out anew.
func (r *Ranking) Priorities() map[string]int {
	var all []int
	for _, x := range r.Ranks {
		all = append(all, x.Priority)
	}
	slices.SortFunc(all, func(a, b int) int { return b - a })
	anew := map[string]int{}
	for i, x := range r.Ranks {
		if x.Priority != all[i] {
			anew[x.Driver] = all[i]
		}
	}
	return anew
}
