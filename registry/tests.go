package registry

import (
	"context"
	"sync"
)

// tests knows which goroutine runs which self-test, and which one waits for which. A self-test may look up other
// drivers, and even its own algorithm, so lookups could come to wait for themselves: at once, where a test looks up
// what it tests, or around a corner, where A's test waits for B's and B's, on another goroutine, for A's.
//
// Each test has one goroutine and each goroutine waits for one test at most. So what a new wait would hang on is a
// chain, and it deadlocks exactly if the chain leads back to the goroutine that is about to wait. It is followed
// under one lock, so the wait that would close a circle is always found out. Then some lookup in the circle that has
// other drivers to turn to goes on without the one it waits for: the new one itself, or one that is woken to look
// again. If there is none (A and B ask for each other by name) the new one is an error.
//
// Goroutines are told apart by their number in the runtime's stack trace, the one place where Go shows it. It is
// read only by those who run or await a first self-test; a test holds the format.
type tests struct {
	sync.Mutex
	waits map[uint64]*wait // by goroutine
}

// A run is a self-test that runs.
type run struct {
	by   uint64 // goroutine
	over chan struct{}
	done bool // over is closed; guarded by tests
}

// A wait is a lookup that waits for a run to be over.
type wait struct {
	on       *run
	optional bool
	skip     chan struct{} // closed to have the lookup enter again and find itself in a circle
}

// enter begins a test of n (v and w are nil), or joins those who wait for the one that runs (w), unless there is
// an answer now (v).
func (ts *tests) enter(n *node, old *verdict, me uint64, optional bool) (v *verdict, w *wait) {
	ts.Lock()
	defer ts.Unlock()
	if v := n.verdict.Load(); v != old {
		return v, nil
	}
	if n.run == nil {
		n.run = &run{by: me, over: make(chan struct{})}
		return nil, nil
	}
	yielding, circle := ts.follow(n.run, me)
	switch {
	case circle && (optional || yielding == 0):
		return stuck(n), nil
	case circle:
		close(ts.waits[yielding].skip)
		delete(ts.waits, yielding)
	}
	w = &wait{n.run, optional, make(chan struct{})}
	ts.waits[me] = w
	return nil, w
}

// follow reports whether a wait for to would in the end be a wait for me, and who on the way can do without.
func (ts *tests) follow(to *run, me uint64) (yielding uint64, circle bool) {
	for to.by != me {
		w := ts.waits[to.by]
		if w == nil || w.on.done {
			return 0, false
		}
		if w.optional {
			yielding = to.by
		}
		to = w.on
	}
	return yielding, true
}

// await returns nil when it is time to enter again, else the answer to make do with.
func (ts *tests) await(ctx context.Context, n *node, w *wait, me uint64) (v *verdict) {
	select {
	case <-w.on.over:
	case <-w.skip:
	case <-ctx.Done():
		v = interrupted(ctx, n)
	}
	ts.Lock()
	defer ts.Unlock()
	if ts.waits[me] == w {
		delete(ts.waits, me)
	}
	return v
}

// leave ends the test of n. What is no verdict leaves the driver as it was.
func (ts *tests) leave(n *node, v *verdict) {
	ts.Lock()
	defer ts.Unlock()
	if v.state != Untested {
		n.verdict.Store(v)
	}
	n.run.done = true
	close(n.run.over)
	n.run = nil
}

// running reports whether a test of n runs.
func (ts *tests) running(n *node) bool {
	ts.Lock()
	defer ts.Unlock()
	return n.run != nil
}

func stuck(n *node) *verdict {
	err := errorf(ErrSelfTest, "%s is still under test, and the test waits for this lookup: let it use another driver", n.Name)
	return &verdict{Untested, "", err}
}
