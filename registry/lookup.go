package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// A Handle is a driver found, bound for as long as it is not released.
type Handle struct {
	registry *Registry
	node     *node
	released atomic.Bool
}

// Driver returns the descriptor of the driver, nil for a zero Handle. It must not be changed.
func (h *Handle) Driver() *Driver {
	if h.node == nil {
		return nil
	}
	return &h.node.Driver
}

// Info returns what List says of the driver, nothing for a zero Handle.
func (h *Handle) Info() Info {
	if h.node == nil {
		return Info{}
	}
	s := h.registry.current.Load()
	priority := h.node.Priority
	if f := s.names[h.node.bottom().Name]; f != nil { // not there only after Release
		priority = f.list[0].priority
	}
	return h.registry.info(s, ranked{h.node, priority})
}

// Clone takes another reference on the same driver, to be released by itself. h must not be released yet.
func (h *Handle) Clone() *Handle {
	if h.node == nil {
		return new(Handle)
	}
	h.node.hold() // cannot fail: h keeps the driver from being unregistered
	return &Handle{registry: h.registry, node: h.node}
}

// Release gives the driver back. Calls after the first do nothing, and neither do those of a zero Handle.
func (h *Handle) Release() {
	if h.node != nil && !h.released.Swap(true) {
		h.node.drop()
	}
}

// Acquire finds the driver that name means (the package's doc has the rules) and that does what w asks for, after its
// self-test, and takes a reference on it.
//
// Errors: [ErrNotFound] for a name or an Impl that does not exist; [ErrType]; [ErrUnavailable] if nothing that name
// means can run here; [ErrSelfTest] if something could but failed.
func (r *Registry) Acquire(name string, w Want) (*Handle, error) {
	r.begin()
	_, f, n, err := r.find(name, w)
	if err != nil {
		return nil, err
	}
	r.log.Load().Debug().Str("name", name).Str("algorithm", f.algorithm).Str("driver", n.Name).
		Msg("registry: driver chosen")
	return &Handle{registry: r, node: n}, nil
}

var errGone = errors.New("unregistered after the lookup began")

// find returns the driver that name means, held, and what it was chosen from. On an error the family is there too,
// unless the name means nothing.
func (r *Registry) find(name string, w Want) (*snapshot, *family, *node, error) {
	s := r.current.Load()
	for {
		f, err := r.lookup(s, name)
		if err != nil {
			return s, nil, nil, err
		}
		if is := f.list[0].Type; w.Type != "" && w.Type != is {
			return s, f, nil, errorf(ErrType, "%s is of type %q, not %q", name, is, w.Type)
		}
		n, err := r.choose(s, f, w)
		if err == nil && n.hold() {
			return s, f, n, nil
		}
		if err != nil && err != errGone {
			return s, f, nil, err
		}
		// A driver of s was unregistered. Who did that had mu, and puts a snapshot without it in place before mu is free.
		r.mu.Lock()
		s = r.current.Load()
		r.mu.Unlock()
	}
}

// lookup returns what name stands for in s.
func (r *Registry) lookup(s *snapshot, name string) (*family, error) {
	if f := s.names[name]; f != nil {
		return f, nil
	}
	to := r.canonical(name)
	if to == name {
		return r.composition(s, name)
	}
	r.log.Load().Debug().Str("alias", name).Str("name", to).Msg("registry: alias used")
	f, err := s.names[to], error(nil)
	if f == nil {
		f, err = r.composition(s, to)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (%s is an alias of %s)", err, name, to)
	}
	return f, nil
}

// canonical returns the name that an alias stands for, or name itself.
func (r *Registry) canonical(name string) string {
	if to, ok := r.options.Aliases[name]; ok {
		return to
	}
	return name
}

