// Package lint finds mistakes in assembly that avo, the Go assembler and go vet let through: it looks at avo's
// instruction list before it is printed. Each rule has its reason beside its name below.
//
// The rules "unwritten", "vzeroupper" and "secret" follow the flow of control: they know what holds on every path to an
// instruction.
package lint

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/ir"
)

// A Rule is the name of one kind of mistake.
type Rule string

const (
	// Level: an instruction or register needs a CPU feature that the driver does not ask for, so it faults on a CPU
	// that the driver is offered on.
	Level Rule = "level"
	// LegacySSE: an SSE-encoded vector instruction in a function that uses AVX. With a dirty upper half it costs a
	// state transition or a false dependency (540-620 ns against 420-430 in a loop measured for this project).
	LegacySSE Rule = "legacy-sse"
	// VEXOnly: a register from 16 up in an instruction that has no EVEX form; only the assembler notices.
	VEXOnly Rule = "vex-only"
	// Unaligned: a memory operand that must be aligned and may not be. SSE instructions other than the unaligned
	// moves fault there, and so do aligned moves in any encoding.
	Unaligned Rule = "unaligned"
	// Unwritten: a register is read that no instruction has written on some path.
	Unwritten Rule = "unwritten"
	// Return: the function can run off its end.
	Return Rule = "return"
	// VZeroUpper: a return without VZEROUPPER while the upper halves may be in use, which slows down the SSE code
	// of whoever runs next.
	VZeroUpper Rule = "vzeroupper"
	// ZeroMaskedStore: a zero-masked store to memory. It assembles, and is an illegal instruction when run.
	ZeroMaskedStore Rule = "zero-masked-store"
	// Call: a call. What the other function reads, writes and leaves behind is unknown here, so the rules that follow
	// the flow of control would miss it.
	Call Rule = "call"
	// Secret: a branch, an address, an opmask or a division depends on what was in a vector register, where keys
	// and data are.
	Secret Rule = "secret"
)

// Func is a function to check, with what its generator said about it.
type Func struct {
	*ir.Function
	// Needs lists the features and levels of the driver, by the names of kcrypto/internal/cpu.
	Needs []string
	// Allowed holds the exceptions: which rule an instruction may break, and why.
	Allowed map[*ir.Instruction]map[Rule]string

	used map[*ir.Instruction]map[Rule]bool // exceptions that were needed
	errs []error
}

// Check applies all rules. The function has its control flow graph (avo's pass.CFG) and still has its virtual
// registers, which are easier to follow. What needs the final registers is checked by [Func.CheckRegisters].
func (f *Func) Check() error {
	f.used = map[*ir.Instruction]map[Rule]bool{}
	f.checkReturn()
	f.checkForms()
	f.checkUnwritten()
	f.checkVZeroUpper()
	f.checkSecret()
	f.checkExceptions()
	return errors.Join(f.errs...)
}

// report records a breach of rule by i unless there is an exception for it.
func (f *Func) report(i *ir.Instruction, rule Rule, format string, args ...any) {
	if !f.excepts(i, rule) {
		f.errs = append(f.errs, fmt.Errorf("%s: %s: %s: %s", f.Name, rule, text(i), fmt.Sprintf(format, args...)))
	}
}

// excepts reports whether there is an exception from rule for i, and notes that it was needed.
func (f *Func) excepts(i *ir.Instruction, rule Rule) bool {
	_, ok := f.Allowed[i][rule]
	if ok {
		if f.used[i] == nil {
			f.used[i] = map[Rule]bool{}
		}
		f.used[i][rule] = true
	}
	return ok
}

// checkExceptions refuses exceptions that nothing needed, and exceptions without a reason.
func (f *Func) checkExceptions() {
	for _, i := range f.Instructions() {
		for rule, reason := range f.Allowed[i] {
			switch {
			case rule == VEXOnly || rule == Return || rule == Call:
				f.errs = append(f.errs, fmt.Errorf("%s: %s: there is no exception from the rule %q", f.Name, text(i), rule))
			case !f.used[i][rule]:
				f.errs = append(f.errs, fmt.Errorf("%s: %s: the exception from the rule %q is not needed", f.Name, text(i), rule))
			case strings.TrimSpace(reason) == "":
				f.errs = append(f.errs, fmt.Errorf("%s: %s: the exception from the rule %q has no reason", f.Name, text(i), rule))
			}
		}
	}
}

// checkReturn finds instructions after which control leaves the function's end.
func (f *Func) checkReturn() {
	all := f.Instructions()
	if len(all) == 0 {
		f.errs = append(f.errs, fmt.Errorf("%s: %s: the function is empty", f.Name, Return))
	}
	for _, i := range all {
		for _, next := range i.Succ {
			if next == nil {
				f.report(i, Return, "control runs off the end of the function; end it with RET")
			}
		}
	}
}

// text is the instruction as it will be printed.
func text(i *ir.Instruction) string {
	var ops []string
	for _, op := range i.Operands {
		ops = append(ops, op.Asm())
	}
	return strings.TrimSpace(i.OpcodeWithSuffixes() + " " + strings.Join(ops, ", "))
}
