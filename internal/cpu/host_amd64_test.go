//go:build !purego

package cpu

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/cpu"
)

// TestHost compares this machine's features with golang.org/x/sys/cpu, which reads CPUID with code of its own.
func TestHost(t *testing.T) {
	f, x := Host(), &cpu.X86
	for name, want := range map[string]bool{
		"sse2": x.HasSSE2, "ssse3": x.HasSSSE3, "sse41": x.HasSSE41, "aes": x.HasAES, "pclmulqdq": x.HasPCLMULQDQ,
		"movbe": x.HasMOVBE, "bmi2": x.HasBMI2, "adx": x.HasADX, "avx": x.HasAVX, "avx2": x.HasAVX2,
	} {
		if f.Has(name) != want {
			t.Errorf("Has(%q) = %v, x/sys/cpu says %v", name, f.Has(name), want)
		}
	}
	if f.Has("avx512f") || x.HasAVX512F { // without it x/sys/cpu says false to all of these
		for name, want := range map[string]bool{
			"avx512f": x.HasAVX512F, "avx512bw": x.HasAVX512BW, "avx512vl": x.HasAVX512VL, "avx512dq": x.HasAVX512DQ,
			"ifma": x.HasAVX512IFMA, "vbmi": x.HasAVX512VBMI, "vaes": x.HasAVX512VAES, "gfni": x.HasAVX512GFNI,
			"vpclmulqdq": x.HasAVX512VPCLMULQDQ,
		} {
			if f.Has(name) != want {
				t.Errorf("Has(%q) = %v, x/sys/cpu says %v", name, f.Has(name), want)
			}
		}
	}
	if f.Vendor == "" || f.Family == 0 {
		t.Errorf("vendor %q, family %d", f.Vendor, f.Family)
	}
}

// TestGODEBUG runs this test again under GODEBUG and looks at the features that the child prints.
func TestGODEBUG(t *testing.T) {
	if os.Getenv("KCRYPTO_TEST_CHILD") != "" {
		for _, name := range Names() {
			println(name + ": " + Host().Why(name))
		}
		return
	}
	for _, c := range []struct{ godebug, gone string }{
		{"cpu.aes=off", "aes vaes_avx2"},
		{"cpu.avx=off", "avx avx2 vaes avx512f vaes_avx512"},
		{"cpu.avx512f=off", "avx512f avx512bw avx512 vaes_avx512"},
		{"cpu.avx512=off", "avx512f avx512vl avx512"},
		{"cpu.avx512vaes=off", "vaes vaes_avx2"},
		{"madvdontneed=1,cpu.vpclmulqdq=off", "vpclmulqdq vaes_avx2"},
		{"cpu.all=off", "ssse3 aes pclmulqdq avx vaes vpclmulqdq avx512f bmi2"},
	} {
		child := exec.Command(os.Args[0], "-test.run=^TestGODEBUG$")
		child.Env = append(os.Environ(), "KCRYPTO_TEST_CHILD=1", "GODEBUG="+c.godebug)
		out, err := child.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, name := range strings.Fields(c.gone) {
			if !Host().Has(name) {
				t.Logf("this machine has no %s: not tested under GODEBUG=%s", name, c.godebug)
				continue
			}
			_, why, _ := strings.Cut("\n"+string(out), "\n"+name+": ")
			why, _, _ = strings.Cut(why, "\n")
			if !strings.HasSuffix(why, "masked by GODEBUG") {
				t.Errorf("GODEBUG=%s: %s: %q", c.godebug, name, why)
			}
		}
	}
}

// TestMaskGODEBUG: the three features that Host asks GODEBUG for go by any of their names, and nothing else does.
func TestMaskGODEBUG(t *testing.T) {
	full := Decode(iceLake, 0xe7, "linux")
	for env, gone := range map[string][]string{
		"": nil, "cpu.all=on": nil, "all=off": nil, "cpu.avx512=off": nil, "cpu.aes=off,http2debug=1": nil,
		"cpu.vaes=off": {"vaes"}, "cpu.avx512vaes=off": {"vaes"}, "a=b,cpu.gfni=off": {"gfni"},
		"cpu.avx512vpclmulqdq=off,cpu.avx512gfni=off": {"vpclmulqdq", "gfni"},
		"cpu.all=off": {"vaes", "vpclmulqdq", "gfni"},
	} {
		f := full
		f.maskGODEBUG(env)
		for _, name := range []string{"vaes", "vpclmulqdq", "gfni", "aes", "pclmulqdq", "avx512f", "vbmi"} {
			if got, want := f.Has(name), !slices.Contains(gone, name); got != want {
				t.Errorf("GODEBUG=%s: Has(%q) = %v", env, name, got)
			}
		}
	}
}

func TestTSC(t *testing.T) {
	if !Host().Has("tsc") {
		if TSC() != 0 {
			t.Error("there is no time-stamp counter, yet TSC is not 0")
		}
		return
	}
	start, began := TSC(), time.Now()
	for time.Since(began) < 5*time.Millisecond {
	}
	ticks, ns := TSC()-start, time.Since(began).Nanoseconds()
	if perNs := float64(ticks) / float64(ns); perNs < 0.1 || perNs > 20 {
		t.Errorf("%d ticks in %d ns", ticks, ns)
	}
}
