//go:build !purego

package cpu

import (
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"
)

const notProbed = "the CPU was not asked"

// TSC returns the time-stamp counter, read after all earlier instructions have finished and before any later one
// starts. It counts at one rate only where Host().Has("invtsc"); where Host().Has("tsc") is false it returns 0.
func TSC() uint64 {
	if !Host().Has("tsc") {
		return 0
	}
	return rdtsc()
}

func host() Features {
	l := leaves()
	var xcr0 uint64
	if l.L1.ECX&osxsave != 0 {
		xcr0 = xgetbv()
	}
	f := Decode(l, xcr0, runtime.GOOS)
	f.maskSys()
	f.maskGODEBUG(os.Getenv("GODEBUG"))
	return f
}

func leaves() Leaves {
	ask := func(leaf uint32) (r Regs) {
		r.EAX, r.EBX, r.ECX, r.EDX = cpuid(leaf, 0)
		return r
	}
	return Leaves{
		L0: ask(0), L1: ask(1), L7: ask(7),
		Ext0: ask(0x80000000), Ext7: ask(0x80000007),
		Brand: [3]Regs{ask(0x80000002), ask(0x80000003), ask(0x80000004)},
	}
}

// maskSys switches off what golang.org/x/sys/cpu says is off although CPUID has it: GODEBUG was read there.
func (f *Features) maskSys() {
	x := &cpu.X86
	for _, s := range []struct {
		f  feature
		on bool
	}{
		{sse2, x.HasSSE2}, {ssse3, x.HasSSSE3}, {sse41, x.HasSSE41}, {aes, x.HasAES}, {pclmulqdq, x.HasPCLMULQDQ},
		{movbe, x.HasMOVBE}, {bmi2, x.HasBMI2}, {adx, x.HasADX}, {avx, x.HasAVX}, {avx2, x.HasAVX2},
		{avx512f, x.HasAVX512 && x.HasAVX512F}, {avx512bw, x.HasAVX512BW}, {avx512vl, x.HasAVX512VL},
		{avx512dq, x.HasAVX512DQ}, {ifma, x.HasAVX512IFMA}, {vbmi, x.HasAVX512VBMI},
	} {
		if !s.on {
			f.switchOff(s.f, byGODEBUG)
		}
	}
}

// maskGODEBUG reads GODEBUG for the three features that golang.org/x/sys/cpu sees only together with AVX-512, by
// its names, by the Go runtime's and by ours.
func (f *Features) maskGODEBUG(env string) {
	for field := range strings.SplitSeq(env, ",") {
		name, isCPU := strings.CutPrefix(field, "cpu.")
		name, isOff := strings.CutSuffix(name, "=off")
		if !isCPU || !isOff {
			continue
		}
		for _, i := range []feature{vaes, vpclmulqdq, gfni} {
			if name == "all" || strings.TrimPrefix(name, "avx512") == table[i].name {
				f.switchOff(i, byGODEBUG)
			}
		}
	}
}
