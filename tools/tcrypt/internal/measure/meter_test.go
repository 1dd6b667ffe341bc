package measure

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"
)

// fakeClock advances only by what the ops that it makes say that they take.
type fakeClock struct{ now time.Duration }

func (c *fakeClock) op(each time.Duration, note func(n int)) Op {
	return func(n int) {
		c.now += time.Duration(n) * each
		note(n)
	}
}

func (c *fakeClock) meter(window, budget time.Duration) meter {
	return meter{now: func() time.Duration { return c.now }, window: window, budget: budget}
}

func takeBlock(ctx context.Context, m meter, ops []Op) [][]float64 {
	var things []timed
	for _, op := range ops {
		things = append(things, m.alone(op))
	}
	var ns [][]float64
	for _, r := range m.block(ctx, things, m.fits(context.Background(), ops)) {
		ns = append(ns, r.ns)
	}
	return ns
}

func TestInterleave(t *testing.T) {
	const window, budget = 50 * time.Microsecond, 2 * time.Millisecond
	for _, c := range []struct {
		name       string
		each       []time.Duration
		wantRounds func(n int) bool
	}{
		{"one", []time.Duration{100}, func(n int) bool { return n == 40 }},
		{"alike", []time.Duration{100, 100, 100}, func(n int) bool { return n == 40 }},
		{"unlike", []time.Duration{10, 5000}, func(n int) bool { return n == 40 }},
		{"longer than a window", []time.Duration{200 * time.Microsecond, 10}, func(n int) bool { return n == 16 }},
		{"longer than the budget", []time.Duration{10 * time.Millisecond, 10}, func(n int) bool { return n == minRounds }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var clock fakeClock
			var turns []int
			var ops []Op
			for i, each := range c.each {
				ops = append(ops, clock.op(each, func(n int) {
					turns = append(turns, i)
					if took := time.Duration(n) * each; n > 1 && took > window {
						t.Errorf("op %d ran for %v, a window is %v", i, took, window)
					}
				}))
			}
			samples := takeBlock(t.Context(), clock.meter(window, budget), ops)
			for i, each := range c.each {
				if !c.wantRounds(len(samples[i])) {
					t.Errorf("op %d: %d rounds", i, len(samples[i]))
				}
				for _, ns := range samples[i] {
					if ns != float64(each) {
						t.Fatalf("op %d: %v ns measured, takes %d", i, ns, each)
					}
				}
			}
			last := turns[len(turns)-len(ops)*minRounds:]
			for i, turn := range last { // each round begins with the next one
				if want := (last[0] + i%len(ops) + i/len(ops)) % len(ops); turn != want {
					t.Fatalf("ops do not take turns: %v", last)
				}
			}
		})
	}
}

// A clock that changes its pace in the middle must not favour either op.
func TestInterleaveDrift(t *testing.T) {
	var clock fakeClock
	slow := time.Duration(1)
	runs := 0
	drifting := func(each time.Duration) Op {
		return func(n int) {
			if runs++; runs == 60 {
				slow = 3
			}
			clock.now += time.Duration(n) * each * slow
		}
	}
	samples := takeBlock(t.Context(), clock.meter(50*time.Microsecond, 5*time.Millisecond),
		[]Op{drifting(200), drifting(100)})
	for i := range samples[0] {
		if r := samples[0][i] / samples[1][i]; r != 2 && r != 2.0*3 && r != 2.0/3 { // the round in which it changed
			t.Errorf("round %d: ratio %v, want 2", i, r)
		}
	}
}

// When rounds take much longer than they should, there are enough of them all the same, but not all that were planned.
func TestInterleaveDisturbed(t *testing.T) {
	var clock fakeClock
	slow, runs := time.Duration(1), 0
	op := func(n int) {
		if runs++; runs > 50 {
			slow = 100
		}
		clock.now += time.Duration(n) * 100 * slow
	}
	samples := takeBlock(t.Context(), clock.meter(50*time.Microsecond, 5*time.Millisecond), []Op{op})
	if n := len(samples[0]); n != enoughRounds+1 {
		t.Errorf("%d rounds, want %d", n, enoughRounds+1)
	}
}

