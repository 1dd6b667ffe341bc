package emit

import (
	"errors"
	"fmt"
	"go/types"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/lint"
)

// Ctx is avo's build context for one file. Every instruction is a method of it: c.VPADDD(a, b, dst).
type Ctx struct {
	*build.Context
	pkg    *types.Package // that the file belongs to; nil for tests of pieces
	fn     *lintFunc
	funcs  map[string]*lintFunc
	data   map[string][]uint64
	labels int
	cold   []func() // code that waits for EmitCold
}

type lintFunc = lint.Func

func newCtx(pkg *types.Package) *Ctx {
	return &Ctx{Context: build.NewContext(), pkg: pkg, funcs: map[string]*lintFunc{}, data: map[string][]uint64{}}
}

// Func begins the function that the Go package declares under this name, for drivers with these needs: the same
// names of internal/cpu as in the driver's table. The lint refuses every instruction that needs more.
func (c *Ctx) Func(name string, needs ...string) {
	c.EmitCold()
	c.implement(name)
	c.begin(name, needs)
}

// FuncType begins a function of this type, "func(dst *byte, n int)", that no package declares: for tests of pieces.
func (c *Ctx) FuncType(name, signature string, needs ...string) {
	c.EmitCold()
	c.Function(name)
	c.SignatureExpr(signature)
	c.begin(name, needs)
}

func (c *Ctx) begin(name string, needs []string) {
	c.Attributes(attr.NOSPLIT)
	c.fn = &lintFunc{Needs: needs, Allowed: map[*ir.Instruction]map[lint.Rule]string{}}
	c.funcs[name] = c.fn
}

// MOVL refuses what avo drops in silence: a move of a register to itself, which clears the upper half.
func (c *Ctx) MOVL(from, to operand.Op) {
	if from == to {
		panic("MOVL of a register to itself: avo drops it; ORL clears the upper half, too")
	}
	c.Context.MOVL(from, to)
}

// Arg loads the 8-byte argument called name (a pointer or an int) into a new register.
func (c *Ctx) Arg(name string) reg.GPVirtual {
	r := c.GP64()
	c.Load(c.Param(name), r)
	return r
}

// Allow lets the instruction just emitted break a rule of the lint, for a reason. With [lint.Secret] it also declares
// that what the instruction writes is public. An exception that is not needed is an error.
func (c *Ctx) Allow(rule lint.Rule, reason string) {
	file, _ := c.Result()
	funcs := file.Functions()
	all := funcs[len(funcs)-1].Instructions()
	c.fn.Allowed[all[len(all)-1]] = map[lint.Rule]string{rule: reason}
}

// lint returns check as one of avo's passes. It reports what is wrong with all functions, not with the first alone.
func (c *Ctx) lint(check func(*lintFunc) error) pass.Interface {
	return pass.Func(func(file *ir.File) error {
		var errs []error
		for _, fn := range file.Functions() {
			f, ok := c.funcs[fn.Name]
			if !ok {
				return fmt.Errorf("%s was begun with avo's Function; use Func, which names its needs", fn.Name)
			}
			f.Function = fn
			errs = append(errs, check(f))
		}
		return errors.Join(errs...)
	})
}

// Align puts the next instruction at a multiple of n bytes (16, 32 or 64). Use it before the label of a hot loop.
func (c *Ctx) Align(n int) {
	c.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.Imm(uint64(n))}})
}

// NewLabel returns a label's name that nothing else in this file has.
func (c *Ctx) NewLabel(prefix string) operand.LabelRef {
	c.labels++
	return operand.LabelRef(fmt.Sprintf("%s_%d", prefix, c.labels))
}

// Place puts a label that NewLabel made here.
func (c *Ctx) Place(l operand.LabelRef) { c.Label(string(l)) }

// Data returns the read-only constant called name, made of little-endian 64-bit words. Asking twice for one name makes
// it once. Constants of 16 bytes and more are aligned to 16.
func (c *Ctx) Data(name string, words ...uint64) operand.Mem {
	m := operand.NewDataAddr(operand.NewStaticSymbol(name), 0)
	if have, ok := c.data[name]; ok {
		if !slices.Equal(have, words) {
			panic(fmt.Sprintf("emit: constant %s is asked for with two different values", name))
		}
		return m
	}
	c.data[name] = words
	c.StaticGlobal(name)
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, w := range words {
		c.AddDatum(8*i, operand.U64(w))
	}
	return m
}
