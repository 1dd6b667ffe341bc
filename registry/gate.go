package registry

import (
	"context"
	"errors"
	"fmt"
)

// SelfTest is the state of a driver.
type SelfTest string

// The states. Only a driver that passed serves anybody.
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
	state  SelfTest
	reason string
	err    error // what a lookup by the driver's name returns; nil if it passed
}

// gone is the answer for a driver that was unregistered after the lookup began.
var gone = &verdict{state: Untested}

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

// A trial is how a lookup wants drivers tested.
type trial struct {
	again    bool // test even what has a verdict
	optional bool // the lookup has more drivers to turn to
}

// gate says whether a driver may serve, testing it if need be.
func (r *Registry) gate(ctx context.Context, s *snapshot, n *node, t trial) *verdict {
	if n.inner != nil {
		if v := r.gate(ctx, s, n.inner, trial{optional: t.optional}); v.state != Passed {
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
	if v != nil && !t.again {
		return v
	}
	return r.settle(ctx, n, v, t.optional)
}

// settle gets a verdict on n that is another than old: one that needs no test, one that another goroutine is about
// to reach, or that of a test run here.
func (r *Registry) settle(ctx context.Context, n *node, old *verdict, optional bool) *verdict {
	if why := n.out(); why != "" {
		err := errorf(ErrUnavailable, "%s: %s; asking for %q gets the best driver that works here", n.Name, why, n.Algorithm)
		n.verdict.CompareAndSwap(nil, &verdict{Unavailable, why, err})
		return n.verdict.Load()
	}
	if r.run == nil {
		n.verdict.CompareAndSwap(nil, &verdict{state: Passed})
		return n.verdict.Load()
	}
	for me := goroutineID(); ; {
		v, w := r.tests.enter(n, old, me, optional)
		if v != nil {
			return v
		}
		if w == nil {
			return r.test(ctx, n)
		}
		if v := r.tests.await(ctx, n, w, me); v != nil {
			return v
		}
	}
}

// test runs the self-test of n, which the caller has entered.
func (r *Registry) test(ctx context.Context, n *node) *verdict {
	v := gone
	// Deferred, so that those who wait wake up whatever becomes of the runner, runtime.Goexit included.
	defer func() { r.tests.leave(n, v) }()
	if !n.hold() {
		return v
	}
	defer n.drop()
	if ctx.Err() != nil {
		v = interrupted(ctx, n)
		return v
	}
	defer func() {
		if v.state == Failed {
			r.logFailure(n, v)
		}
	}()
	v = failure(n.Name, errEnded)
	err := guarded(func() error { return r.run(ctx, &n.Driver) })
	switch {
	case err == nil:
		v = &verdict{state: Passed}
	case errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)): // they are nil while ctx lives
		v = interrupted(ctx, n)
	default:
		v = failure(n.Name, err)
	}
	return v
}

// guarded turns a panic into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

func (r *Registry) logFailure(n *node, v *verdict) {
	r.log.Load().Warn().Str("algorithm", n.Algorithm).Str("driver", n.Name).Str("reason", v.reason).
		Msgf("alg: self-tests for %s using %s failed", n.Algorithm, n.Name)
}
