package registry

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A snapshot is what the registry holds at one time. Writers make a new one and put it in place of the old; readers
// load it once and see all of it or nothing. It holds what writers change (which drivers there are, their priorities,
// injected failures); what the use of a driver changes (verdict, reference count) is in the node.
type snapshot struct {
	families []*family             // one an algorithm, in the order of their first drivers
	names    map[string]*family    // by algorithm name and by driver name
	failing  map[string]*injection // by driver name, compositions included
	composed sync.Map              // string -> *family: compositions that were looked up, to save taking names apart
}

// ranked is a driver with its present priority.
type ranked struct {
	*node
	priority int
}

// A family is what one name stands for: never empty.
type family struct {
	algorithm string
	list      []ranked // in the order in which they are tried: the preferred one, then the best first
	exact     bool     // the name is a driver's: no other one will do
	prefer    string   // the driver that the user wants, "" if none
}

// An injection is a failure that FailSelfTest asked for.
type injection struct {
	verdict *verdict
	depth   int         // how often it was asked for; for writers only
	logged  atomic.Bool // at the first lookup that meets it
}

// publish puts a snapshot of order and failing in place. The caller has mu.
func (r *Registry) publish() {
	s := &snapshot{names: make(map[string]*family, 2*len(r.order)), failing: maps.Clone(r.failing)}
	for _, c := range r.order {
		f := s.names[c.Algorithm]
		if f == nil {
			f = &family{algorithm: c.Algorithm}
			s.names[c.Algorithm] = f
			s.families = append(s.families, f)
		}
		f.list = append(f.list, c)
	}
	for _, f := range s.families {
		slices.Reverse(f.list) // so that of equals the last registered stays first
		slices.SortStableFunc(f.list, func(a, b ranked) int { return cmp.Compare(b.priority, a.priority) })
		f.setPreferred(r.options.Prefer[f.algorithm])
	}
	// Last, since a driver may have the name of its own algorithm.
	for _, c := range r.order {
		s.names[c.Name] = &family{algorithm: c.Algorithm, list: []ranked{c}, exact: true}
	}
	r.current.Store(s)
}

// setPreferred notes the preferred driver and moves it to the front.
func (f *family) setPreferred(driver string) {
	f.prefer = driver
	if i := f.index(driver); i > 0 {
		first := f.list[i]
		copy(f.list[1:], f.list[:i])
		f.list[0] = first
	}
}

func (f *family) index(driver string) int {
	return slices.IndexFunc(f.list, func(c ranked) bool { return c.Name == driver })
}

// drivers lists the names for a sentence.
func (f *family) drivers() string {
	names := make([]string, len(f.list))
	for i, c := range f.list {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}
