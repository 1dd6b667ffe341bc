// Package measure times drivers of kcrypto, and Go's own code beside them: whole messages through the public API, in
// turns, after a look at what each of them computes.
package measure

import (
	"context"
	"slices"
	"time"
)

// An Op does the thing to be timed n times.
type Op func(n int)

// A meter times several ops side by side. They take turns, a short window each, many times over: what disturbs the
// machine for longer than a window (clock changes, other work) then disturbs all of them alike.
type meter struct {
	now    func() time.Duration // a monotonic clock
	window time.Duration        // how long an op runs before it is the next one's turn
	budget time.Duration        // how long each op runs in a block of rounds
	settle bool                 // a window that is not timed comes before each one
}

const (
	shortWindow = 50 * time.Microsecond // long beside a look at the clock, short beside what disturbs
	longWindow  = time.Millisecond      // long beside what it takes to wake threads, or to change the core's clock

	minRounds    = 3    // of a block, even if one takes longer than its budget
	maxRounds    = 1000 // of a block: with more time the windows get longer
	enoughRounds = 25   // of a block that takes patience times its budget
	patience     = 4
	fitLooks     = 3
)

// newMeter measures with the machine's clock, each op for budget a block, in windows of at least the length given.
func newMeter(budget, window time.Duration) meter {
	start := time.Now()
	return meter{
		now:    func() time.Duration { return time.Since(start) },
		window: max(min(shortWindow, budget/minRounds), budget/maxRounds, window),
		budget: budget,
	}
}

// A timed thing runs n times, or so, when it is called, and says how often it did and how many ns each time took.
type timed func(n int) (ns float64, runs int)

// alone times op on this thread.
func (m meter) alone(op Op) timed {
	return func(n int) (float64, int) {
		if m.settle {
			op(n)
		}
		begin := m.now()
		op(n)
		return float64(m.now()-begin) / float64(n), n
	}
}

// rounds is what came of one thing in a block.
type rounds struct {
	ns   []float64 // in each round
	runs int       // in all
}

// block lets things take turns in rounds, and another one begin each time; each runs as often as fits found.
// There are as many rounds as take up the budget on an idle machine, even if they take longer here: to stop by the
// clock would leave a median of few rounds, most of them disturbed, just when there are disturbances. A tenth before
// them is warm-up and not in the result. When ctx ends it returns what it has after the current round.
func (m meter) block(ctx context.Context, things []timed, fits []fit) []rounds {
	once := time.Duration(0)
	for _, f := range fits {
		once += f.took
	}
	total := m.budget * time.Duration(len(things))
	n := max(minRounds, int(total/once))
	all := make([]rounds, len(things))
	begin := m.now()
	for r := -max(1, n/10); r < n && ctx.Err() == nil; r++ {
		for i := range things {
			i = (i + max(r, 0)) % len(things)
			if ns, runs := things[i](fits[i].count); r >= 0 {
				all[i].ns = append(all[i].ns, ns)
				all[i].runs += runs
			}
		}
		if r >= enoughRounds && m.now()-begin > patience*total {
			break
		}
	}
	return all
}

// A fit is how many runs of an op fill a window, and how long they take.
type fit struct {
	count int
	took  time.Duration
}

// fits returns the fit of each op: of several looks, since some may be disturbed, the shortest. When ctx ends it looks
// no more, and nothing is to be measured with what it returns.
func (m meter) fits(ctx context.Context, ops []Op) []fit {
	all := make([]fit, len(ops))
	for i, run := range ops {
		best := float64(m.window)
		for look := range fitLooks {
			if ctx.Err() != nil {
				break
			}
			n, took := m.look(run)
			if each := float64(took) / float64(n); look == 0 || each < best {
				best = each
			}
		}
		count := max(1, int(float64(m.window)/best))
		all[i] = fit{count, time.Duration(best * float64(count))}
	}
	return all
}

// look runs an op more and more often, until that takes a quarter of a window.
func (m meter) look(run Op) (n int, took time.Duration) {
	for n = 1; ; n *= 2 {
		begin := m.now()
		run(n)
		if took = m.now() - begin; took >= m.window/4 {
			return n, took
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
