package lint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/internal/cpu"
)

// isa says which of avo's instruction set names a feature of internal/cpu brings. What every amd64 CPU has is
// in baseline.
var isa = map[string][]string{
	"tsc":        {"RDTSC"},
	"ssse3":      {"SSE3", "SSSE3"},
	"sse41":      {"SSE4.1"},
	"aes":        {"AES"},
	"pclmulqdq":  {"PCLMULQDQ"},
	"movbe":      {"MOVBE"},
	"bmi2":       {"BMI2"},
	"adx":        {"ADX"},
	"avx":        {"AVX"},
	"avx2":       {"AVX2"},
	"vaes":       {"VAES"},
	"vpclmulqdq": {"VPCLMULQDQ"},
	"gfni":       {"GFNI"},
	"avx512f":    {"AVX512F"},
	"avx512bw":   {"AVX512BW"},
	"avx512vl":   {"AVX512VL"},
	"avx512dq":   {"AVX512DQ"},
	"ifma":       {"AVX512IFMA"},
	"vbmi":       {"AVX512VBMI"},
}

var baseline = []string{"SSE", "SSE2", "CMOV", "CPUID"}

// features returns the single features that the function may use, and avo's names for their instructions.
func (f *Func) features() (names, isas []string) {
	isas = slices.Clone(baseline)
	for _, need := range f.Needs {
		below := cpu.Closure(need)
		if below == nil {
			f.errs = append(f.errs, fmt.Errorf("%s: internal/cpu knows no feature or level %q", f.Name, need))
		}
		for _, name := range below {
			names = append(names, name)
			isas = append(isas, isa[name]...)
		}
	}
	return names, isas
}

// checkForms looks at each instruction by itself.
func (f *Func) checkForms() {
	names, isas := f.features()
	avx, avx512 := slices.Contains(names, "avx"), slices.Contains(names, "avx512f")
	for _, i := range f.Instructions() {
		for _, need := range i.ISA {
			if !slices.Contains(isas, need) {
				f.report(i, Level, "needs %s, and the driver asks only for %v", need, f.Needs)
			}
		}
		if i.Opcode == "CALL" {
			f.report(i, Call, "generators here do not call; emit the piece where it is needed")
		}
		if avx && isLegacySSE(i) {
			f.report(i, LegacySSE, "is SSE-encoded; use the instruction that begins with V")
		}
		if !avx512 && slices.ContainsFunc(i.Registers(), isOpmask) {
			f.report(i, Level, "uses an opmask, and the driver asks only for %v", f.Needs)
		}
		for _, op := range i.Operands {
			if m, ok := op.(operand.Mem); ok && mustAlign(i) && !isAligned(m, i) {
				f.report(i, Unaligned, "faults unless %s is aligned; load it with an unaligned move first", m.Asm())
			}
		}
		if slices.Contains(i.Suffixes, "Z") && slices.ContainsFunc(i.Outputs, operand.IsMem) {
			f.report(i, ZeroMaskedStore, "stores with zeroing are illegal instructions; leave out the Z")
		}
	}
}

func isVector(r reg.Register) bool { return r.Kind() == reg.KindVector }
func isOpmask(r reg.Register) bool { return r.Kind() == reg.KindOpmask }
func isGP(r reg.Register) bool     { return r.Kind() == reg.KindGP }

// isLegacySSE reports whether i is a vector instruction without VEX or EVEX prefix.
func isLegacySSE(i *ir.Instruction) bool {
	return !strings.HasPrefix(i.Opcode, "V") && slices.ContainsFunc(i.Registers(), isVector)
}

// unalignedSSE begins the names of the SSE instructions whose memory operand need not be aligned: they move without
// the demand, or they touch less than 16 bytes.
var unalignedSSE = []string{
	"MOVOU", "MOVUP", "LDDQU", "MOVQ", "MOVD", "MOVL", "MOVSS", "MOVSD", "MOVHP", "MOVLP",
	"PINSR", "PEXTR", "PMOVZX", "PMOVSX", "INSERTPS", "EXTRACTPS",
}

// alignedVEX lists the VEX and EVEX instructions that demand alignment.
var alignedVEX = []string{
	"VMOVDQA", "VMOVDQA32", "VMOVDQA64", "VMOVAPS", "VMOVAPD", "VMOVNTDQ", "VMOVNTDQA", "VMOVNTPS", "VMOVNTPD",
}

func mustAlign(i *ir.Instruction) bool {
	if slices.Contains(alignedVEX, i.Opcode) {
		return true
	}
	begins := func(prefix string) bool { return strings.HasPrefix(i.Opcode, prefix) }
	return isLegacySSE(i) && !slices.ContainsFunc(unalignedSSE, begins)
}

// isAligned reports whether m is known to be aligned for i: the linker puts static data whose size is a multiple of
// 16 at a multiple of 16. It promises no more than 32 bytes to any data, so wider operands never are.
func isAligned(m operand.Mem, i *ir.Instruction) bool {
	for _, r := range i.Registers() {
		if isVector(r) && r.Size() > 16 {
			return false
		}
	}
	return m.Base == reg.StaticBase && m.Index == nil && m.Disp%16 == 0
}

// vexOnly lists the VEX instructions with vector operands that have no EVEX form under the same name.
var vexOnly = strings.Fields(`
	VAESIMC VAESKEYGENASSIST VBLENDPD VBLENDPS VBLENDVPD VBLENDVPS VBROADCASTF128 VBROADCASTI128 VEXTRACTF128
	VEXTRACTI128 VINSERTF128 VINSERTI128 VLDDQU VMASKMOVPD VMASKMOVPS VMOVDQA VMOVDQU VMOVMSKPD VMOVMSKPS VMPSADBW
	VPAND VPANDN VPBLENDD VPBLENDVB VPBLENDW VPCMPESTRI VPCMPESTRM VPCMPISTRI VPCMPISTRM VPERM2F128 VPERM2I128
	VPHADDD VPHADDSW VPHADDW VPHMINPOSUW VPHSUBD VPHSUBSW VPHSUBW VPMASKMOVD VPMASKMOVQ VPMOVMSKB VPOR VPSIGNB
	VPSIGND VPSIGNW VPTEST VPXOR VTESTPD VTESTPS`)

// CheckRegisters checks what depends on the final registers, after avo's pass.BindRegisters.
func (f *Func) CheckRegisters() error {
	f.errs = nil
	names, _ := f.features()
	avx512 := slices.Contains(names, "avx512vl")
	for _, i := range f.Instructions() {
		for _, r := range i.Registers() {
			p, ok := r.(reg.Physical)
			switch {
			case !ok || !isVector(r) || p.PhysicalIndex() < 16:
			case !avx512:
				f.report(i, Level, "%s exists only with AVX-512, and the driver asks only for %v", r.Asm(), f.Needs)
			case slices.Contains(vexOnly, i.Opcode) || isLegacySSE(i):
				f.report(i, VEXOnly, "has no EVEX form, so it cannot use %s", r.Asm())
			}
		}
	}
	return errors.Join(f.errs...)
}
