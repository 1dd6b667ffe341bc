package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/lint"
	"kcrypto/_asm/vec"
)

// stepped emits the stream for sixteen registers without opmasks.
//
//	0-3    words 0 to 3, row a
//	4-7    b
//	8-11   c
//	12-15  d
//
// That is all of them. Rotations by 16 and 8 are byte shuffles and need no other. The others, of row b, need one: a_0,
// which they do not touch, waits in the frame meanwhile, and it takes no longer than they do.
type stepped struct {
	*chacha
	a, b, c, d [4]vec.Reg
	waiting    [3]operand.Mem // where words wait
	buf        operand.Mem    // keystream of a pass that is not all used on text
	frame      operand.Mem    // all of it
	size       int            // its bytes
	poly       *poly          // nil where there is nothing to add
	rounds     operand.Op
	row        operand.Mem // row d of the input, where there is no state
	t          text
}

// newStepped has a frame with some bytes more than waiting and buf need.
func newStepped(c *chacha, more int) *stepped {
	s := &stepped{chacha: c}
	for i := range 4 {
		s.a[i], s.b[i], s.c[i], s.d[i] = c.Reg(i), c.Reg(4+i), c.Reg(8+i), c.Reg(12+i)
	}
	s.size = 19*c.Bytes + more
	s.frame = c.AllocLocal(s.size)
	for i := range s.waiting {
		s.waiting[i] = s.frame.Offset(i * c.Bytes)
	}
	s.buf = s.frame.Offset(3 * c.Bytes)
	return s
}

// blocks is how many blocks a wide pass makes.
func (s *stepped) blocks() int { return s.Bytes / 4 }

// xor emits xor(st, dst, src, n, rounds, key, m, poly, polyN, lag).
func (s *stepped) xor() {
	s.t = newText(s.V)
	s.rounds = arg(s.V, "rounds")
	s.poly = newPoly(s.V, s.frame.Offset(19*s.Bytes))
	next, buffered, done := s.NewLabel("next"), s.NewLabel("buffered"), s.NewLabel("done")
	row, rows := s.NewLabel("row"), s.NewLabel("rows")

	s.Place(next)
	need := s.GP64()
	s.MOVQ(s.t.n, need)
	s.t.withKey(func(reg.GPVirtual) { s.ADDQ(operand.Imm(64), need) })
	s.TESTQ(need, need)
	s.JEQ(done)
	s.poly.allow(s.t)
	s.CMPQ(need, operand.U32(64*s.Blocks()))
	s.JLS(row)
	s.CMPQ(need, operand.U32(64*2*s.Blocks()))
	s.JLS(rows)
	s.wide()
	s.t.withKey(func(reg.GPVirtual) { s.JMP(buffered) })
	s.CMPQ(s.t.n, operand.U32(64*s.blocks()))
	s.JCS(buffered)
	s.poly.catchUp(s.t.src, operand.U32(64*s.blocks()))
	s.direct()
	s.JMP(next)

	s.Place(buffered)
	s.toBuffer()
	have := s.GP64()
	s.MOVL(operand.U32(64*s.blocks()), have.As32())
	use := s.NewLabel("use")
	s.JMP(use)
	s.Place(row)
	s.inRows(1)
	s.MOVL(operand.U32(64*s.Blocks()), have.As32())
	s.JMP(use)
	s.Place(rows)
	s.inRows(2)
	s.MOVL(operand.U32(64*2*s.Blocks()), have.As32())
	s.Place(use)
	s.fromBuffer(have)
	s.JMP(next)

	s.Place(done)
	s.poly.upTo(s.poly.end)
	s.poly.save()
	s.wipe(0, s.size/s.Bytes)
	s.Return()
}

// input makes in the rows of the input. Rounds leave no register for its address, so it is loaded anew each time.
func (s *stepped) input() {
	if s.poly != nil {
		s.in = rowsAt(s.Arg("st"))
	} else {
		s.rounds = s.streamInput(s.row)
	}
}

// wide computes a pass of blocks, all but the input's addition, and moves the counter on.
func (s *stepped) wide() {
	s.input()
	s.loadAll()
	count := s.GP64()
	s.MOVQ(s.rounds, count)
	s.loopRounds(count, func() { s.weave(s.twoRounds()) })
}

// loadAll puts the input into all registers, one a word.
func (s *stepped) loadAll() {
	for i := range 16 {
		s.broadcastWord(i, s.Reg(i))
	}
	s.AddD(s.numbers("wide", 0, 1), s.d[0], s.d[0])
}

