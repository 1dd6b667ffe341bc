package registry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// List describes every driver, in groups of one algorithm, best first. Registered algorithms come in the order of
// their first drivers; then the compositions of every template over every registered driver that fits. With names
// (of algorithms, drivers, compositions, or aliases) it describes only what they mean; unknown ones mean nothing. It
// runs no self-test.
func (r *Registry) List(names ...string) []Info {
	r.begin()
	s := r.current.Load()
	list, _ := r.selection(s, names)
	infos := make([]Info, len(list))
	for i, c := range list {
		infos[i] = r.info(s, c)
	}
	return infos
}

// Aliases returns the other names of algorithms, drivers and compositions: alias -> the name that it stands for.
func (r *Registry) Aliases() map[string]string {
	r.begin()
	return maps.Clone(r.options.Aliases)
}

// catalog lists every registered driver and every composition over one.
func (r *Registry) catalog(s *snapshot) []ranked {
	var order []string
	groups := map[string][]ranked{}
	add := func(f *family) {
		for _, c := range f.list {
			if groups[c.Algorithm] == nil {
				order = append(order, c.Algorithm)
			}
			groups[c.Algorithm] = append(groups[c.Algorithm], c)
		}
	}
	for _, f := range s.families {
		add(f)
	}
	for _, t := range r.templates {
		for _, f := range s.families {
			if over, err := r.over(t, f); err == nil {
				add(over)
			}
		}
	}
	var all []ranked
	for _, algorithm := range order {
		all = append(all, groups[algorithm]...)
	}
	return all
}

// selection lists what names mean, in the catalog's order, or the whole catalog if there are none. The error joins
// those of unknown names.
func (r *Registry) selection(s *snapshot, names []string) ([]ranked, error) {
	all := r.catalog(s)
	if len(names) == 0 {
		return all, nil
	}
	var errs []error
	var meant []ranked
	algorithms := map[string]bool{}
	for _, name := range names {
		f, err := r.lookup(s, name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		meant = append(meant, f.list...)
		algorithms[f.algorithm] = algorithms[f.algorithm] || !f.exact
	}
	// Compositions of compositions are not in the catalog: what a name means goes in even so.
	all = append(all, meant...)
	seen := map[*node]bool{}
	return slices.DeleteFunc(all, func(c ranked) bool {
		wanted := algorithms[c.Algorithm] || slices.ContainsFunc(meant, func(m ranked) bool { return m.node == c.node })
		again := seen[c.node]
		seen[c.node] = true
		return again || !wanted
	}), errors.Join(errs...)
}

// Test runs the self-tests that were not run yet: of every driver and composition, or of what names mean (as for
// List). It returns all failures joined, earlier and injected ones included; drivers that cannot run here are no
// failure.
//
// Errors: [ErrSelfTest]; [ErrNotFound] for an unknown name, after the others were tested; ctx's own if it ends first.
func (r *Registry) Test(ctx context.Context, names ...string) error {
	return r.testAll(ctx, false, names)
}

// Retest is Test for drivers that have a verdict, too. The verdicts it reaches replace the old ones, which hold until
// then: a driver that has passed goes on serving meanwhile, also lookups made by its own test.
func (r *Registry) Retest(ctx context.Context, names ...string) error {
	return r.testAll(ctx, true, names)
}

func (r *Registry) testAll(ctx context.Context, again bool, names []string) error {
	r.begin()
	s := r.current.Load()
	list, err := r.selection(s, names)
	errs := []error{err}
	seen := map[*verdict]bool{} // one driver's failure is that of all that is built over it
	for _, c := range list {
		v := r.gate(ctx, s, c.node, again)
		if v.err == nil || v.result == Unavailable || seen[v] {
			continue
		}
		seen[v] = true
		errs = append(errs, v.err)
		if v.result == Untested && ctx.Err() != nil {
			break // and so it would go on
		}
	}
	return errors.Join(errs...)
}

// Explanation says which driver a name gets, and why.
type Explanation struct {
	Name       string `json:"name"`
	Winner     string `json:"winner"`     // the driver's name, "" if there is none
	Why        string `json:"why"`        // one sentence
	Candidates []Info `json:"candidates"` // in the order in which they are tried
}

// Explain says which driver name would get now, and why, after running the self-tests that this takes. That no
// driver can be had is an answer too: then there is no Winner, and Why is the error that Acquire returns.
//
// Errors: those of Acquire for a name that means nothing.
func (r *Registry) Explain(name string) (Explanation, error) {
	r.begin()
	s, f, n, err := r.find(name, Want{})
	if f == nil {
		return Explanation{}, err
	}
	e := Explanation{Name: name, Candidates: make([]Info, len(f.list))}
	if n != nil {
		n.drop()
		e.Winner = n.Name
	}
	for i, c := range f.list {
		e.Candidates[i] = r.info(s, c)
	}
	if err != nil {
		e.Why = err.Error()
	} else {
		e.Why = account(f, &e)
	}
	if to := r.canonical(name); to != name && s.names[name] == nil {
		e.Why = fmt.Sprintf("%s is an alias of %s; %s", name, to, e.Why)
	}
	return e, nil
}

// account puts into words why the winner of e won.
func account(f *family, e *Explanation) string {
	if f.exact {
		return fmt.Sprintf("%s is asked for by its own name, so priorities do not matter", e.Winner)
	}
	at := f.index(e.Winner)
	priority := e.Candidates[at].Priority
	why := fmt.Sprintf("%s is preferred for %s by configuration", e.Winner, f.algorithm)
	if e.Winner != f.prefer {
		why = fmt.Sprintf(
			"%s has the highest priority (%d) of the drivers of %s that can run here and passed their self-test",
			e.Winner, priority, f.algorithm)
		if next := at + 1; next < len(f.list) && f.list[next].priority == priority {
			why += fmt.Sprintf("; %s has the same and was registered earlier", f.list[next].Name)
		}
	}
	var skipped []string
	for _, c := range e.Candidates[:at] {
		name := c.Driver
		if name == f.prefer {
			name += ", which is preferred by configuration"
		}
		skipped = append(skipped, remark(name, c.SelfTest, c.Reason))
	}
	if f.prefer != "" && f.index(f.prefer) < 0 {
		skipped = append(skipped, f.prefer+" (preferred, but not one of its drivers)")
	}
	if skipped != nil {
		why += "; passed over: " + strings.Join(skipped, ", ")
	}
	return why + others(e, at)
}

// others says which drivers serve callers who ask for sizes that the winner, the one at index at, does not take.
func others(e *Explanation, at int) (text string) {
	winner := &e.Candidates[at]
	tags, nonces := winner.AuthSizes, winner.AnyNonce
	for _, c := range e.Candidates[at+1:] {
		if c.SelfTest == Unavailable || c.SelfTest == Failed {
			continue
		}
		var more []string
		if c.AnyNonce && !nonces {
			more, nonces = append(more, fmt.Sprintf("nonces that are not of %d bytes", winner.IVSize)), true
		}
		for _, n := range c.AuthSizes {
			if !slices.Contains(tags, n) {
				more, tags = append(more, fmt.Sprintf("tags of %d bytes", n)), append(slices.Clip(tags), n)
			}
		}
		if more != nil {
			text += fmt.Sprintf("; %s serves %s", c.Driver, strings.Join(more, ", "))
		}
	}
	return text
}
