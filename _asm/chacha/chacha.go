package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// chacha emits ChaCha in one function, at one width, in two shapes.
//
// Wide: register i holds word i of as many blocks as it has lanes of 32 bits. All sixteen words take a register each;
// the blocks come out by a transposition.
//
// In rows: one register holds a row of four words, of as many blocks as it has lanes of 128 bits. A group is four
// registers. The columns of the state are lanes here, so one step does all four quarter rounds, and between columns and
// diagonals three rows are rotated. That leaves one chain of dependent instructions, bound by latency: other groups, or
// wide work, run in its shadow.
type chacha struct {
	vec.V
	st reg.Register // address of the block function's input

	// Where registers are scarce (see vexWide):
	rot16, rot8 operand.Op // byte shuffles, nil under EVEX

	later []func() // code that belongs behind the function's end
}

func newChaCha(v vec.V) *chacha {
	c := &chacha{V: v}
	if v.Encoding != vec.EVEX {
		c.rot16 = c.every("rot16", 0x0504070601000302, 0x0d0c0f0e09080b0a)
		c.rot8 = c.every("rot8", 0x0605040702010003, 0x0e0d0c0f0a09080b)
	}
	return c
}

// after keeps f's code for behind the function's return, out of the way of what runs often. flush emits it.
func (c *chacha) after(f func()) { c.later = append(c.later, f) }

func (c *chacha) flush() {
	for _, f := range c.later {
		f()
	}
	c.later = nil
}

// every is a constant block of two words, repeated as the register is wide.
func (c *chacha) every(name string, low, high uint64) operand.Mem {
	var words []uint64
	for range c.Blocks() {
		words = append(words, low, high)
	}
	return c.Data(fmt.Sprint(name, "x", c.Blocks()), words...)
}

// numbers is the constant first, first+1, ... in the lowest word of each lane of the given number of 32-bit words.
func (c *chacha) numbers(name string, first, words int) operand.Mem {
	bytes := make([]uint64, c.Bytes/8)
	for i := 0; i < c.Bytes/4; i += words {
		bytes[i/2] |= uint64(first+i/words) << (32 * (i % 2))
	}
	return c.Data(fmt.Sprint(name, first, "x", c.Blocks()), bytes...)
}

// word is word i of the input in memory.
func (c *chacha) word(i int) operand.Mem { return operand.Mem{Base: c.st, Disp: 4 * i} }

// rotate rotates the 32-bit lanes of x left by n bits.
func (c *chacha) rotate(n uint8, x, tmp vec.Reg) {
	var bytes operand.Op
	switch n {
	case 16:
		bytes = c.rot16
	case 8:
		bytes = c.rot8
	}
	c.RotateLeftD(n, x, tmp, bytes)
}

// quarter is the work of a quarter round on four registers.
type quarter struct{ a, b, c, d, tmp vec.Reg }

// quarters adds to s the steps of quarter rounds that run side by side (RFC 8439 section 2.1).
func (c *chacha) quarters(s *vec.Steps, qs ...quarter) {
	half := func(left, right uint8) {
		s.Add(c.each(qs, func(q quarter) { c.AddD(q.b, q.a, q.a) })...)
		s.Add(c.each(qs, func(q quarter) { c.Xor(q.a, q.d, q.d) })...)
		s.Add(c.each(qs, func(q quarter) { c.rotate(left, q.d, q.tmp) })...)
		s.Add(c.each(qs, func(q quarter) { c.AddD(q.d, q.c, q.c) })...)
		s.Add(c.each(qs, func(q quarter) { c.Xor(q.c, q.b, q.b) })...)
		s.Add(c.each(qs, func(q quarter) { c.rotate(right, q.b, q.tmp) })...)
	}
	half(16, 12)
	half(8, 7)
}

func (c *chacha) each(qs []quarter, f func(quarter)) []func() {
	steps := make([]func(), len(qs))
	for i, q := range qs {
		steps[i] = func() { f(q) }
	}
	return steps
}

// transpose4 turns four registers x of four lanes each about the diagonal, so that lane j of register i goes to lane i
// of register j. It needs one register more, spare, and returns the four results in order and the one that is spare
// then. low and high pick from two registers as UnpackLow and UnpackHigh do in the two stages.
func transpose4(x [4]vec.Reg, spare vec.Reg, low, high [2]func(a, b, dst vec.Reg)) ([4]vec.Reg, vec.Reg) {
	low[0](x[0], x[1], spare)
	high[0](x[0], x[1], x[0])
	low[0](x[2], x[3], x[1])
	high[0](x[2], x[3], x[2])
	high[1](spare, x[1], x[3])
	low[1](spare, x[1], spare)
	high[1](x[0], x[2], x[1])
	low[1](x[0], x[2], x[0])
	return [4]vec.Reg{spare, x[3], x[0], x[1]}, x[2]
}

// transposeWords does it with the 32-bit lanes of every block.
func (c *chacha) transposeWords(x [4]vec.Reg, spare vec.Reg) ([4]vec.Reg, vec.Reg) {
	type pick = [2]func(a, b, dst vec.Reg)
	return transpose4(x, spare,
		pick{c.unpackLowD, func(a, b, dst vec.Reg) { c.UnpackLowQ(b, a, dst) }},
		pick{c.unpackHighD, func(a, b, dst vec.Reg) { c.UnpackHighQ(b, a, dst) }})
}

// transposeBlocks does it with the 128-bit lanes of ZMM registers.
func (c *chacha) transposeBlocks(x [4]vec.Reg, spare vec.Reg) ([4]vec.Reg, vec.Reg) {
	shuffle := func(order uint8) func(a, b, dst vec.Reg) {
		return func(a, b, dst vec.Reg) { c.VSHUFI32X4(operand.U8(order), b, a, dst) }
	}
	type pick = [2]func(a, b, dst vec.Reg)
	// The first stage leaves blocks 0 and 1 of both registers in low and blocks 2 and 3 in high.
	return transpose4(x, spare, pick{shuffle(0x44), shuffle(0x88)}, pick{shuffle(0xee), shuffle(0xdd)})
}

// unpackLowD sets each block of dst to the two low words of a and b, alternating.
func (c *chacha) unpackLowD(a, b, dst vec.Reg) {
	if c.Encoding != vec.Legacy {
		c.VPUNPCKLDQ(b, a, dst)
		return
	}
	c.legacyFrom(a, dst)
	c.PUNPCKLLQ(b, dst)
}

// unpackHighD does it with the two high words.
func (c *chacha) unpackHighD(a, b, dst vec.Reg) {
	if c.Encoding != vec.Legacy {
		c.VPUNPCKHDQ(b, a, dst)
		return
	}
	c.legacyFrom(a, dst)
	c.PUNPCKHLQ(b, dst)
}

func (c *chacha) legacyFrom(a, dst vec.Reg) {
	if a != dst {
		c.Move(a, dst)
	}
}
