package cpu

import (
	"slices"
	"strings"
	"testing"
)

// TestMask masks each feature of a CPU that has everything: it and its dependents go, nothing else changes.
func TestMask(t *testing.T) {
	const zmm = " avx512f avx512bw avx512vl avx512dq ifma vbmi avx512 avx512_ifma vaes_avx512"
	rows := []struct{ name, gone string }{
		{"aes", "aes vaes aesni aesni_avx vaes_avx2 vaes_avx512"},
		{"pclmulqdq", "pclmulqdq vpclmulqdq vaes_avx2 vaes_avx512"},
		{"avx", "avx avx2 vaes vpclmulqdq aesni_avx vaes_avx2" + zmm},
		{"avx2", "avx2 vaes_avx2" + zmm},
		{"vaes", "vaes vaes_avx2 vaes_avx512"},
		{"vpclmulqdq", "vpclmulqdq vaes_avx2 vaes_avx512"},
		{"avx512", zmm},
		{"bmi2", "bmi2 avx512_ifma vaes_avx512"},
		{"movbe", "movbe"},
		{"ifma", "ifma avx512_ifma"},
		{"ssse3", "ssse3 sse41 avx avx2 vaes vpclmulqdq aesni aesni_avx vaes_avx2" + zmm},
		{"all", strings.TrimPrefix(all, "tsc invtsc ")},
	}
	full := Decode(iceLake, 0xe7, "linux")
	var covered []string
	for _, c := range rows {
		covered = append(covered, c.name)
		f, err := full.Mask(c.name)
		if err != nil {
			t.Fatal(err)
		}
		gone := strings.Fields(c.gone)
		for _, name := range Names() {
			if got, want := f.Has(name), !slices.Contains(gone, name); got != want {
				t.Errorf("%s masked: Has(%q) = %v", c.name, name, got)
			}
			if got := f.Why(name); (got == "") != f.Has(name) || !f.Has(name) && !strings.HasSuffix(got, "masked by KCRYPTO") {
				t.Errorf("%s masked: Why(%q) = %q", c.name, name, got)
			}
		}
		if again, _ := f.Mask(c.name); again != f {
			t.Errorf("%s masked twice differs from once", c.name)
		}
	}
	if !slices.Equal(covered, Maskable()) {
		t.Errorf("this test covers %v, Maskable returns %v", covered, Maskable())
	}
	if full != Decode(iceLake, 0xe7, "linux") {
		t.Error("Mask changed its receiver")
	}
}

func TestMaskErrors(t *testing.T) {
	full := Decode(iceLake, 0xe7, "linux")
	for _, name := range []string{"", "AES", "avx-512", "vaes_avx2", "sse9"} {
		f, err := full.Mask(name)
		if err == nil || f != full || !strings.Contains(err.Error(), strings.Join(Maskable(), ", ")) {
			t.Errorf("Mask(%q): error %v", name, err)
		}
	}
}

// TestMaskAbsent: what the CPU lacks is still what the CPU lacks, and masking forces nothing on.
func TestMaskAbsent(t *testing.T) {
	before := Decode(sandyBridge, 7, "linux")
	after := before
	for _, name := range []string{"movbe", "avx2", "avx512", "vaes"} {
		after, _ = after.Mask(name)
	}
	if after != before {
		t.Errorf("masking absent features changed the set from %v to %v", before.List(), after.List())
	}
	var unprobed Features
	if f, err := unprobed.Mask("all"); err != nil || f != unprobed {
		t.Errorf("masking the empty set: %v, %v", f, err)
	}
}

