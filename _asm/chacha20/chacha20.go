// Package chacha20 emits pieces of ChaCha's block function (RFC 8439, section 2.3), from input to keystream, in three
// shapes: wide (wide.go) and in rows (rows.go), in vector registers at any width, and one block in general registers
// (scalar.go). The rounds come as [vec.Steps], so that whoever puts the pieces together can weave other work between
// them. Generator chacha has the functions that are made of them.
package chacha20

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// ChaCha emits ChaCha in one function, at one width, in two shapes.
//
// Wide: register i holds word i of as many blocks as it has lanes of 32 bits. All sixteen words take a register each;
// the blocks come out by a transposition.
//
// In rows: one register holds a row of four words, of as many blocks as it has lanes of 128 bits. A group is four
// registers. The columns of the state are lanes here, so one step does all four quarter rounds, and between columns and
// diagonals three rows are rotated. That leaves one chain of dependent instructions, bound by latency: other groups, or
// wide work, run in its shadow.
type ChaCha struct {
	vec.V
	In [4]operand.Mem // where the rows of the block function's input are

	rot16, rot8 operand.Op // byte shuffles, nil under EVEX
}

// New emits at the width of v. It emits nothing itself.
func New(v vec.V) *ChaCha {
	c := &ChaCha{V: v}
	if v.Encoding != vec.EVEX {
		c.rot16 = c.Every("rot16", 0x0504070601000302, 0x0d0c0f0e09080b0a)
		c.rot8 = c.Every("rot8", 0x0605040702010003, 0x0e0d0c0f0a09080b)
	}
	return c
}

// Text is the message under way: its addresses, and the bytes left.
type Text struct {
	vec.V
	Dst, Src reg.GPVirtual
	N        operand.Op
}

// Advance moves on by n bytes: Dst, Src, N. It leaves the flags of what is left.
func (t Text) Advance(n operand.Op) {
	t.ADDQ(n, t.Dst)
	t.ADDQ(n, t.Src)
	t.SUBQ(n, t.N)
}

// Every is a constant block of two words, repeated as the register is wide.
func (c *ChaCha) Every(name string, low, high uint64) operand.Mem {
	var words []uint64
	for range c.Blocks() {
		words = append(words, low, high)
	}
	return c.Data(fmt.Sprint(name, "x", c.Blocks()), words...)
}

// Numbers is the constant first, first+1, ... in the lowest word of each lane of the given number of 32-bit words.
func (c *ChaCha) Numbers(name string, first, words int) operand.Mem {
	bytes := make([]uint64, c.Bytes/8)
	for i := 0; i < c.Bytes/4; i += words {
		bytes[i/2] |= uint64(first+i/words) << (32 * (i % 2))
	}
	return c.Data(fmt.Sprint(name, first, "x", c.Blocks()), bytes...)
}

// Word is word i of the input in memory.
func (c *ChaCha) Word(i int) operand.Mem { return c.In[i/4].Offset(4 * (i % 4)) }

// rotate rotates the 32-bit lanes of x left by n bits.
func (c *ChaCha) rotate(n uint8, x, tmp vec.Reg) {
	var bytes operand.Op
	switch n {
	case 16:
		bytes = c.rot16
	case 8:
		bytes = c.rot8
	}
	c.RotateLeftD(n, x, tmp, bytes)
}

// Quarter is the work of a quarter round on four registers. tmp is scratch. With tmp2, the quarter round is made as
// short as it can be rather than as small: see step.
type Quarter struct{ A, B, C, D, Tmp, Tmp2 vec.Reg }

// First and second name the registers of the two kinds of steps for Step.
func (q Quarter) First() (x, add, y vec.Reg)  { return q.A, q.B, q.D }
func (q Quarter) Second() (x, add, y vec.Reg) { return q.C, q.D, q.B }

// quarters adds to s the steps of quarter rounds that run side by side (RFC 8439 section 2.1).
//
// All of one kind of instruction before the next kind: with a lag between them rows take up to 1.17 times as long on
// Zen 4.
func (c *ChaCha) quarters(s *vec.Steps, qs ...Quarter) {
	half := func(left, right uint8) {
		c.Step(s, left, qs, Quarter.First)
		c.Step(s, right, qs, Quarter.Second)
	}
	half(16, 12)
	half(8, 7)
}

