//go:build !purego

package chacha

import (
	"slices"
	"testing"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// moreDrivers is the driver for AVX-512 as it is on other CPUs: without IFMA, and in passes of 16 or of 24 blocks, as it is
// not here.
func moreDrivers() []registry.Driver {
	return slices.Concat(
		rung("avx512 without IFMA", build{impl: avx512}, "avx512", "bmi2"),
		rung("avx512 without IFMA in sixteens", build{avx512, true}, "avx512", "bmi2"),
		rung("avx512 in 24 or 16", build{avx512IFMA, !cpu.Host().TwoVectorPorts()}, "avx512", "ifma", "bmi2"))
}

// coreKey is for keyIn.
func (b *batchAEAD) coreKey() [8]uint32 { return b.key }

// eachRung runs f for every implementation in assembly that runs here.
func eachRung(t *testing.T, f func(t *testing.T, i impl)) {
	for _, rung := range []struct {
		name  string
		impl  impl
		needs []string
	}{
		{"ssse3", ssse3, []string{"ssse3"}}, {"avx2", avx2, []string{"avx2"}}, {"avx512", avx512, []string{"avx512", "bmi2"}},
		{"ifma", avx512IFMA, []string{"avx512", "ifma", "bmi2"}},
	} {
		if missing := cpu.Host().Missing(rung.needs); len(missing) > 0 {
			t.Logf("NOT RUN HERE: %s: this CPU lacks %q", rung.name, missing)
			continue
		}
		t.Run(rung.name, func(t *testing.T) { f(t, rung.impl) })
	}
}
