package kcrypto

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"kcrypto/registry"
	"kcrypto/selftest"
)

// SelfTest runs the self-tests that were not run yet, now instead of at first use: of every driver, or of those that
// names mean. It returns all failures joined (registry.ErrSelfTest); drivers that cannot run here are no failure.
func SelfTest(ctx context.Context, names ...string) error {
	d := defaultSetup()
	if err := d.check(); err != nil {
		return err
	}
	return d.registry.Test(ctx, names...)
}

// SelfTestOptions say how RunSelfTest works.
type SelfTestOptions struct {
	Full     bool                                 // the kernel's full mode: random layouts, 800 comparisons, 800 forgeries
	Seed     uint64                               // of the random inputs; 0 draws one, which a failure prints
	Progress func(driver string, done, total int) // called from the testing goroutine
}

// RunSelfTest tests drivers again, also those that have a verdict, and the new verdicts hold: every driver, or those
// that names mean, as for SelfTest. Drivers that cannot run here are passed over.
//
// Errors: registry.ErrSelfTest (all failures joined), ErrNotFound, ErrConfig, and the context's own.
func RunSelfTest(ctx context.Context, o SelfTestOptions, names ...string) error {
	d := defaultSetup()
	if err := d.check(); err != nil {
		return err
	}
	return d.registry.Retest(context.WithValue(ctx, optionsKey{}, o), names...)
}

// tester runs the self-test on drivers through the same transforms that callers get.
type tester struct {
	generic map[string]*registry.Driver // by algorithm, compositions included: what others are compared with
	full    bool
}

func newTester(drivers []registry.Driver, ts []registry.Template, full bool) *tester {
	t := &tester{generic: map[string]*registry.Driver{}, full: full}
	for _, d := range drivers {
		if d.Impl != "generic" {
			continue
		}
		t.generic[d.Algorithm] = &d
		for _, tpl := range ts {
			if tpl.Type == d.Type && tpl.Accepts(&d) == nil {
				composed := tpl.Build(&d)
				t.generic[composed.Algorithm] = &composed
			}
		}
	}
	return t
}

// run is the registry's self-test hook. It tests d in every form that can be chosen.
func (t *tester) run(ctx context.Context, d *registry.Driver) error {
	o := optionsIn(ctx)
	opts := selftest.Options{Full: t.full || o.Full, Seed: o.Seed}
	forms, tests := d.Forms(), 0
	if o.Progress != nil {
		opts.Progress = func(done, total int) { o.Progress(d.Name, tests*total+done, len(forms)*total) }
	}
	var reference *selftest.Subject
	if g := t.generic[d.Algorithm]; g != nil && g.Name != d.Name {
		s := subject(g, nil)
		reference = &s
	}
	for i, form := range forms {
		tests = i
		if err := selftest.Run(ctx, subject(d, form), reference, opts); err != nil {
			return inForm(err, form)
		}
	}
	return nil
}

// inForm says in which of a driver's forms a self-test failed.
func inForm(err error, form map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(form)) {
		err = fmt.Errorf("%w, with tune.%s=%s", err, name, form[name])
	}
	return err
}

// subject hands selftest the transforms of driver d in one of its forms, made as AllocAEAD and AllocSkcipher make them.
func subject(d *registry.Driver, form map[string]string) selftest.Subject {
	s := selftest.Subject{Driver: *d}
	if d.Type == registry.TypeAEAD {
		s.AEAD = func(c selftest.Setup) (selftest.AEAD, error) {
			o := gather(nil)
			if c.NonceSize != 0 {
				o.nonceSize = c.NonceSize
			}
			return newAEAD(d, driverConfig(c, form), &o)
		}
		return s
	}
	s.Skcipher = func(c selftest.Setup) (selftest.Skcipher, error) {
		o := gather(nil)
		return newSkcipher(d, driverConfig(c, form), &o)
	}
	if _, ok := d.NewSkcipher(driverConfig(selftest.Setup{}, form)).(registry.StreamCipher); ok {
		s.Stream = func(c selftest.Skcipher, iv []byte) (selftest.Stream, error) { return c.(*Skcipher).Stream(iv) }
	}
	return s
}

func driverConfig(c selftest.Setup, form map[string]string) registry.Config {
	return registry.Config{Chunk: cmp.Or(c.Chunk, registry.DefaultChunk), Tuning: form}
}

// optionsKey carries SelfTestOptions through the registry, which knows nothing of them, to tester.run.
type optionsKey struct{}

func optionsIn(ctx context.Context) SelfTestOptions {
	o, _ := ctx.Value(optionsKey{}).(SelfTestOptions)
	return o
}
