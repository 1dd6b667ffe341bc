package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/lint"
	"kcrypto/_asm/vec"
)

// The functions stream(c, dst, src, n, iv, block) are the stream cipher alone: without Poly1305, and with the key and the
// IV where they lie instead of a state made of them.

// xmm is c for the low 16 bytes of its registers.
func (c *chacha) xmm() *chacha {
	return &chacha{V: c.As(vec.Width{Bytes: 16, Encoding: c.Encoding})}
}

// streamInput makes ready the input and returns where the number of rounds is.
//
// The IV is read before any output is written, since it may lie there, and word by word: callers store into it just
// before, and a load of what more than one store wrote waits until those stores are done.
func (c *chacha) streamInput() (rounds operand.Mem) {
	k, frame := c.Dereference(c.Param("c")), c.AllocLocal(16)
	key := func(i int) operand.Mem { return place(k.Field("key").Index(i)) }
	c.in = [4]operand.Mem{c.Data("constants", 0x3320646e61707865, 0x6b20657479622d32), key(0), key(4), frame}

	iv, counter := c.Arg("iv"), c.Arg("block")
	c.ADDL(operand.Mem{Base: iv}, counter.As32())
	x := c.xmm()
	w := x.Range(0, 4)
	x.loadD(counter.As32(), w[0])
	for i := 1; i < 4; i++ {
		x.loadD(operand.Mem{Base: iv, Disp: 4 * i}, w[i])
	}
	x.unpackLowD(w[0], w[1], w[0])
	x.unpackLowD(w[2], w[3], w[2])
	x.UnpackLowQ(w[2], w[0], w[0])
	x.Store(w[0], frame)
	return place(k.Field("rounds"))
}

// loadD puts a word into the lowest lane of r and clears the others. (Go's assembler takes MOVD for MOVQ: it would load eight
// bytes.)
func (c *chacha) loadD(word operand.Op, r vec.Reg) {
	switch {
	case c.Encoding != vec.Legacy:
		c.VMOVD(word, r)
	case operand.IsMem(word):
		c.MOVSS(word, r)
	default:
		c.MOVD(word, r)
	}
}

// streamText is the text, with the bytes left in a register.
func streamText(v vec.V) text {
	return text{v, v.Arg("dst"), v.Arg("src"), v.Arg("n"), nil}
}

// count adds n to the counter. It takes the whole row, so that the whole row can be loaded next without waiting. Clobbers
// register 0.
func (c *chacha) count(n int) {
	x := c.xmm()
	r := x.Reg(0)
	x.Load(c.in[3], r)
	x.AddD(c.Data(fmt.Sprint("blocks", n), uint64(n), 0), r, r)
	x.Store(r, c.in[3])
}

// stream emits stream under EVEX.
func (s *masked) stream() {
	s.t = streamText(s.V)
	s.rounds = s.streamInput()
	s.passes(func() {})
}

// stream emits stream without opmasks. A message that fits in rows goes from registers to the text.
func (s *stepped) stream() {
	s.t = streamText(s.V)
	s.rounds = s.streamInput()
	n := s.t.n
	next, row, rows, whole, tail, done := s.NewLabel("next"), s.NewLabel("row"), s.NewLabel("rows"), s.NewLabel("whole"),
		s.NewLabel("tail"), s.NewLabel("done")

	s.Place(next)
	s.CMPQ(n, operand.U32(uint32(64*s.Blocks())))
	s.JLS(row)
	s.CMPQ(n, operand.U32(uint32(64*2*s.Blocks())))
	s.JLS(rows)
	s.wide()
	s.CMPQ(n, operand.U32(uint32(64*s.blocks())))
	s.JCC(whole)
	s.toBuffer()
	s.useBuffer()
	s.JMP(tail)

	s.Place(whole)
	s.direct()
	s.wipe(0, 3)
	s.TESTQ(n, n)
	s.JNE(next)
	s.Place(done)
	s.Return()

	s.Place(row)
	s.streamRows(1, tail, done)
	s.Place(rows)
	s.streamRows(2, tail, done)
	s.Place(tail)
	s.tail(done)
	s.JMP(done)
}

