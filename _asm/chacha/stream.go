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

// streamInput makes in the rows of the input: constants, key, and row, which beginStream makes. It returns where the number
// of rounds is.
func (c *chacha) streamInput(row operand.Mem) (rounds operand.Mem) {
	k := c.Dereference(c.Param("c"))
	key := func(i int) operand.Mem { return place(k.Field("key").Index(i)) }
	c.in = [4]operand.Mem{c.Data("constants", 0x3320646e61707865, 0x6b20657479622d32), key(0), key(4), row}
	return place(k.Field("rounds"))
}

// beginStream returns row d of the input: counter and nonce.
//
// The IV is read before any output is written, since it may lie there, and word by word: callers store into it just
// before, and a load of what more than one store wrote waits until those stores are done.
func (c *chacha) beginStream() (row operand.Mem) {
	row = c.AllocLocal(16)
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
	x.Store(w[0], row)
	return row
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

// count adds n to the counter. It takes the whole row, so that the whole row can be loaded next without waiting. Clobbers
// register 0.
func (c *chacha) count(n int) {
	x := c.xmm()
	r := x.Reg(0)
	x.Load(c.in[3], r)
	x.AddD(c.blocksConst(n), r, r)
	x.Store(r, c.in[3])
}

// blocksConst is n blocks for row d.
func (c *chacha) blocksConst(n int) operand.Mem { return c.Data(fmt.Sprint("blocks", n), uint64(n), 0) }

// stream emits stream without opmasks. A message that fits in rows goes from registers to the text. If the text ends in a
// wide pass, that makes keystream of zeros in the buffer. With SSSE3 a wide pass has one block more, in general registers
// (scalar.go). With AVX2 that is worth less, a ninth of what it does: 16 KiB would take 9 % less time, but 1024 bytes 5 %
// more and 1420 bytes 1 %, as they take no fewer passes, and the code 0.9 KB.
func (s *stepped) stream() {
	s.t = text{s.V, s.GP64(), s.GP64(), s.GP64(), nil}
	s.row = s.beginStream()
	label := s.NewLabel
	next, whole, xor, done := label("next"), label("whole"), label("xor"), label("done")
	row, rows, rest, part, buffered, tail := label("row"), label("rows"), label("rest"), label("part"), label("buffered"), label("tail")
	n, wide := s.t.n, operand.U32(uint32(64*s.blocks()))

	s.Place(next)
	s.MOVQ(arg(s.V, "n"), n)
	s.CMPQ(n, operand.U32(uint32(64*s.Blocks())))
	s.JLS(row)
	s.CMPQ(n, operand.U32(uint32(64*2*s.Blocks())))
	s.JLS(rows)
	s.CMPQ(n, wide)
	s.JCC(whole)
	s.wipe(3, 16)
	s.Place(whole)
	b := s.pass()
	s.reload()
	s.CMPQ(n, wide)
	s.JCC(xor)
	for _, r := range []reg.Register{s.t.src, s.t.dst} {
		s.LEAQ(s.buf, r)
		s.Allow(lint.Secret, "where the frame lies is public")
	}
	s.Place(xor)
	s.finish(func(r, tmp vec.Reg, at int) { s.t.xor(s.V, r, tmp, at) })
	s.CMPQ(n, wide)
	s.JCS(part)
	s.t.advance(wide)
	last := s.endPass(b, rest, done)
	s.JNE(next)
	s.Place(done)
	s.Return()

	s.Place(row)
	s.streamRows(1, tail, done)
	s.Place(rows)
	s.streamRows(2, tail, done)
	if b != nil {
		s.Place(rest)
		for i, r := range last {
			s.xmm().Store(r, s.buf.Offset(16*i))
		}
		s.JMP(buffered)
	}
	s.Place(part)
	s.reload()
	s.Place(buffered)
	s.useBuffer()
	s.Place(tail)
	s.tail(done)
	s.JMP(done)
}

// pass computes a wide pass and what runs beside it, all but the input's addition.
func (s *stepped) pass() (b *scalar) {
	s.input()
	s.loadAll()
	count := s.GP64()
	s.MOVQ(s.rounds, count)
	if s.Bytes == 16 {
		b = newScalar(s.V, s.frame.Offset(19*s.Bytes))
		b.load(s.chacha, s.blocks())
	}
	s.loopRounds(count, func() {
		wide, one := s.twoRounds(), b.twoRounds()
		for places := len(wide); places > 0; places-- {
			wide.Next(1)
			one.Share(places)
		}
	})
	b.save()
	return b
}

// endPass is what follows the wide part of a pass. It returns the scalar block, if there is one, and leaves the flags of what
// is left. If that is less than this block it goes on at rest, if it is nothing at done.
func (s *stepped) endPass(b *scalar, rest, done operand.LabelRef) (last []vec.Reg) {
	if b == nil {
		s.count(s.blocks())
		s.wipe(0, 3)
	} else {
		last = s.finishScalar(b)
		s.TESTQ(s.t.n, s.t.n)
		s.JEQ(done)
		s.CMPQ(s.t.n, operand.Imm(64))
		s.JCS(rest)
		for i, r := range last {
			s.t.xor(s.xmm().V, r, s.xmm().Reg(0), 16*i)
		}
		s.t.advance(operand.Imm(64))
	}
	s.Comment("Flags are those of what is left.")
	s.MOVQ(s.t.dst, arg(s.V, "dst"))
	s.MOVQ(s.t.src, arg(s.V, "src"))
	s.MOVQ(s.t.n, arg(s.V, "n"))
	return last
}

// finishScalar adds the input to the block in general registers and returns it in four registers of 16 bytes, moves the
// counter on, and wipes what was kept.
func (s *stepped) finishScalar(b *scalar) []vec.Reg {
	x := s.xmm()
	block, t := x.Range(2, 4), x.Reg(1)
	for row, in := range s.in {
		x.Load(b.area.Offset(16*row), block[row])
		x.Load(in, t)
		x.AddD(t, block[row], block[row])
	}
	x.AddD(x.blocksConst(s.blocks()), block[3], block[3])
	s.count(s.blocks() + 1)
	s.wipe(0, 3)
	s.wipe(19, 64/s.Bytes)
	return block
}

// reload puts the text as the arguments say it into registers, of which wide rounds leave none.
func (s *stepped) reload() {
	s.MOVQ(arg(s.V, "dst"), s.t.dst)
	s.MOVQ(arg(s.V, "src"), s.t.src)
	s.MOVQ(arg(s.V, "n"), s.t.n)
}

// streamRows computes n groups and XORs them into what is left, which needs no more. It goes on at tail with the register
// that the text ends in, and what is left then, or at done.
func (s *stepped) streamRows(n int, tail, done operand.LabelRef) {
	all := s.rows(n)
	s.reload()
	x := s.Reg(13)
	ends := make([]operand.LabelRef, len(all))
	sure := len(all) * (n - 1) / n // registers: what needs no more than n-1 groups went another way
	for i, r := range all {
		if i >= sure {
			ends[i] = s.NewLabel("end")
			s.CMPQ(s.t.n, operand.U32(uint32(s.Bytes*(i+1))))
			s.JCS(ends[i])
		}
		s.t.xor(s.V, r, x, s.Bytes*i)
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

// xor XORs a register of keystream into the text at a distance. Clobbers r and, under SSE, tmp.
func (t text) xor(v vec.V, r, tmp vec.Reg, at int) {
	src, dst := operand.Mem{Base: t.src, Disp: at}, operand.Mem{Base: t.dst, Disp: at}
	if v.Encoding == vec.Legacy {
		v.Load(src, tmp) // SSE faults on operands that are not aligned
		v.Xor(tmp, r, r)
	} else {
		v.Xor(src, r, r)
	}
	v.Store(r, dst)
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
	s.t.xor(s.V, k, s.Reg(1), 0)
	s.ADDQ(operand.Imm(uint64(s.Bytes)), ks)
	s.t.advance(operand.Imm(uint64(s.Bytes)))
	s.JMP(loop)
	s.Place(enough)
	s.wipe(0, s.size/s.Bytes)
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