// twoRounds returns the steps of two wide rounds.
func (s *stepped) twoRounds() (work vec.Steps) {
	for shift := range 2 {
		var qs []quarter
		for i := range 4 {
			qs = append(qs, quarter{s.a[i], s.b[(i+shift)%4], s.c[(i+2*shift)%4], s.d[(i+3*shift)%4], s.a[0], nil})
		}
		half := func(left, right uint8) {
			s.step(&work, left, qs, quarter.first)
			work.Add(func() { s.Store(s.a[0], s.waiting[0]) })
			s.step(&work, right, qs, quarter.second)
			work.Add(func() { s.Load(s.waiting[0], s.a[0]) })
		}
		half(16, 12)
		half(8, 7)
	}
	return work
}

// weave emits two rounds with a tenth of what Poly1305 does in a wide pass, rounded; catchUp does the rest.
func (s *stepped) weave(work vec.Steps) {
	if s.poly == nil {
		work.Rest()
		return
	}
	for places := (4*s.blocks() + 5) / 10; places > 0; places-- {
		work.Share(places)
		s.poly.slot()
	}
}

// broadcastWord puts word i of the input into every lane of r.
func (s *stepped) broadcastWord(i int, r vec.Reg) {
	if s.Encoding == vec.VEX {
		s.VPBROADCASTD(s.word(i), r)
		return
	}
	s.loadD(s.word(i), r)
	s.PSHUFD(operand.Imm(0), r, r)
}

// square adds the input to the four registers of row number row and transposes them. Clobbers tmp, and spare becomes
// part of the result.
func (s *stepped) square(row int, x [4]vec.Reg, tmp, spare vec.Reg) ([4]vec.Reg, vec.Reg) {
	for i, r := range x {
		s.broadcastWord(4*row+i, tmp)
		s.AddD(tmp, r, r)
		if 4*row+i == 12 {
			s.AddD(s.numbers("wide", 0, 1), r, r)
		}
	}
	return s.transposeWords(x, spare)
}

// finish adds the input, and hands every register of keystream in the order of its making to put, with its place in the
// pass; tmp is free then.
func (s *stepped) finish(put func(r, tmp vec.Reg, at int)) {
	s.input()
	tmp, spare := s.d[2], s.d[3]
	s.Store(tmp, s.waiting[1])
	s.Store(spare, s.waiting[2])
	halves := func(row int, x, y [4]vec.Reg) {
		x, spare = s.square(row, x, tmp, spare)
		if s.Bytes == 16 {
			for j, r := range x {
				put(r, tmp, 64*j+16*row)
			}
			y, spare = s.square(row+1, y, tmp, spare)
			for j, r := range y {
				put(r, tmp, 64*j+16*row+16)
			}
			return
		}
		y, spare = s.square(row+1, y, tmp, spare)
		for j := range 4 {
			s.VPERM2I128(operand.Imm(0x20), y[j], x[j], tmp)
			put(tmp, nil, 64*j+16*row)
			s.VPERM2I128(operand.Imm(0x31), y[j], x[j], x[j])
			put(x[j], nil, 64*(4+j)+16*row)
		}
	}
	halves(0, s.a, s.b)
	var free []vec.Reg // of those that are done with
	for _, r := range append(s.a[:], s.b[:]...) {
		if r != spare {
			free = append(free, r)
		}
	}
	d := [4]vec.Reg{s.d[0], s.d[1], free[0], free[1]}
	s.Load(s.waiting[1], d[2])
	s.Load(s.waiting[2], d[3])
	halves(2, s.c, d)
}

// direct XORs a whole pass into the text.
func (s *stepped) direct() {
	s.finish(func(r, tmp vec.Reg, at int) { s.t.xor(s.V, r, tmp, at) })
	s.count(s.blocks())
	s.t.advance(operand.I32(int32(64 * s.blocks())))
}

// toBuffer leaves a pass in the buffer.
func (s *stepped) toBuffer() {
	s.finish(func(r, _ vec.Reg, at int) { s.Store(r, s.buf.Offset(at)) })
	s.count(s.blocks())
}

// inRows computes n groups and leaves them in the buffer.
func (s *stepped) inRows(n int) {
	for i, r := range s.rows(n) {
		s.Store(r, s.buf.Offset(i*s.Bytes))
	}
	s.count(n * s.Blocks())
}

