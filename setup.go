package kcrypto

import (
	"context"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"kcrypto/internal/cpu"
	"kcrypto/internal/names"
	"kcrypto/internal/ours"
	"kcrypto/registry"
	"kcrypto/selftest"
)

// setup is a registry with this module's drivers in it, and the settings it was made with.
type setup struct {
	registry *registry.Registry
	settings settings
	broken   error       // settings that could not be read, or an eager self-test that failed under strict
	pending  atomic.Bool // some setting names a driver that nobody has registered yet
}

// defaultSetup makes the default registry at its first use.
var defaultSetup = sync.OnceValue(func() *setup {
	configured.Lock()
	defer configured.Unlock()
	configured.used = true
	s := newSetup(os.Getenv(environment), configured.text)
	cpu.SetInEffect(s.settings.features())
	return s
})

var configured struct {
	sync.Mutex
	text string
	used bool
}

// Configure sets what the KCRYPTO variable sets, in the same form, for the default registry; key by key it wins over
// the variable. It must be called before anything is allocated or listed, else it is registry.ErrConfig, as are
// unknown keys and values. Names of drivers are checked at the first allocation.
func Configure(text string) error {
	configured.Lock()
	defer configured.Unlock()
	if configured.used {
		return configError("Configure was called after the default registry was first used: call it earlier")
	}
	joined := strings.Trim(configured.text+","+text, ",")
	s := defaultSettings()
	if err := s.parse(joined); err != nil {
		return err
	}
	configured.text = joined
	return nil
}

// NewRegistry makes a registry of one's own, with this module's drivers, self-test and templates, and with settings
// in the form of the KCRYPTO variable (which it does not read). Allocate from it with WithRegistry. With an error
// (registry.ErrConfig) comes a registry that ignores what it could not understand; settings may name only drivers of
// this module, since others can be registered only afterwards.
func NewRegistry(text string) (*registry.Registry, error) {
	s := newSetup(text)
	return s.registry, s.check()
}

// newSetup reads settings and makes the registry. Settings that cannot be read leave their defaults, and an error for
// check.
func newSetup(texts ...string) *setup {
	s := &setup{settings: defaultSettings()}
	for _, text := range texts {
		if err := s.settings.parse(text); err != nil {
			s.settings, s.broken = defaultSettings(), err
			break
		}
	}
	s.open()
	return s
}

// open makes the registry that the settings describe.
func (s *setup) open() {
	c := &s.settings
	f := c.features()
	drivers := catalog(f, c)
	s.registry = registry.Options{
		Drivers: drivers, Templates: templates(), Own: ours.Vouch(), Aliases: aliases, Suggest: names.Suggest,
		SelfTest: newTester(drivers, templates(), c.selfTest == "full").run, HasVectors: selftest.Known,
		Lacks: f.Missing, Reason: f.Reason, Config: c.config(f),
		Prefer: c.prefer, Disabled: c.disable, Strict: c.strict,
	}.New()
	s.pending.Store(len(c.prefer)+len(c.disable) > 0)
	if c.selfTest == "eager" {
		if err := s.registry.Test(context.Background()); err != nil && c.strict && s.broken == nil {
			s.broken = err
		}
	}
}

// check reports what is wrong with the settings. A driver that they name may be registered late, so names are looked
// up until all are known.
func (s *setup) check() error {
	if s.broken != nil {
		return s.broken
	}
	if s.pending.Load() {
		if bad := s.settings.unknown(s.registry); len(bad) > 0 {
			return configError("%s", strings.Join(bad, "; "))
		}
		s.pending.Store(false)
	}
	return nil
}
