package registry

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// SelfTest says how a driver stands with its self-test.
type SelfTest string

// The values of SelfTest. Only a driver that passed serves anybody.
const (
	Untested    SelfTest = "untested"
	Pending     SelfTest = "pending" // its first self-test runs now
	Passed      SelfTest = "passed"
	Failed      SelfTest = "failed"
	Unavailable SelfTest = "unavailable" // it cannot run here
)

// A verdict is what the gate says about a driver. Passed, Failed and Unavailable ones are kept in the node. An
// Untested one only answers the lookup at hand: there is no verdict, and err says why.
type verdict struct {
	result SelfTest
	reason string
	err    error // what a lookup by the driver's name returns; nil if it passed
}

// gone is the answer for a driver that was unregistered after the lookup began.
var gone = &verdict{result: Untested}

var (
	errInjected = errors.New("failure injected by FailSelfTest")
	errEnded    = errors.New("the self-test ended its goroutine")
)

func failure(driver string, cause error) *verdict {
	return &verdict{Failed, cause.Error(), errorf(ErrSelfTest, "%s: %w", driver, cause)}
}

func interrupted(ctx context.Context, n *node) *verdict {
	err := fmt.Errorf("registry: the self-test of %s was interrupted: %w", n.Name, context.Cause(ctx))
	return &verdict{Untested, "", err}
}

// gate says whether a driver may serve, testing it if need be; again tests even what has a verdict.
func (r *Registry) gate(ctx context.Context, s *snapshot, n *node, again bool) *verdict {
	if n.inner != nil {
		if v := r.gate(ctx, s, n.inner, false); v.result != Passed {
			return v
		}
	}
	if len(s.failing) > 0 {
		if in := s.failing[n.Name]; in != nil && n.out() == "" {
			if !in.logged.Swap(true) {
				r.logFailure(n, in.verdict)
			}
			return in.verdict
		}
	}
	v := n.verdict.Load()
	if v != nil && !again {
		return v
	}
	return r.settle(ctx, n, v)
}

// settle gets a verdict on n that is another than old: one that needs no test, one that another goroutine reaches in
// time, or that of a test run here.
func (r *Registry) settle(ctx context.Context, n *node, old *verdict) *verdict {
	if why := n.out(); why != "" {
		err := errorf(ErrUnavailable, "%s: %s; asking for %q gets the best driver that works here", n.Name, why, n.Algorithm)
		n.verdict.CompareAndSwap(nil, &verdict{Unavailable, why, err})
		return n.verdict.Load()
	}
	if r.options.SelfTest == nil {
		n.verdict.CompareAndSwap(nil, &verdict{result: Passed})
		return n.verdict.Load()
	}
	var late <-chan time.Time
	for {
		v, over := n.enter(old)
		if v != nil {
			return v
		}
		if over == nil {
			return r.test(ctx, n)
		}
		if late == nil {
			late = time.After(r.options.SelfTestWait)
		}
		select {
		case <-over:
		case <-ctx.Done():
			return interrupted(ctx, n)
		case <-late:
			return r.overdue(n)
		}
	}
}

// enter begins a test of n, or returns what says that the one that runs is over, unless there is another verdict than
// old by now.
func (n *node) enter(old *verdict) (v *verdict, over <-chan struct{}) {
	n.testing.Lock()
	defer n.testing.Unlock()
	if v := n.verdict.Load(); v != old {
		return v, nil
	}
	if n.over != nil {
		return nil, n.over
	}
	n.over = make(chan struct{})
	return nil, nil
}

// leave ends the test of n. What is no verdict leaves the driver as it was.
func (n *node) leave(v *verdict) {
	n.testing.Lock()
	defer n.testing.Unlock()
	if v.result != Untested {
		n.verdict.Store(v)
	}
	close(n.over)
	n.over = nil
}

// underTest reports whether a test of n runs.
func (n *node) underTest() bool {
	n.testing.Lock()
	defer n.testing.Unlock()
	return n.over != nil
}

// overdue is the answer to a lookup that has waited long enough for a test of n: it may be this very test that waits
// for the lookup.
func (r *Registry) overdue(n *node) *verdict {
	wait := r.options.SelfTestWait
	r.log.Load().Warn().Str("algorithm", n.Algorithm).Str("driver", n.Name).Dur("waited", wait).
		Msg("registry: a self-test takes long, a lookup goes on without the driver")
	err := errorf(ErrSelfTest, "%s is still under test after %v: wait for the test's end, or ask for another driver",
		n.Name, wait)
	return &verdict{Untested, "", err}
}

// test runs the self-test of n, which the caller has entered.
func (r *Registry) test(ctx context.Context, n *node) *verdict {
	v := gone
	// Deferred, so that those who wait wake up whatever becomes of the test, runtime.Goexit included.
	defer func() { n.leave(v) }()
	if !n.hold() {
		return v
	}
	defer n.drop()
	if ctx.Err() != nil {
		v = interrupted(ctx, n)
		return v
	}
	defer func() {
		if v.result == Failed {
			r.logFailure(n, v)
		}
	}()
	v = failure(n.Name, errEnded)
	err := guarded(func() error { return r.options.SelfTest(ctx, &n.Driver) })
	switch {
	case err == nil:
		v = &verdict{result: Passed}
	case errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)): // they are nil while ctx lives
		v = interrupted(ctx, n)
	default:
		v = failure(n.Name, err)
	}
	return v
}

var errPanic = errors.New("panic")

// guarded turns a panic into an error, errPanic.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return f()
}

func (r *Registry) logFailure(n *node, v *verdict) {
	r.log.Load().Warn().Str("algorithm", n.Algorithm).Str("driver", n.Name).Str("reason", v.reason).
		Msgf("alg: self-tests for %s using %s failed", n.Algorithm, n.Name)
}