// Step adds to s a quarter of quarter rounds: x += add, y = (y ^ x) <<< n, for the registers that pick names.
//
// x is what the step makes, while y has been ready for some time. A rotation takes two cycles on Zen 4, so XOR and
// rotation are three cycles from x on. Rotating y alone first, and XORing both halves of x's rotation into it in one
// three-way XOR, is five instructions for three, but two cycles from x on. It pays where nothing else needs the vector
// units. The rotation must stand before the addition: behind it, it gets in the way of the shifts.
//
// What other steps there are go in behind the addition.
func (c *ChaCha) Step(s *vec.Steps, n uint8, qs []Quarter, pick func(Quarter) (x, add, y vec.Reg), other ...func()) {
	all := func(f func(q Quarter, x, add, y vec.Reg)) {
		for _, q := range qs {
			s.Add(func() {
				x, add, y := pick(q)
				f(q, x, add, y)
			})
		}
	}
	if qs[0].Tmp2 != nil {
		all(func(q Quarter, x, add, y vec.Reg) { c.rotate(n, y, nil) })
		all(func(q Quarter, x, add, y vec.Reg) { c.AddD(add, x, x) })
		s.Add(other...)
		all(func(q Quarter, x, add, y vec.Reg) { c.ShiftLeftD(n, x, q.Tmp) })
		all(func(q Quarter, x, add, y vec.Reg) { c.ShiftRightD(32-n, x, q.Tmp2) })
		all(func(q Quarter, x, add, y vec.Reg) { c.Xor3(q.Tmp, q.Tmp2, y) })
		return
	}
	all(func(q Quarter, x, add, y vec.Reg) { c.AddD(add, x, x) })
	s.Add(other...)
	all(func(q Quarter, x, add, y vec.Reg) { c.Xor(x, y, y) })
	all(func(q Quarter, x, add, y vec.Reg) { c.rotate(n, y, q.Tmp) })
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

// TransposeWords is transpose4 with the 32-bit lanes of every block.
func (c *ChaCha) TransposeWords(x [4]vec.Reg, spare vec.Reg) ([4]vec.Reg, vec.Reg) {
	type pick = [2]func(a, b, dst vec.Reg)
	return transpose4(x, spare,
		pick{c.UnpackLowD, func(a, b, dst vec.Reg) { c.UnpackLowQ(b, a, dst) }},
		pick{c.unpackHighD, func(a, b, dst vec.Reg) { c.UnpackHighQ(b, a, dst) }})
}

// transposeBlocks is transpose4 with the 128-bit lanes of ZMM registers.
func (c *ChaCha) transposeBlocks(x [4]vec.Reg, spare vec.Reg) ([4]vec.Reg, vec.Reg) {
	shuffle := func(order uint8) func(a, b, dst vec.Reg) {
		return func(a, b, dst vec.Reg) { c.VSHUFI32X4(operand.U8(order), b, a, dst) }
	}
	type pick = [2]func(a, b, dst vec.Reg)
	// The first stage leaves blocks 0 and 1 of both registers in low and blocks 2 and 3 in high.
	return transpose4(x, spare, pick{shuffle(0x44), shuffle(0x88)}, pick{shuffle(0xee), shuffle(0xdd)})
}

// JoinLanes makes two blocks of four YMM registers x, each with 16 bytes of both, and returns them, in ZMM registers
// x[1] and x[3]. Clobbers x.
func (c *ChaCha) JoinLanes(x [4]vec.Reg) []vec.Reg {
	var z [4]vec.Reg
	for i, r := range x {
		z[i] = vec.ZMM.View(r)
	}
	c.VINSERTI64X4(operand.U8(1), x[1], z[0], z[0])
	c.VINSERTI64X4(operand.U8(1), x[3], z[2], z[2])
	c.VSHUFI32X4(operand.U8(0x88), z[2], z[0], z[1]) // their lanes 0 and 2
	c.VSHUFI32X4(operand.U8(0xdd), z[2], z[0], z[3]) // 1 and 3
	return []vec.Reg{z[1], z[3]}
}

// UnpackLowD sets each block of dst to the two low words of a and b, alternating.
func (c *ChaCha) UnpackLowD(a, b, dst vec.Reg) {
	if c.Encoding != vec.Legacy {
		c.VPUNPCKLDQ(b, a, dst)
		return
	}
	c.legacyFrom(a, dst)
	c.PUNPCKLLQ(b, dst)
}

// unpackHighD is UnpackLowD with the two high words.
func (c *ChaCha) unpackHighD(a, b, dst vec.Reg) {
	if c.Encoding != vec.Legacy {
		c.VPUNPCKHDQ(b, a, dst)
		return
	}
	c.legacyFrom(a, dst)
	c.PUNPCKHLQ(b, dst)
}

func (c *ChaCha) legacyFrom(a, dst vec.Reg) {
	if a != dst {
		c.Move(a, dst)
	}
}