func TestWhy(t *testing.T) {
	masked, _ := Decode(iceLake, 0xe7, "linux").Mask("avx2")
	noAES, _ := Decode(haswell, 7, "linux").Mask("aes")
	for _, c := range []struct {
		f          Features
		name, want string
	}{
		{masked, "avx", ""},
		{masked, "avx2", "masked by KCRYPTO"},
		{masked, "vaes_avx512", "needs avx2: masked by KCRYPTO"},
		{noAES, "vaes", "the CPU lacks it"},
		{noAES, "vaes_avx512", "needs aes: masked by KCRYPTO"},
		{Decode(haswell, 7, "linux"), "vaes_avx2", "needs vaes: the CPU lacks it"},
		{Decode(iceLake, 3, "linux"), "avx", "the operating system does not save YMM state"},
		{Decode(iceLake, 7, "linux"), "avx512f", "the operating system does not save ZMM state"},
		{Decode(iceLake, 7, "linux"), "vaes_avx512", "needs avx512f: the operating system does not save ZMM state"},
		{Decode(iceLake, 0xe7, "darwin"), "avx512",
			"needs avx512f: AVX-512 is left off on darwin, where signals do not preserve its state"},
		{masked, "sse9", "there is no such feature"},
		{Features{}, "sse2", notProbed},
	} {
		if got := c.f.Why(c.name); got != c.want {
			t.Errorf("Why(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMissing(t *testing.T) {
	noAVX, _ := Decode(iceLake, 0xe7, "linux").Mask("avx")
	for _, c := range []struct {
		f           Features
		needs, want string
	}{
		{Decode(iceLake, 0xe7, "linux"), "vaes_avx512 ifma movbe", ""},
		{Decode(zen3, 7, "linux"), "vaes_avx2", ""},
		{Decode(zen3, 7, "linux"), "vaes_avx512 gfni", "avx512f avx512bw avx512vl avx512dq gfni"},
		{Decode(sandyBridge, 7, "linux"), "aesni_avx pclmulqdq movbe", "movbe"},
		{Decode(westmere, 0, "linux"), "avx2 vaes_avx2 avx2", "avx2 avx vaes vpclmulqdq"},
		{noAVX, "vaes_avx2", "avx avx2 vaes vpclmulqdq"},
		{Decode(iceLake, 0xe7, "linux"), "sse9 aes", "sse9"},
		{Features{}, "aesni", "aes ssse3 sse41"},
		{Features{}, "", ""},
	} {
		if got := c.f.Missing(strings.Fields(c.needs)); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("Missing(%q) = %v, want %q", c.needs, got, c.want)
		}
	}
}

func TestClosure(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"sse2", "sse2"},
		{"aesni", "sse2 ssse3 sse41 aes"},
		{"aesni_avx", "sse2 ssse3 sse41 aes avx"},
		{"vaes_avx2", "sse2 ssse3 sse41 aes pclmulqdq avx avx2 vaes vpclmulqdq"},
		{"vaes_avx512", "sse2 ssse3 sse41 aes pclmulqdq bmi2 avx avx2 vaes vpclmulqdq avx512f avx512bw avx512vl avx512dq"},
		{"avx512_ifma", "sse2 ssse3 sse41 bmi2 avx avx2 avx512f avx512bw avx512vl avx512dq ifma"},
		{"ifma", "sse2 ssse3 sse41 avx avx2 avx512f ifma"},
		{"sse9", ""},
	} {
		if got := Closure(c.name); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("Closure(%q) = %v, want %q", c.name, got, c.want)
		}
	}
}

// TestReason: what the CPU lacks is named, and what somebody masked comes with who did it.
func TestReason(t *testing.T) {
	full := Decode(iceLake, 0xe7, "linux")
	mask := func(f Features, names ...string) Features {
		for _, name := range names {
			var err error
			if f, err = f.Mask(name); err != nil {
				t.Fatal(err)
			}
		}
		return f
	}
	old := iceLake
	old.L7.ECX = 0 // no VAES
	noZMMState := Decode(iceLake, 7, "linux")
	debug := full
	debug.switchOff(aes, byGODEBUG)
	for _, c := range []struct {
		f     Features
		needs string
		want  string
	}{
		{mask(full, "vaes"), "vaes_avx2", "lacks vaes: masked by KCRYPTO"},
		{mask(full, "aes"), "vaes_avx2", "lacks aes, vaes: masked by KCRYPTO"},
		{Decode(old, 0xe7, "linux"), "vaes_avx2", "lacks vaes, vpclmulqdq"},
		{mask(Decode(old, 0xe7, "linux"), "movbe"), "movbe vaes_avx2",
			"lacks movbe: masked by KCRYPTO; lacks vaes, vpclmulqdq"},
		{debug, "aesni", "lacks aes: masked by GODEBUG"},
		{noZMMState, "avx512", "lacks avx512f, avx512bw, avx512vl, avx512dq: the operating system does not save ZMM state"},
		{full, "warp", "lacks warp"},
		{Features{}, "aes", notProbed},
	} {
		if got := c.f.Reason(c.f.Missing(strings.Fields(c.needs))); got != c.want {
			t.Errorf("%s: %q, want %q", c.needs, got, c.want)
		}
	}
}
