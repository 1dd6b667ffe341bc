package kcrypto

import (
	"context"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"kcrypto/registry"
	"kcrypto/selftest"
)

// house is a registry with this module's drivers in it, and the settings it was made with.
type house struct {
	registry *registry.Registry
	settings settings
	broken   error       // settings that could not be read, or an eager self-test that failed under strict
	pending  atomic.Bool // some setting names a driver that nobody has registered yet
}

// defaultHouse opens the house of the default registry at its first use.
var defaultHouse = sync.OnceValue(func() *house {
	configured.Lock()
	defer configured.Unlock()
	configured.opened = true
	return openHouse(os.Getenv(Environment), configured.text)
})

var configured struct {
	sync.Mutex
	text   string
	opened bool
}

// Configure sets what the KCRYPTO variable sets, in the same form, for the default registry; key by key it wins over
// the variable. It must be called before anything is allocated or listed, else it is registry.ErrConfig, as are
// unknown keys and values. Names of drivers are checked at the first allocation.
func Configure(text string) error {
	configured.Lock()
	defer configured.Unlock()
	if configured.opened {
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
	h := openHouse(text)
	return h.registry, h.check()
}

// openHouse makes the registry. Settings that cannot be read leave their defaults, and a house that is broken.
func openHouse(texts ...string) *house {
	h := &house{settings: defaultSettings()}
	for _, text := range texts {
		if err := h.settings.parse(text); err != nil {
			h.settings, h.broken = defaultSettings(), err
			break
		}
	}
	s, f := &h.settings, h.settings.features()
	drivers := catalog(f, s)
	trial := newTrial(drivers, templates(), s.selfTest == "full")
	h.registry = registry.New(
		registry.WithOwn(Module, drivers...), registry.WithFeatures(f), registry.WithSelfTest(trial.run), registry.WithVectors(selftest.Known),
		registry.WithTemplates(templates()...), registry.WithAliases(aliases), registry.WithPrefer(s.prefer),
		registry.WithDisabled(s.disable...), registry.WithStrict(s.strict), registry.WithConfig(registry.Config{Chunk: s.chunk}))
	h.pending.Store(len(s.prefer)+len(s.disable) > 0)
	if s.selfTest == "eager" {
		if err := h.registry.Test(context.Background()); err != nil && s.strict && h.broken == nil {
			h.broken = err
		}
	}
	return h
}

// check reports what is wrong with the settings. A driver that they name may be registered late, so names are looked
// up until all are known.
func (h *house) check() error {
	if h.broken != nil {
		return h.broken
	}
	if h.pending.Load() {
		if bad := h.settings.unknown(h.registry); len(bad) > 0 {
			return configError("%s", strings.Join(bad, "; "))
		}
		h.pending.Store(false)
	}
	return nil
}
