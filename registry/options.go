package registry

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"kcrypto/internal/cpu"
	"kcrypto/internal/ours"
)

// DefaultChunk is the Config.Chunk of a registry that sets none: 64 KiB, some microseconds of work.
const DefaultChunk = 64 << 10

// defaultWait is how long a lookup waits for a self-test by another goroutine, as Linux's crypto_larval_wait does.
const defaultWait = 60 * time.Second

// Options say how a registry works, and what it begins with. The zero value makes an empty registry that goes by this
// machine's CPU and counts every driver as passed, as there is no self-test to run.
type Options struct {
	// Drivers are registered from the start. They, and Templates, are tables in the caller's source: New panics if
	// Register would refuse a driver, or if a template has no usable name, no Algorithm, no Build, or another's name.
	Drivers   []Driver
	Templates []Template
	// Own is package kcrypto's word that Drivers and Templates are its own. Other modules leave it zero.
	Own ours.Mark

	// Config is what drivers' constructors get; a Chunk of 0 means DefaultChunk.
	Config Config
	// Lacks returns which of the CPU features and levels named are missing, nil for none. A nil Lacks asks the CPU.
	Lacks func(needs []string) []string
	// Reason is the sentence on a driver that cannot run here, made of what Lacks said of its needs; nil for one that
	// names them. It goes with Lacks: where that is nil this is not used.
	Reason func(missing []string) string
	// Features are the names that Lacks knows; a driver that needs another is refused. Nil means those that
	// Driver.Needs lists.
	Features []string

	// SelfTest tests a driver: an error, or a panic, is a failure. It is called at most once for a driver and verdict,
	// with no lock held. It returns ctx's error if ctx ended before there was a verdict; then the driver stays
	// untested. It must not change the driver.
	SelfTest func(ctx context.Context, d *Driver) error
	// HasVectors reports whether SelfTest has vectors for an algorithm. A driver of another algorithm must bring its
	// own: without, Register refuses it, and templates do not compose it. A nil HasVectors leaves it to SelfTest to
	// refuse what it cannot test.
	HasVectors func(algorithm string) bool
	// SelfTestWait is how long a lookup waits for a self-test that another one runs; 0 means a minute. A lookup by an
	// algorithm's name then goes on to the next driver; one by the driver's name is ErrSelfTest.
	SelfTestWait time.Duration

	// Aliases are other names for algorithms, drivers and compositions: old or foreign name -> our name. A registered
	// name goes before an alias.
	Aliases map[string]string
	// Suggest returns which of the known names somebody may have meant by one that means nothing here, the likeliest
	// first; known has the algorithms, then the drivers. A nil Suggest has no suggestions.
	Suggest func(name string, known []string) []string
	// Prefer is the user's choice: algorithm -> driver name. It goes before any priority. If that driver is missing,
	// cannot run here or failed its self-test, there is one warning and the normal choice, or an error under Strict.
	// A preference for an inner algorithm holds inside compositions too.
	Prefer map[string]string
	// Disabled are globs (path.Match) of drivers that are to be unavailable, with what is composed over them. A
	// malformed glob matches nothing.
	Disabled []string
	// Strict makes it an error, and not a step down to the next driver, if the best driver that can run here fails its
	// self-test, or if a preferred driver is not to be had.
	Strict bool
}

// New makes an empty registry of no options.
func New() *Registry { return Options{}.New() }

// New makes a registry, which logs nothing until SetLogger.
func (o Options) New() *Registry {
	r := new(Registry)
	r.start(o)
	return r
}

// start makes r what o says.
func (r *Registry) start(o Options) {
	o.Config.Chunk = cmp.Or(o.Config.Chunk, DefaultChunk)
	o.SelfTestWait = cmp.Or(o.SelfTestWait, defaultWait)
	switch host := cpu.Host(); {
	case o.Lacks == nil:
		o.Lacks, o.Reason = host.Missing, host.Reason
	case o.Reason == nil:
		o.Reason = func(missing []string) string { return "lacks " + strings.Join(missing, ", ") }
	}
	if o.Features == nil {
		o.Features = cpu.Names()
	}
	o.Aliases, o.Disabled, o.Features = maps.Clone(o.Aliases), slices.Clone(o.Disabled), slices.Clone(o.Features)
	r.options, r.failing = o, map[string]*injection{}
	nop := zerolog.Nop()
	r.log.Store(&nop)
	r.options.Prefer = make(map[string]string, len(o.Prefer))
	for algorithm, driver := range o.Prefer {
		r.options.Prefer[r.canonical(algorithm)] = r.canonical(driver)
	}
	for _, t := range o.Templates {
		if !isWord(t.Name) || t.Algorithm == nil || t.Build == nil || r.template(t.Name) != nil {
			panic("registry: template " + t.Name + " needs a name of its own, Algorithm and Build")
		}
		r.templates = append(r.templates, &t)
	}
	r.publish()
	if err := r.register(o.Drivers, o.Own.Vouched()); err != nil {
		panic(err)
	}
}