// rows computes n groups and returns registers of keystream in order.
func (s *stepped) rows(n int) []vec.Reg {
	s.input()
	gs := s.groups(n, 0, 0)
	for i := range gs {
		gs[i].tmp = s.Reg(14 + i)
	}
	s.loadRows(gs)
	count := s.GP64()
	s.MOVQ(s.rounds, count)
	s.loopRounds(count, func() {
		var work vec.Steps
		s.rowRounds(&work, gs)
		s.weave(work)
	})
	s.input()
	s.addRows(gs, s.Reg(14))
	var all []vec.Reg
	for i, g := range gs {
		if s.Bytes == 16 {
			all = append(all, g.a, g.b, g.c, g.d)
			continue
		}
		first := s.Reg(14 + i)
		s.VPERM2I128(operand.Imm(0x20), g.b, g.a, first)
		s.VPERM2I128(operand.Imm(0x31), g.b, g.a, g.a)
		s.VPERM2I128(operand.Imm(0x20), g.d, g.c, g.b)
		s.VPERM2I128(operand.Imm(0x31), g.d, g.c, g.c)
		all = append(all, first, g.b, g.a, g.c)
	}
	return all
}

// fromBuffer uses have bytes of keystream: a block for the key if one is wanted, and the rest on the text.
func (s *stepped) fromBuffer(have reg.GPVirtual) {
	ks, n := s.GP64(), s.GP64()
	s.LEAQ(s.buf, ks)
	s.Allow(lint.Secret, "where the frame lies is public")
	s.t.withKey(func(key reg.GPVirtual) {
		for i := 0; i < 64; i += s.Bytes {
			s.Load(s.buf.Offset(i), s.Reg(0))
			s.Store(s.Reg(0), operand.Mem{Base: key, Disp: i})
		}
		s.ADDQ(operand.Imm(64), ks)
		s.SUBQ(operand.Imm(64), have)
		s.MOVQ(operand.I32(0), s.t.key)
	})
	s.MOVQ(s.t.n, n)
	s.CMPQ(n, have)
	s.CMOVQHI(have, n)
	s.SUBQ(n, s.t.n)
	s.poly.catchUp(s.t.src, n)

	loop, tail := s.NewLabel("xor"), s.NewLabel("tail")
	s.Place(loop)
	s.CMPQ(n, operand.Imm(uint64(s.Bytes)))
	s.JCS(tail)
	s.xorPart(s.V, ks, n)
	s.JMP(loop)
	s.Place(tail)
	if s.Bytes > 16 {
		s.ifHas(n, 16, func() {
			x := s.V
			x.Bytes = 16
			s.xorPart(x, ks, n)
		})
	}
	s.parts(ks, n)
}

// parts XORs less than 16 bytes of keystream in memory into the text, n's lowest four bits, and moves on.
func (s *stepped) parts(ks, n reg.GPVirtual) {
	at := func(r reg.Register) operand.Mem { return operand.Mem{Base: r} }
	word := s.GP64()
	part := func(size int, load, xor, store func()) {
		s.ifHas(n, size, func() {
			load()
			xor()
			store()
			for _, r := range []reg.Register{ks, s.t.src, s.t.dst} {
				s.ADDQ(operand.Imm(uint64(size)), r)
			}
		})
	}
	src, dst := at(s.t.src), at(s.t.dst)
	part(8, func() { s.MOVQ(src, word) }, func() { s.XORQ(at(ks), word) }, func() { s.MOVQ(word, dst) })
	part(4, func() { s.MOVL(src, word.As32()) }, func() { s.XORL(at(ks), word.As32()) }, func() { s.MOVL(word.As32(), dst) })
	part(2, func() { s.MOVW(src, word.As16()) }, func() { s.XORW(at(ks), word.As16()) }, func() { s.MOVW(word.As16(), dst) })
	part(1, func() { s.MOVB(src, word.As8()) }, func() { s.XORB(at(ks), word.As8()) }, func() { s.MOVB(word.As8(), dst) })
}

// ifHas emits f for the case that bit size of n is set.
func (s *stepped) ifHas(n reg.Register, size int, f func()) {
	skip := s.NewLabel("without")
	s.TESTL(operand.U32(uint32(size)), n.(reg.GPVirtual).As32())
	s.JEQ(skip)
	f()
	s.Place(skip)
}

// xorPart XORs a register of keystream into the text and moves on.
func (s *stepped) xorPart(v vec.V, ks, n reg.Register) {
	k, x := v.Reg(0), v.Reg(1)
	v.Load(operand.Mem{Base: ks}, k)
	v.Load(operand.Mem{Base: s.t.src}, x)
	v.Xor(k, x, x)
	v.Store(x, operand.Mem{Base: s.t.dst})
	size := operand.Imm(uint64(v.Bytes))
	for _, r := range []reg.Register{ks, s.t.src, s.t.dst} {
		v.ADDQ(size, r)
	}
	v.SUBQ(size, n)
}

// wipe clears n registers' worth of the frame from number first on: what held keystream, or words of a state.
func (s *stepped) wipe(first, n int) {
	zero := s.Reg(15)
	s.Zero(zero)
	for i := first; i < first+n; i++ {
		s.Store(zero, s.frame.Offset(i*s.Bytes))
	}
}
