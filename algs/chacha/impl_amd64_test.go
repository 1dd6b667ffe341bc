//go:build !purego

package chacha

import (
	"fmt"
	"testing"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// eachImpl runs f for every implementation in assembly that runs here.
func eachImpl(t *testing.T, f func(t *testing.T, i impl)) {
	for _, level := range []struct {
		name  string
		impl  impl
		needs []string
	}{
		{"ssse3", ssse3, []string{"ssse3"}},
		{"avx2", avx2, []string{"avx2"}},
		{"avx512", avx512, []string{"avx512", "bmi2"}},
		{"avx512_ifma", avx512IFMA, []string{"avx512_ifma"}},
	} {
		if missing := cpu.Host().Missing(level.needs); len(missing) > 0 {
			t.Logf("NOT RUN HERE: %s: this CPU lacks %q", level.name, missing)
			continue
		}
		t.Run(level.name, func(t *testing.T) { f(t, level.impl) })
	}
}

// TestAsmDrivers looks for a driver of every algorithm on every level, and of the AEADs on the highest, and at what
// each makes in each of its forms: what its name says, and nothing else.
func TestAsmDrivers(t *testing.T) {
	type level struct {
		impl    impl
		needs   string
		drivers int
	}
	levels := map[string]level{
		"ssse3": {ssse3, "[ssse3]", 5}, "avx2": {avx2, "[avx2]", 5}, "avx512": {avx512, "[avx512 bmi2]", 5},
		"avx512_ifma": {avx512IFMA, "[avx512_ifma]", 2},
	}
	count := map[string]int{}
	for _, d := range asmDrivers() {
		count[d.Impl]++
		want := levels[d.Impl]
		if got := fmt.Sprint(d.Needs); got != want.needs {
			t.Errorf("%s needs %s, want %s", d.Name, got, want.needs)
		}
		for _, form := range d.Forms() {
			var made any
			if c := (registry.Config{Chunk: 64, Tuning: form}); d.Type == registry.TypeAEAD {
				made = d.NewAEAD(c)
			} else {
				made = d.NewSkcipher(c)
			}
			c := made.(interface{ made() core }).made()
			sixteens, scalar := form["chacha.pass"] == "16", form["chacha.block"] == "scalar"
			if c.impl != want.impl || c.sixteens != sixteens || c.scalar != scalar {
				t.Errorf("%s, %v: made implementation %d, in sixteens %v, scalar %v", d.Name, form, c.impl, c.sixteens, c.scalar)
			}
		}
		forms := 1
		if want.impl >= avx512 {
			forms *= 2
		}
		if d.Algorithm != "rfc7539(chacha20,poly1305)" {
			forms *= 2
		}
		if len(d.Forms()) != forms {
			t.Errorf("%s has the forms %v, want %d", d.Name, d.Forms(), forms)
		}
	}
	for impl, want := range levels {
		if count[impl] != want.drivers {
			t.Errorf("%d drivers of %s, want %d", count[impl], impl, want.drivers)
		}
	}
}

func (c *core) made() core { return *c }
