package emit

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
)

// A Cond is a condition on the flags that the instruction before has set. Above and Below compare unsigned numbers,
// Greater and Less signed ones. After CMPQ(a, b), Below is a < b; after SUBQ(a, b), Below is that a was more than b.
type Cond uint8

const (
	Always Cond = iota
	Equal
	NotEqual
	Below
	NotBelow
	Above
	NotAbove
	Less
	NotLess
	Greater
	NotGreater

	Zero, NotZero = Equal, NotEqual // of a result
)

// opposites are pairs of conditions.
var opposites = [][2]Cond{
	{Equal, NotEqual}, {Below, NotBelow}, {Above, NotAbove}, {Less, NotLess}, {Greater, NotGreater},
}

// not is the condition that holds where cond does not.
func (cond Cond) not() Cond {
	for _, pair := range opposites {
		switch cond {
		case pair[0]:
			return pair[1]
		case pair[1]:
			return pair[0]
		}
	}
	panic(fmt.Sprintf("emit: condition %d has no opposite", cond))
}

// jump emits a jump to a label.
func (c *Ctx) jump(cond Cond, to operand.LabelRef) {
	jumps := map[Cond]func(operand.Op){
		Always: c.JMP,
		Equal:  c.JEQ, NotEqual: c.JNE,
		Below: c.JCS, NotBelow: c.JCC,
		Above: c.JHI, NotAbove: c.JLS,
		Less: c.JLT, NotLess: c.JGE,
		Greater: c.JGT, NotGreater: c.JLE,
	}
	jumps[cond](to)
}

// goOn emits a jump to a label, unless what was just emitted ends in a return or a jump, and reports whether it did.
func (c *Ctx) goOn(to operand.LabelRef) bool {
	if c.ended() {
		return false
	}
	c.jump(Always, to)
	return true
}

// ended reports whether the instruction just emitted is one behind which control does not go on.
func (c *Ctx) ended() bool {
	file, _ := c.Result()
	nodes := file.Functions()[len(file.Functions())-1].Nodes
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case ir.Label:
			return false
		case *ir.Instruction:
			return n.IsTerminal || n.IsUnconditionalBranch()
		}
	}
	return false
}

// If emits then for the case that cond holds.
func (c *Ctx) If(cond Cond, then func()) {
	skip := c.NewLabel("skip")
	c.jump(cond.not(), skip)
	then()
	c.Place(skip)
}

// IfElse emits then for the case that cond holds, and otherwise behind it for the case that it does not.
func (c *Ctx) IfElse(cond Cond, then, otherwise func()) {
	other, done := c.NewLabel("else"), c.NewLabel("done")
	c.jump(cond.not(), other)
	then()
	more := c.goOn(done)
	c.Place(other)
	otherwise()
	if more {
		c.Place(done)
	}
}

// Loop emits body, which runs again as long as cond holds at its end.
func (c *Ctx) Loop(cond Cond, body func()) {
	loop := c.NewLabel("loop")
	c.Place(loop)
	body()
	c.jump(cond, loop)
}

// While emits test and body, which run as long as cond holds behind test.
func (c *Ctx) While(test func(), cond Cond, body func()) {
	c.Block(func(leave Exit) {
		c.Loop(Always, func() {
			test()
			leave(cond.not())
			body()
		})
	})
}

// An Exit jumps to the end of the block that it belongs to if a condition holds.
type Exit func(Cond)

// To is the exit to a label that is placed by hand.
func (c *Ctx) To(l operand.LabelRef) Exit { return func(cond Cond) { c.jump(cond, l) } }

// Block emits body, which may go to its end from anywhere within.
func (c *Ctx) Block(body func(leave Exit)) {
	end, used := c.NewLabel("end"), false
	body(func(cond Cond) {
		c.jump(cond, end)
		used = true
	})
	if used {
		c.Place(end)
	}
}

// Cold emits a jump on cond to then, whose code stands behind the function's other code (see [Ctx.EmitCold]), out of
// the way of what runs often. From there control comes back here, unless then ends in a return or a jump.
func (c *Ctx) Cold(cond Cond, then func()) { c.ColdElse(cond, then, func() {}) }

// ColdElse is IfElse with then as cold code.
func (c *Ctx) ColdElse(cond Cond, then, otherwise func()) {
	cold, back := c.NewLabel("cold"), c.NewLabel("back")
	c.jump(cond, cold)
	otherwise()
	c.Place(back)
	c.cold = append(c.cold, func() {
		c.Place(cold)
		then()
		c.goOn(back)
	})
}

// EmitCold emits the cold code that waits, in the order of its conditions. It is called at the end of every function;
// call it where more code is to follow.
func (c *Ctx) EmitCold() {
	for len(c.cold) > 0 {
		next := c.cold[0]
		c.cold = c.cold[1:]
		next()
	}
}
