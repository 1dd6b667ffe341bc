package kcrypto

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kcrypto/internal/ours"
	"kcrypto/registry"
	"kcrypto/selftest"
)

// TestRandomOrders registers this module's drivers and templates in random orders: the driver that serves a name does
// not depend on it.
func TestRandomOrders(t *testing.T) {
	s := defaultSettings()
	drivers, wrappers := catalog(s.features(), &s), templates()
	winners := func(seed uint64) map[string]string {
		rng := rand.New(rand.NewPCG(seed, 0))
		ds, ts := slices.Clone(drivers), slices.Clone(wrappers)
		if seed > 0 {
			rng.Shuffle(len(ds), func(i, k int) { ds[i], ds[k] = ds[k], ds[i] })
			rng.Shuffle(len(ts), func(i, k int) { ts[i], ts[k] = ts[k], ts[i] })
		}
		r := registry.Options{
			Drivers: ds, Templates: ts, Own: ours.Vouch(), Aliases: aliases, Lacks: s.features().Missing,
			SelfTest: newTester(ds, ts, false).run, HasVectors: selftest.Known,
		}.New()
		won := map[string]string{}
		for _, d := range r.List() {
			e, err := r.Explain(d.Algorithm)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			won[d.Algorithm] = e.Winner
		}
		return won
	}
	want := winners(0)
	for range 20 {
		seed := rand.Uint64()
		for algorithm, driver := range winners(seed) {
			if driver != want[algorithm] {
				t.Errorf("seed %d: %s is served by %s, want %s", seed, algorithm, driver, want[algorithm])
			}
		}
	}
}