// streamRows computes n groups and XORs them into what is left, which needs no more. It goes on at tail with the register
// that the text ends in, and what is left then, or at done.
func (s *stepped) streamRows(n int, tail, done operand.LabelRef) {
	all := s.rows(n)
	x := s.Reg(13)
	ends := make([]operand.LabelRef, len(all))
	sure := len(all) * (n - 1) / n // registers: what needs no more than n-1 groups went another way
	for i, r := range all {
		if i >= sure {
			ends[i] = s.NewLabel("end")
			s.CMPQ(s.t.n, operand.U32(uint32(s.Bytes*(i+1))))
			s.JCS(ends[i])
		}
		s.xorText(r, x, s.Bytes*i)
	}
	s.JMP(done)
	before := s.GP64()
	advance := s.NewLabel("advance")
	for i := sure; i < len(all); i++ {
		s.Place(ends[i])
		s.Move(all[i], s.Reg(0))
		s.MOVL(operand.U32(uint32(s.Bytes*i)), before.As32())
		if i < len(all)-1 {
			s.JMP(advance)
		}
	}
	s.Place(advance)
	s.t.advance(before)
	s.JEQ(done)
	s.JMP(tail)
}

// xorText XORs a register of keystream into the text at a distance. Clobbers r and tmp.
func (s *stepped) xorText(r, tmp vec.Reg, at int) {
	src, dst := operand.Mem{Base: s.t.src, Disp: at}, operand.Mem{Base: s.t.dst, Disp: at}
	if s.Encoding == vec.Legacy {
		s.Load(src, tmp) // SSE faults on operands that are not aligned
		s.Xor(tmp, r, r)
	} else {
		s.Xor(src, r, r)
	}
	s.Store(r, dst)
}

// useBuffer XORs the keystream in the buffer into what is left but for less than a register, puts the keystream for
// that into register 0, and wipes the buffer.
func (s *stepped) useBuffer() {
	ks := s.GP64()
	s.LEAQ(s.buf, ks)
	s.Allow(lint.Secret, "where the frame lies is public")
	loop, enough := s.NewLabel("xor"), s.NewLabel("enough")
	k := s.Reg(0)
	s.Place(loop)
	s.Load(operand.Mem{Base: ks}, k)
	s.CMPQ(s.t.n, operand.Imm(uint64(s.Bytes)))
	s.JCS(enough)
	s.xorText(k, s.Reg(1), 0)
	s.ADDQ(operand.Imm(uint64(s.Bytes)), ks)
	s.t.advance(operand.Imm(uint64(s.Bytes)))
	s.JMP(loop)
	s.Place(enough)
	s.wipe(0, 19)
}

// tail XORs register 0 into the rest of the text, less than a register. It goes on at done if that ends with 16 bytes.
func (s *stepped) tail(done operand.LabelRef) {
	x := s.xmm()
	k := x.Reg(0)
	if s.Bytes > 16 {
		s.ifHas(s.t.n.(reg.GPVirtual), 16, func() {
			x.Xor(operand.Mem{Base: s.t.src}, k, x.Reg(1))
			x.Store(x.Reg(1), operand.Mem{Base: s.t.dst})
			s.ExtractBlock(1, s.Reg(0), k)
			s.t.advance(operand.Imm(16))
			s.JEQ(done)
		})
	}
	x.Store(k, s.buf)
	ks := s.GP64()
	s.LEAQ(s.buf, ks)
	s.Allow(lint.Secret, "where the frame lies is public")
	s.parts(ks, s.t.n.(reg.GPVirtual))
	x.Zero(k)
	x.Store(k, s.buf)
}
