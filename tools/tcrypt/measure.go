package main

import (
	"context"
	"slices"
	"time"
)

// A meter times several ops side by side. They take turns, a short window each, many times over: what disturbs the
// machine for longer than a window (clock changes, other work) then disturbs all of them alike.
type meter struct {
	now    func() time.Duration // a monotonic clock
	window time.Duration        // how long an op runs before it is the next one's turn
	budget time.Duration        // how long each op runs in all
}

// An op does the thing to be timed n times.
type op func(n int)

// minRounds is how many turns an op gets even if its budget is spent: a median of fewer means little.
const minRounds = 5

// newMeter measures with the machine's clock, each op for budget.
func newMeter(budget time.Duration) meter {
	start := time.Now()
	return meter{
		now:    func() time.Duration { return time.Since(start) },
		window: min(50*time.Microsecond, budget/minRounds),
		budget: budget,
	}
}

// interleave returns the time in ns of one run of each op (first index) in each round (second index). The first
// tenth of the time is warm-up and not in the result. When ctx ends it returns what it has after the current round.
func (m meter) interleave(ctx context.Context, ops []op) [][]float64 {
	counts := make([]int, len(ops))
	for i, run := range ops {
		counts[i] = m.fit(run)
	}
	samples := make([][]float64, len(ops))
	round := func(keep bool) {
		for i, run := range ops {
			begin := m.now()
			run(counts[i])
			if ns := float64(m.now()-begin) / float64(counts[i]); keep {
				samples[i] = append(samples[i], ns)
			}
		}
	}
	total := m.budget * time.Duration(len(ops))
	begin := m.now()
	for m.now()-begin < total/10 && ctx.Err() == nil {
		round(false)
	}
	begin = m.now()
	for n := 0; (n < minRounds || m.now()-begin < total) && ctx.Err() == nil; n++ {
		round(true)
	}
	return samples
}

// fit returns how many runs of an op fill a window.
func (m meter) fit(run op) int {
	for n := 1; ; n *= 2 {
		begin := m.now()
		run(n)
		if took := m.now() - begin; took >= m.window/4 {
			return max(1, int(int64(n)*int64(m.window)/int64(took)))
		}
	}
}

// median returns the middle of samples and the spread around it: half the distance between the quartiles, as a
// share of the median. There must be a sample.
func median(samples []float64) (middle, spread float64) {
	s := slices.Sorted(slices.Values(samples))
	at := func(q float64) float64 { // between two samples, in proportion
		x := q * float64(len(s)-1)
		i := int(x)
		return s[i] + (x-float64(i))*(s[min(i+1, len(s)-1)]-s[i])
	}
	middle = at(0.5)
	return middle, (at(0.75) - at(0.25)) / 2 / middle
}

// ratio returns the median of how many times longer a took than b in the same round.
func ratio(a, b []float64) float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	middle, _ := median(r)
	return middle
}
