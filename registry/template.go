package registry

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Template makes drivers of one algorithm out of drivers of another. Its functions depend on their arguments
// alone, and the results of Accepts and Build are kept as long as the inner driver is registered.
type Template struct {
	Name string // "rfc4106": letters, digits, - and _
	Type Type   // of what it makes

	// Algorithm maps the arguments to the inner name to look up: ["gcm(aes)"] to "gcm(aes)", ["chacha20", "poly1305"]
	// to "rfc7539(chacha20,poly1305)". For an inner driver's name as the one argument it returns that.
	Algorithm func(args []string) (inner string, err error)

	// Accepts says why the template cannot be built over inner (ErrType if inner is of the wrong kind), nil if it
	// can. A nil Accepts accepts every driver.
	Accepts func(inner *Driver) error

	// Build returns the composed descriptor: Algorithm "rfc4106(gcm(aes))", Name "rfc4106(gcm-aes-x)", constructors that
	// wrap inner's. Its priority, and the CPU features and other support that it lacks, are inner's in any case.
	Build func(inner *Driver) Driver
}

// An instance is a template over one driver, or why it cannot be.
type instance struct {
	node *node
	err  error
}

// composition finds what "template(args)" stands for in s.
func (r *Registry) composition(s *snapshot, name string) (*family, error) {
	if f, ok := s.composed.Load(name); ok {
		return f.(*family), nil
	}
	t, inner, err := r.parse(name)
	if err != nil {
		return nil, r.unknown(s, name, err)
	}
	in, err := r.lookup(s, inner)
	if err != nil {
		return nil, err
	}
	f, err := r.over(t, in)
	if err == nil && (name == f.algorithm || name == f.list[0].Name) {
		s.composed.Store(name, f) // only under names of our own making, of which there are not many
	}
	return f, err
}

// over maps a family to that of the template over each of its drivers that fit.
func (r *Registry) over(t *Template, in *family) (*family, error) {
	f := &family{exact: in.exact, prefer: in.prefer, list: make([]ranked, 0, len(in.list))}
	var misfit error
	for _, c := range in.list {
		n, err := r.instance(t, c.node)
		if err != nil {
			misfit = cmp.Or(misfit, err)
			continue
		}
		f.list = append(f.list, ranked{n, c.priority})
		if c.Name == in.prefer {
			f.prefer = n.Name
		}
	}
	if len(f.list) == 0 {
		return nil, misfit
	}
	f.algorithm = f.list[0].Algorithm
	if driver, ok := r.options.Prefer[f.algorithm]; ok && !f.exact {
		f.setPreferred(driver)
	}
	return f, nil
}

// instance returns the one node of t over inner, so that its verdict is remembered as long as inner is registered.
func (r *Registry) instance(t *Template, inner *node) (*node, error) {
	made, ok := inner.instances.Load(t)
	if !ok {
		made, _ = inner.instances.LoadOrStore(t, r.compose(t, inner))
	}
	i := made.(*instance)
	return i.node, i.err
}

func (r *Registry) compose(t *Template, inner *node) *instance {
	var d Driver
	err := guarded(func() error { // templates may call the inner driver's constructors
		if t.Accepts != nil {
			if err := t.Accepts(&inner.Driver); err != nil {
				return err
			}
		}
		d = t.Build(&inner.Driver)
		return nil
	})
	switch {
	case errors.Is(err, errPanic):
		return &instance{err: errorf(ErrDriver, "%s cannot be built over %s: %w", t.Name, inner.Name, err)}
	case err != nil:
		return &instance{err: fmt.Errorf("registry: %s cannot be built over %s: %w", t.Name, inner.Name, err)}
	}
	d.Tunings = inner.Tunings
	err = r.check(&d)
	if err == nil && d.Type != t.Type {
		err = errorf(ErrDriver, "%s made %s of type %q, want %q", t.Name, d.Name, d.Type, t.Type)
	}
	if err != nil {
		return &instance{err: err}
	}
	return &instance{node: r.newNode(&d, inner, inner.own && r.options.Own.Vouched())}
}

func (r *Registry) template(name string) *Template {
	i := slices.IndexFunc(r.templates, func(t *Template) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return r.templates[i]
}

// innermost returns the name at the core of a composition of templates that r has, "" if name is none.
func (r *Registry) innermost(name string) string {
	core := ""
	for {
		_, inner, err := r.parse(name)
		if err != nil {
			return core
		}
		core, name = inner, inner
	}
}

// parse finds the template and the inner name that a composition is written with.
func (r *Registry) parse(name string) (*Template, string, error) {
	word, args, err := split(name)
	if err != nil {
		return nil, "", err
	}
	t := r.template(word)
	if t == nil {
		return nil, "", fmt.Errorf("there is no template %s", word)
	}
	inner, err := t.Algorithm(args)
	if err != nil {
		return nil, "", err
	}
	return t, inner, nil
}

var errPlain = errors.New("it has no parentheses")

// split takes "word(arg,arg...)" apart; arguments may have parentheses of their own.
func split(name string) (word string, args []string, err error) {
	word, rest, ok := strings.Cut(name, "(")
	switch {
	case len(name) > maxName:
		return "", nil, fmt.Errorf("it is longer than any name (%d bytes)", maxName)
	case !ok:
		return "", nil, errPlain
	case !isWord(word):
		return "", nil, errors.New("what stands before ( is no name of a template (letters, digits, - and _)")
	}
	depth, start := 1, 0
	for i := 0; i < len(rest) && depth > 0; i++ {
		switch rest[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 || depth == 1 && rest[i] == ',' { // an argument ends here
			if start == i {
				return "", nil, fmt.Errorf("an argument of %s is empty", word)
			}
			args = append(args, rest[start:i])
			start = i + 1
		}
	}
	switch {
	case depth > 0:
		return "", nil, errors.New("a closing parenthesis is missing")
	case start < len(rest):
		return "", nil, fmt.Errorf("nothing may follow the closing parenthesis of %s", word)
	}
	return word, args, nil
}