// An op that slows the clock for others, as 512-bit instructions do, for most of a window: it is over when they are
// timed.
func TestSettle(t *testing.T) {
	for _, settle := range []bool{false, true} {
		var clock fakeClock
		slowUntil := time.Duration(0)
		wide := func(n int) {
			clock.now += time.Duration(n) * 1000
			slowUntil = clock.now + 700*time.Microsecond
		}
		narrow := func(n int) {
			for range n {
				if clock.now += 1000; clock.now < slowUntil {
					clock.now += 1000
				}
			}
		}
		m := clock.meter(longWindow, 20*time.Millisecond)
		m.settle = settle
		samples := takeBlock(t.Context(), m, []Op{wide, narrow})
		if ns, _ := median(samples[1]); (ns == 1000) != settle {
			t.Errorf("settle %v: %v ns, 1000 without the other op", settle, ns)
		}
	}
}

// A look that is disturbed, even the first, must not make windows of single runs: the clock would be most of what they
// show.
func TestFitsDisturbed(t *testing.T) {
	for disturbed := range 40 {
		var clock fakeClock
		runs := 0
		op := func(n int) {
			if runs++; runs == disturbed {
				clock.now += time.Millisecond
			}
			clock.now += time.Duration(n) * 50
		}
		m := clock.meter(50*time.Microsecond, 5*time.Millisecond)
		if f := m.fits(t.Context(), []Op{op})[0]; f.count != 1000 || f.took != m.window {
			t.Errorf("disturbed at run %d: %+v", disturbed, f)
		}
	}
}

func TestInterleaveCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var clock fakeClock
	runs := 0
	ops := []Op{
		clock.op(1000, func(int) {
			if runs++; runs == 30 {
				cancel()
			}
		}),
		clock.op(1000, func(int) {}),
	}
	samples := takeBlock(ctx, clock.meter(50*time.Microsecond, time.Hour/1000), ops)
	if n := len(samples[0]); n >= 30 || n != len(samples[1]) {
		t.Errorf("%d and %d samples after an end at the 30th run", n, len(samples[1]))
	}
	for _, s := range takeBlock(ctx, clock.meter(50*time.Microsecond, time.Second), ops) {
		if len(s) > 0 {
			t.Errorf("%d samples after an end before the start", len(s))
		}
	}
}

// After an end nothing is looked at any more.
func TestFitsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var clock fakeClock
	runs := 0
	op := func(n int) {
		runs++
		clock.now += time.Duration(n) * time.Second
		cancel()
	}
	m := clock.meter(50*time.Microsecond, 5*time.Millisecond)
	if fits := m.fits(ctx, []Op{op, op}); runs != 1 || len(fits) != 2 || fits[1].count != 1 {
		t.Errorf("%d runs, %+v", runs, fits)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		samples        []float64
		middle, spread float64
	}{
		{[]float64{7}, 7, 0},
		{[]float64{5, 1, 4, 2, 3}, 3, 1.0 / 3},
		{[]float64{4, 1, 3, 2}, 2.5, 0.3},
		{[]float64{10, 10, 10, 1000}, 10, 12.375},
	} {
		before := slices.Clone(c.samples)
		middle, spread := median(c.samples)
		if middle != c.middle || math.Abs(spread-c.spread) > 1e-12 {
			t.Errorf("median(%v) = %v ± %v, want %v ± %v", before, middle, spread, c.middle, c.spread)
		}
		if !slices.Equal(before, c.samples) {
			t.Errorf("median changed its argument %v to %v", before, c.samples)
		}
	}
}

// Each link of the chain must be the 16 multiplications that chainCycles counts.
func TestChain(t *testing.T) {
	c := newChain()
	want := c.value
	for range 16 * 5 {
		want *= c.factor
	}
	if c.run(5); c.value != want {
		t.Errorf("5 links give %#x, 80 multiplications %#x", c.value, want)
	}
}

func TestCoreClock(t *testing.T) {
	if !CyclesKnown {
		t.Skip("NOT RUN: the length of a multiplication is known on amd64 only")
	}
	m := newMeter(20*time.Millisecond, 0)
	link, _ := median(takeBlock(t.Context(), m, []Op{newChain().run})[0])
	if ghz := chainCycles / link; ghz < 0.3 || ghz > 10 {
		t.Errorf("the core runs at %.2f GHz, which no core does", ghz)
	}
}
