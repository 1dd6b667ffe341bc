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

	Samples int `json:"samples"`                  // that this is of
	Wanted  int `json:"samples_wanted,omitempty"` // how many there would be; 0 if these are all
}

// A Rank is the place of one driver.
type Rank struct {
	Driver   string `json:"driver"`
	Priority int    `json:"priority"` // the present one
	// Behind is how many times as long as the first of the ranking it takes: the geometric mean over all that was
	// measured.
	Behind result.Estimate `json:"behind"`
	// BySize is how many times as long as the fastest driver at each size it takes: the geometric mean over the rest.
	BySize []result.Estimate `json:"by_size"`

	logs [][]float64 // for each size and sample, the mean of the logarithms of its times in all series
	all  []float64   // for each sample, the mean over the sizes
}

// An Inversion is a pair of drivers whose priorities have the slower one before the faster one.
type Inversion struct {
	Faster string          `json:"faster"`
	Slower string          `json:"slower"`
	By     result.Estimate `json:"by"` // how many times as long the slower one takes
}

// RankOf ranks the drivers in cells, which are of one algorithm, one thread count and one direction: each driver is in
// every series and size. Pairs that the samples do not distinguish for certain keep the order of their priorities. What
// was interrupted has fewer samples: it counts if there are enough of them for a confidence interval, or if nothing
// has.
func RankOf(h *result.Header, cells []result.Cell) Ranking {
	r := Ranking{Wrong: []Inversion{}}
	if slices.ContainsFunc(cells, known) {
		cells = slices.DeleteFunc(slices.Clone(cells), func(c result.Cell) bool { return !known(c) })
	}
	r.Samples = len(cells[0].Samples)
	for i := range cells {
		r.Samples, r.Wanted = min(r.Samples, len(cells[i].Samples)), max(r.Wanted, cells[i].Wanted)
		if !slices.Contains(r.Sizes, cells[i].Size) {
			r.Sizes = append(r.Sizes, cells[i].Size)
		}
	}
	for _, d := range drivers(cells) {
		r.Ranks = append(r.Ranks, r.rank(h, cells, d))
	}
	slices.SortStableFunc(r.Ranks, func(a, b Rank) int { return cmp.Compare(middle(a.all), middle(b.all)) })
	r.keepOrder()
	for i := range r.Ranks {
		x := &r.Ranks[i]
		x.Behind = behind(x.all, r.Ranks[0].all)
		for j := range r.Sizes {
			fastest := slices.MinFunc(r.Ranks, func(a, b Rank) int { return cmp.Compare(middle(a.logs[j]), middle(b.logs[j])) })
			x.BySize = append(x.BySize, behind(x.logs[j], fastest.logs[j]))
		}
		for j := range r.Ranks[:i] {
			y := &r.Ranks[j]
			if by := behind(x.all, y.all); x.Priority > y.Priority && r.Certain(by) {
				r.Wrong = append(r.Wrong, Inversion{y.Driver, x.Driver, by})
			}
		}
	}
	return r
}

func known(c result.Cell) bool { return c.Known() }

// Certain says whether a ratio is more than 1 for certain.
func (r *Ranking) Certain(ratio result.Estimate) bool {
	return r.Samples >= result.MinSamples && ratio.Low > 1
}

// rank gathers what the samples of cells say about a driver.
func (r *Ranking) rank(h *result.Header, cells []result.Cell, driver string) Rank {
	x := Rank{Driver: driver, all: make([]float64, r.Samples)}
	for _, size := range r.Sizes {
		logs, n := make([]float64, r.Samples), 0.0
		for i := range cells {
			c := &cells[i]
			if c.Driver != driver || c.Size != size {
				continue
			}
			x.Priority, _ = h.Priority(c)
			n++
			for j := range logs {
				logs[j] += math.Log(c.Samples[j].NS)
			}
		}
		for j := range logs {
			logs[j] /= n
			x.all[j] += logs[j] / float64(len(r.Sizes))
		}
		x.logs = append(x.logs, logs)
	}
	return x
}

func middle(logs []float64) float64 { return result.Median(logs).Median }

// behind estimates how many times as long as something else something takes, of the logarithms of their times, sample
// by sample.
func behind(x, y []float64) result.Estimate {
	ratios := make([]float64, len(x))
	for i := range ratios {
		ratios[i] = math.Exp(x[i] - y[i])
	}
	return result.Median(ratios)
}

// keepOrder puts neighbours into the order of their priorities again where the samples do not say for certain that it
// is the other way round.
func (r *Ranking) keepOrder() {
	for again := true; again; {
		again = false
		for i := range len(r.Ranks) - 1 {
			x, y := &r.Ranks[i], &r.Ranks[i+1]
			if y.Priority > x.Priority && !r.Certain(behind(y.all, x.all)) {
				*x, *y = *y, *x
				again = true
			}
		}
	}
}

// Priorities returns the priorities that give the order of r, for drivers that need another one than they have: those
// of today, dealt out anew.
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
