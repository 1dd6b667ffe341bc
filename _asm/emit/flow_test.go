package emit_test

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/internal/probe"
)

// conds are all conditions.
var conds = []struct {
	name string
	cond emit.Cond
}{
	{"Equal", emit.Equal}, {"NotEqual", emit.NotEqual},
	{"Below", emit.Below}, {"NotBelow", emit.NotBelow}, {"Above", emit.Above}, {"NotAbove", emit.NotAbove},
	{"Less", emit.Less}, {"NotLess", emit.NotLess}, {"Greater", emit.Greater}, {"NotGreater", emit.NotGreater},
}

// TestFlow runs what each helper makes. The functions return a word in which every piece that ran has added its digit,
// behind those before it.
func TestFlow(t *testing.T) {
	probe.Run(t, "flow_test.go.txt", declarations(), func(c *emit.Ctx) {
		for _, k := range conds {
			flow(c, k.name, func(f function) {
				f.compare()
				c.If(k.cond, f.digit(1))
				f.compare()
				c.IfElse(k.cond, f.digit(2), f.digit(3))
				f.compare()
				c.Cold(k.cond, f.digit(4))
				f.compare()
				c.ColdElse(k.cond, func() {
					f.digit(5)()
					f.compare()
					c.Cold(k.cond, f.digit(6)) // cold code within cold code
				}, f.digit(7))
				f.ret()
			})
		}
		flow(c, "Loops", func(f function) {
			c.Loop(emit.NotZero, func() {
				f.digit(1)()
				c.DECQ(f.a)
			})
			c.While(func() { c.TESTQ(f.b, f.b) }, emit.NotZero, func() {
				f.digit(2)()
				c.DECQ(f.b)
			})
			f.ret()
		})
		flow(c, "Exits", func(f function) {
			c.Block(func(leave emit.Exit) {
				f.compare()
				c.If(emit.Equal, func() {
					f.digit(1)()
					leave(emit.Always)
				})
				f.digit(2)()
				f.compare()
				leave(emit.Below)
				f.digit(3)()
			})
			f.ret()
		})
		flow(c, "Ends", func(f function) {
			f.compare()
			c.IfElse(emit.Equal, func() { f.digit(1)(); f.ret() }, func() {
				f.compare()
				c.IfElse(emit.Below, func() { f.digit(2)(); f.ret() }, func() {
					f.compare()
					c.Cold(emit.Above, func() { f.digit(3)(); f.ret() })
					f.ret()
				})
			})
		})
	})
}

// declarations are of the functions that TestFlow makes.
func declarations() (s string) {
	names := []string{"Loops", "Exits", "Ends"}
	for _, k := range conds {
		names = append(names, k.name)
	}
	for _, name := range names {
		s += "func flow" + name + "(a, b uint64) uint64\n"
	}
	return s
}

// function is one of TestFlow's while it is made.
type function struct {
	c         *emit.Ctx
	a, b, sum operand.Op
}

func flow(c *emit.Ctx, name string, body func(f function)) {
	c.FuncType("flow"+name, "func(a, b uint64) uint64", "sse2")
	f := function{c, c.Arg("a"), c.Arg("b"), c.GP64()}
	c.MOVQ(operand.U32(0), f.sum)
	body(f)
}

func (f function) compare() { f.c.CMPQ(f.a, f.b) }

func (f function) digit(n uint64) func() {
	return func() {
		f.c.IMUL3Q(operand.Imm(10), f.sum, f.sum)
		f.c.ADDQ(operand.Imm(n), f.sum)
	}
}

func (f function) ret() {
	f.c.MOVQ(f.sum, result(f.c))
	f.c.RET()
}

func result(c *emit.Ctx) operand.Mem {
	r, err := c.ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	return r.Addr
}

// TestNoDeadJumps: no jump stands behind a return, where nothing reaches it.
func TestNoDeadJumps(t *testing.T) {
	text, err := emit.Generate("x", nil, emit.File{Name: "x_amd64.s", Body: func(c *emit.Ctx) {
		flow(c, "Both", func(f function) {
			f.compare()
			c.IfElse(emit.Equal, f.ret, func() {
				f.compare()
				c.IfElse(emit.Below, f.ret, f.ret)
			})
		})
	}})
	if err != nil || strings.Contains(string(text), "JMP") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestNoOpposite: If needs a condition that may not hold.
func TestNoOpposite(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("If(Always) is accepted")
		}
	}()
	emit.Generate("x", nil, emit.File{Name: "x_amd64.s", Body: func(c *emit.Ctx) {
		c.FuncType("f", "func()")
		c.If(emit.Always, c.RET)
	}})
}
