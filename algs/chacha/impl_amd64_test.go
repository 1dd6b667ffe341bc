//go:build !purego

package chacha

import (
	"testing"

	"kcrypto/internal/cpu"
)

// eachImpl runs f for every implementation in assembly that runs here.
func eachImpl(t *testing.T, f func(t *testing.T, i impl)) {
	for _, level := range []struct {
		name  string
		impl  impl
		needs []string
	}{
		{"ssse3", ssse3, []string{"ssse3"}}, {"avx2", avx2, []string{"avx2"}}, {"avx512", avx512, []string{"avx512", "bmi2"}},
		{"ifma", avx512IFMA, []string{"avx512_ifma"}},
	} {
		if missing := cpu.Host().Missing(level.needs); len(missing) > 0 {
			t.Logf("NOT RUN HERE: %s: this CPU lacks %q", level.name, missing)
			continue
		}
		t.Run(level.name, func(t *testing.T) { f(t, level.impl) })
	}
}
