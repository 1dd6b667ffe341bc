//go:build !purego

package chacha

import (
	"testing"

	"kcrypto/internal/cpu"
)

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
		{"ifma", avx512IFMA, []string{"avx512_ifma"}},
	} {
		if missing := cpu.Host().Missing(rung.needs); len(missing) > 0 {
			t.Logf("NOT RUN HERE: %s: this CPU lacks %q", rung.name, missing)
			continue
		}
		t.Run(rung.name, func(t *testing.T) { f(t, rung.impl) })
	}
}
