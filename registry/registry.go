package registry

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rs/zerolog"

	"kcrypto/internal/ours"
)

// Registry is a set of drivers and the rules for choosing among them. Make one with [Options.New].
type Registry struct {
	// Set by New, not changed afterwards.
	options   Options // with defaults in place of zeros
	templates []*Template

	log    atomic.Pointer[zerolog.Logger]
	warned sync.Map // preferences that were warned about: one warning each is enough

	mu      sync.Mutex               // never held while a self-test or a logger runs
	order   []ranked                 // every registered driver, in the order of registration; guarded by mu
	failing map[string]*injection    // by driver name; guarded by mu
	current atomic.Pointer[snapshot] // what readers see; stored under mu
	once    sync.Once                // of begin
}

// begin makes a Registry that nobody made with New what New makes. Every method calls it first.
func (r *Registry) begin() {
	if r.current.Load() == nil {
		r.once.Do(func() { r.start(Options{}) })
	}
}

// SetLogger sets where r logs: failed self-tests and missing preferred drivers at warn, registrations, choices and
// the use of aliases at debug.
func (r *Registry) SetLogger(l zerolog.Logger) {
	r.begin()
	r.log.Store(&l)
}

// Config returns what drivers' constructors are to get.
func (r *Registry) Config() Config {
	r.begin()
	return r.options.Config
}

// Register adds drivers: all of them, or on an error none. It runs nothing of theirs.
//
// Errors: [ErrDriver] for a descriptor that contradicts itself, one whose Module is kcrypto's, or an algorithm that
// nothing can test, [ErrExists] for a name that is taken.
func (r *Registry) Register(drivers []Driver) error {
	r.begin()
	return r.register(drivers, false)
}

// register adds drivers, own ones if package kcrypto vouches for them.
func (r *Registry) register(drivers []Driver, own bool) error {
	batch := make([]ranked, len(drivers))
	for i := range drivers {
		if err := r.check(&drivers[i]); err != nil {
			return err
		}
		if m := drivers[i].Module; m == ours.Module && !own {
			return errorf(ErrDriver, "driver %q: Module %q is taken; name your own", drivers[i].Name, m)
		}
		if r.innermost(drivers[i].Name) != "" {
			return errorf(ErrExists, "driver %q: a template makes the names of that form; choose another", drivers[i].Name)
		}
		batch[i] = ranked{r.newNode(&drivers[i], nil, own), drivers[i].Priority}
	}
	if err := r.add(batch); err != nil {
		return err
	}
	for _, c := range batch {
		r.log.Load().Debug().Str("algorithm", c.Algorithm).Str("driver", c.Name).Str("module", c.Module).
			Int("priority", c.priority).Msg("registry: driver registered")
	}
	return nil
}

func (r *Registry) add(batch []ranked) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	order := r.order
	for _, c := range batch {
		if err := collision(c.node, order); err != nil {
			return err
		}
		order = append(order, c)
	}
	r.order = order
	r.publish()
	return nil
}

// Unregister removes the driver of that name, and with it the verdicts on compositions over it.
//
// Errors: [ErrNotFound]; [ErrBusy] while transforms of the driver live, also through a composition, or while its
// self-test runs.
func (r *Registry) Unregister(name string) error {
	r.begin()
	r.mu.Lock()
	defer r.mu.Unlock()
	i, err := r.position(name)
	if err != nil {
		return err
	}
	if n := r.order[i].node; !n.kill() {
		return errorf(ErrBusy, "%s has %d transforms or self-tests running: close them first", name, n.refs.Load())
	}
	r.order = slices.Delete(r.order, i, i+1)
	r.publish()
	return nil
}

// SetPriority changes the priority of a driver for later lookups. A composition has the priority of the driver it is
// built over, so it follows.
//
// Errors: [ErrDriver] for a negative priority, [ErrNotFound].
func (r *Registry) SetPriority(driver string, priority int) error {
	r.begin()
	if priority < 0 {
		return errorf(ErrDriver, "priority %d for %s: want 0 or more", priority, driver)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i, err := r.position(driver)
	if err != nil {
		return err
	}
	r.order[i].priority = priority
	r.publish()
	return nil
}

// FailSelfTest makes the driver of that name count as failed until restore is called; what its own test said, if it
// ran, holds again afterwards. The name may be a composition's ("rfc4106(gcm-aes-generic)"), and need not be
// registered yet. It is there for tests of what happens next.
func (r *Registry) FailSelfTest(driver string) (restore func()) {
	r.begin()
	r.inject(driver, 1)
	return sync.OnceFunc(func() { r.inject(driver, -1) })
}

func (r *Registry) inject(driver string, change int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := r.failing[driver]
	if in == nil {
		in = &injection{verdict: failure(driver, errInjected)}
		r.failing[driver] = in
	}
	if in.depth += change; in.depth == 0 {
		delete(r.failing, driver)
	}
	r.publish()
}

// position finds a registered driver in order by its own name, or says what the name is instead. The caller has mu.
func (r *Registry) position(driver string) (int, error) {
	i := slices.IndexFunc(r.order, func(c ranked) bool { return c.Name == driver })
	if i >= 0 {
		return i, nil
	}
	if f := r.current.Load().names[driver]; f != nil {
		return 0, errorf(ErrNotFound, "%s is an algorithm: name one of its drivers: %s", driver, f.drivers())
	}
	if to := r.canonical(driver); to != driver {
		return 0, errorf(ErrNotFound, "%s is an alias: name the driver itself: %s", driver, to)
	}
	if t, inner, _ := r.parse(driver); t != nil {
		return 0, errorf(ErrNotFound, "%s is a composition: name the driver it is built over: %s", driver, inner)
	}
	if meant := r.meant(r.current.Load(), driver); meant != "" {
		return 0, errorf(ErrNotFound, "no driver is named %q; did you mean %s?", driver, meant)
	}
	return 0, errorf(ErrNotFound, "no driver is named %q; List shows which there are", driver)
}

// errorf makes an error of a class, with a sentence.
func errorf(class error, format string, args ...any) error {
	return fmt.Errorf("registry: %w: %w", class, fmt.Errorf(format, args...))
}
