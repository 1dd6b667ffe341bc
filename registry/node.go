package registry

import (
	"path"
	"slices"
	"sync"
	"sync/atomic"
)

// A node is a driver, registered or composed, with what its use changes.
type node struct {
	Driver
	own   bool          // this module's through and through; the objects of others are guarded
	inner *node         // what a composed driver is built over
	stem  string        // if Algorithm is written as a composition: the name innermost in it
	lacks []string      // CPU features
	out   func() string // unavailable, worked out at the first call

	verdict   atomic.Pointer[verdict] // nil: untested
	refs      atomic.Int64            // live transforms and running self-tests; dead once unregistered
	instances sync.Map                // *Template -> *instance: compositions over this driver

	testing sync.Mutex
	over    chan struct{} // closed at the end of the self-test that runs now, nil if none does; guarded by testing
}

// dead is the refs of a driver that was unregistered.
const dead = -1

// newNode copies d, so that what the caller does to his slices later changes nothing here.
func (r *Registry) newNode(d *Driver, inner *node, own bool) *node {
	n := &node{Driver: *d, own: own, inner: inner, stem: r.innermost(d.Algorithm), lacks: r.options.Lacks(d.Needs)}
	if !own {
		n.guard()
	}
	for _, sizes := range []*[]int{&n.KeySizes, &n.AuthSizes, &n.AADSizes} {
		*sizes = slices.Clone(*sizes)
	}
	n.Tunings = cloneTunings(n.Tunings)
	n.Needs, n.Vectors = slices.Clone(n.Needs), slices.Clone(n.Vectors)
	n.out = sync.OnceValue(func() string { return r.unavailable(n) })
	return n
}

// unavailable says why n itself, leaving aside what it is built over, cannot serve here; "" if it can.
func (r *Registry) unavailable(n *node) string {
	disables := func(glob string) bool { ok, _ := path.Match(glob, n.Name); return ok }
	switch {
	case slices.ContainsFunc(r.options.Disabled, disables):
		return "disabled by configuration"
	case len(n.lacks) > 0:
		return r.options.Reason(n.lacks)
	case n.Unavailable != nil:
		return n.askUnavailable()
	}
	return ""
}

// askUnavailable asks the driver. A panic makes it unavailable, and harms no other.
func (n *node) askUnavailable() (why string) {
	if err := guarded(func() error { why = n.Unavailable(); return nil }); err != nil {
		return "its Unavailable ended in a " + err.Error()
	}
	return why
}

// hold takes a reference, on the driver and on what it is built over. It fails if the driver was unregistered.
func (n *node) hold() bool {
	if n.inner != nil {
		// The registered driver at the bottom is the gate: while it is held, what is built over it lives.
		if !n.inner.hold() {
			return false
		}
		n.refs.Add(1)
		return true
	}
	for {
		refs := n.refs.Load()
		if refs == dead {
			return false
		}
		if n.refs.CompareAndSwap(refs, refs+1) {
			return true
		}
	}
}

// drop gives a reference back.
func (n *node) drop() {
	n.refs.Add(-1)
	if n.inner != nil {
		n.inner.drop()
	}
}

// kill makes hold fail from now on, unless there are references.
func (n *node) kill() bool { return n.refs.CompareAndSwap(0, dead) }

// bottom is the registered driver that n is, or is built over.
func (n *node) bottom() *node {
	for n.inner != nil {
		n = n.inner
	}
	return n
}