// choose goes through a family and returns the first driver that does what w asks for and passes the gate.
func (r *Registry) choose(s *snapshot, f *family, w Want) (*node, error) {
	fits := false
	for _, c := range f.list {
		if w.Impl != "" && c.Impl != w.Impl || w.lack(&c.Driver) != "" {
			continue
		}
		fits = true
		v := r.gate(context.Background(), s, c.node, false)
		switch {
		case v == gone:
			return nil, errGone
		case v.result == Passed && (f.prefer == "" || f.prefer == c.Name || w.Impl != ""):
			return c.node, nil
		case v.result == Passed:
			return c.node, r.unmet(s, f, &w)
		case f.exact:
			return nil, v.err
		case v.result == Failed && r.options.Strict:
			return nil, fmt.Errorf("%w (strict: no step down to another driver of %s)", v.err, f.algorithm)
		}
	}
	if !fits && w.sized() {
		return r.choose(s, f, Want{Impl: w.Impl})
	}
	return nil, r.none(s, f, &w)
}

// unmet deals with a preference that could not be followed: an error under strict, else one warning.
func (r *Registry) unmet(s *snapshot, f *family, w *Want) error {
	class, why := ErrNotFound, "is not one of its drivers: "+f.drivers()
	if i := f.index(f.prefer); i >= 0 {
		result, reason := r.standing(s, f.list[i].node)
		if class, why = ErrUnavailable, reason; result != Unavailable {
			why = w.lack(&f.list[i].Driver)
		}
		if why == "" {
			return nil // it failed, or its self-test takes long, and that has been reported
		}
	}
	if r.options.Strict {
		return errorf(class, "%s, preferred for %s: %s", f.prefer, f.algorithm, why)
	}
	if warn := r.log.Load().Warn(); warn.Enabled() {
		if _, told := r.warned.LoadOrStore(f.algorithm+"="+f.prefer, true); !told {
			warn.Str("algorithm", f.algorithm).Str("driver", f.prefer).Str("reason", why).
				Msg("registry: the preferred driver cannot be had, the normal choice serves")
		}
	}
	return nil
}

// none says why no driver of a family serves.
func (r *Registry) none(s *snapshot, f *family, w *Want) error {
	class := ErrUnavailable
	var reasons, impls []string
	for _, c := range f.list {
		impls = append(impls, c.Impl)
		if w.Impl != "" && c.Impl != w.Impl {
			continue
		}
		if lack := w.lack(&c.Driver); lack != "" {
			reasons = append(reasons, c.Name+" ("+lack+")")
			continue
		}
		result, reason := r.standing(s, c.node)
		if result != Unavailable {
			class = ErrSelfTest
		}
		reasons = append(reasons, remark(c.Name, result, reason))
	}
	if reasons == nil {
		slices.Sort(impls)
		return errorf(ErrNotFound, "%s has no implementation %q, it has %s",
			f.algorithm, w.Impl, strings.Join(slices.Compact(impls), ", "))
	}
	return errorf(class, "no driver of %s can be used: %s", f.algorithm, strings.Join(reasons, ", "))
}

func remark(driver string, result SelfTest, reason string) string {
	if reason == "" {
		return driver + " (" + string(result) + ")"
	}
	return driver + " (" + string(result) + ": " + reason + ")"
}

// unknown says that name means nothing, and what there is. why says what keeps it from being a composition.
func (r *Registry) unknown(s *snapshot, name string, why error) error {
	if meant := r.meant(s, name); meant != "" {
		return errorf(ErrNotFound, "nothing is called %q here; did you mean %s?", name, meant)
	}
	algorithms := make([]string, len(s.families))
	for i, f := range s.families {
		algorithms[i] = f.algorithm
	}
	if why == errPlain {
		return errorf(ErrNotFound, "nothing is called %q here; algorithms: %s", name, orNone(algorithms))
	}
	templates := make([]string, len(r.templates))
	for i, t := range r.templates {
		templates[i] = t.Name
	}
	return errorf(ErrNotFound, "nothing is called %q here (%w); algorithms: %s; templates: %s",
		name, why, orNone(algorithms), orNone(templates))
}

// meant says what somebody may have meant by name, or "".
func (r *Registry) meant(s *snapshot, name string) string {
	if r.options.Suggest == nil {
		return ""
	}
	var algorithms, drivers []string
	for _, c := range r.catalog(s) {
		algorithms, drivers = append(algorithms, c.Algorithm), append(drivers, c.Name)
	}
	return strings.Join(r.options.Suggest(name, append(slices.Compact(algorithms), drivers...)), " or ")
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
