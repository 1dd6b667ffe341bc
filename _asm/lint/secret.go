package lint

import (
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The rule "secret" takes every vector register for secret and follows what leaves them: general registers and
// opmasks (by their IDs), the flags, and the stack frame as one whole. A value may be stored, and may be computed
// with; it may not decide a branch, an address, a mask or a division.
//
// What is loaded from memory into a general register counts as public (lengths, round counts, pointers), except
// from the frame. So this rule does not see data that never was in a vector register.
const (
	flags = reg.ID(1<<32 - 1)
	frame = reg.ID(1<<32 - 2)
)

func sized(names string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(names) {
		for _, size := range []string{"B", "W", "L", "Q"} {
			m[name+size] = true
		}
	}
	return m
}

var (
	// setsFlags lists the scalar instructions that write flags.
	setsFlags = sized(`ADC ADCX ADD ADOX AND ANDN BEXTR BLSI BLSMSK BLSR BSF BSR BT BTC BTR BTS BZHI CMP CMPXCHG DEC
		DIV IDIV IMUL IMUL3 INC LZCNT MUL NEG OR POPCNT RCL RCR ROL ROR SAL SAR SBB SHL SHR SUB TEST TZCNT XADD XOR
		KORTEST KTEST`)
	// usesFlags lists those that compute with them; CMOV and SET are known by their prefix.
	usesFlags = sized("ADC ADCX ADOX SBB RCL RCR")
	divides   = sized("DIV IDIV")
	// vectorFlags begins the names of vector instructions whose result is the flags.
	vectorFlags = []string{"PTEST", "VPTEST", "VTESTP", "COMIS", "VCOMIS", "UCOMIS", "VUCOMIS",
		"PCMPESTR", "PCMPISTR", "VPCMPESTR", "VPCMPISTR"}
	// laneBits begins the names of those that collect one bit a lane into a general register.
	laneBits = []string{"PMOVMSK", "VPMOVMSK", "MOVMSK", "VMOVMSK"}
)

func beginsWith(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// isFrame reports whether m lies in the function's own stack frame.
func isFrame(m operand.Mem) bool {
	return m.Base == reg.StackPointer || m.Base != nil && m.Base.ID() == reg.RSP.ID()
}

// secretInput reports whether i computes with something secret; s is what is secret before it.
func secretInput(i *ir.Instruction, s set) bool {
	for _, r := range reads(i) {
		if isVector(r) || s[r.ID()] {
			return true
		}
	}
	for _, op := range i.Inputs {
		if m, ok := op.(operand.Mem); ok && isFrame(m) && s[frame] {
			return true
		}
	}
	usesF := usesFlags[i.Opcode] || strings.HasPrefix(i.Opcode, "CMOV") || strings.HasPrefix(i.Opcode, "SET")
	return usesF && s[flags]
}

// follow changes s, what is secret before i, into what is secret after it.
func (f *Func) follow(i *ir.Instruction, s set) {
	secret := secretInput(i, s) && !f.excepts(i, Secret)
	put := func(id reg.ID, whole bool) {
		if secret {
			s[id] = true
		} else if whole {
			delete(s, id)
		}
	}
	for _, r := range i.OutputRegisters() {
		if !isVector(r) {
			put(r.ID(), r.Size() >= 4)
		}
	}
	for _, op := range i.Outputs {
		if m, ok := op.(operand.Mem); ok && isFrame(m) {
			put(frame, false)
		}
	}
	if setsFlags[i.Opcode] || beginsWith(i.Opcode, vectorFlags) {
		put(flags, true)
	}
}

// checkSecret finds where time or an access pattern depends on a secret.
func (f *Func) checkSecret() {
	secrets := f.flow(union, f.follow)
	for _, i := range f.Instructions() {
		s, reachable := secrets[i]
		if !reachable {
			continue
		}
		for _, op := range i.Operands {
			if m, ok := op.(operand.Mem); ok {
				f.checkAddress(i, m, s)
			}
		}
		input := secretInput(i, s)
		if input && f.excepts(i, Secret) { // its result is declared public
			continue
		}
		switch {
		case i.IsConditional && s[flags]:
			f.report(i, Secret, "branches on flags that come from a vector register")
		case beginsWith(i.Opcode, vectorFlags):
			f.report(i, Secret, "takes flags from a vector register")
		case beginsWith(i.Opcode, laneBits):
			f.report(i, Secret, "takes a mask from a vector register")
		case divides[i.Opcode] && input:
			f.report(i, Secret, "divides, in a time that depends on a value from a vector register")
		case input && slices.ContainsFunc(i.OutputRegisters(), isOpmask):
			f.report(i, Secret, "takes an opmask from a vector register")
		}
	}
}

// checkAddress finds addresses that come from a vector register.
func (f *Func) checkAddress(i *ir.Instruction, m operand.Mem, s set) {
	for _, r := range []reg.Register{m.Base, m.Index} {
		switch {
		case r == nil:
		case isVector(r):
			f.report(i, Secret, "takes addresses from the vector register %s", r.Asm())
		case s[r.ID()]:
			f.report(i, Secret, "takes an address from %s, which comes from a vector register", r.Asm())
		}
	}
}
