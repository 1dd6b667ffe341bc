package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// masked emits the stream for AVX-512.
//
//	Z0-15   words of sixteen blocks
//	Z16-27  rows of up to three groups of four blocks
//	Z28     spare for transpositions
//	Z29-30  temporaries
//	Z31     the block that the text ends in
type masked struct {
	*chacha
	t      text
	last   vec.Reg
	before reg.GPVirtual // bytes of text before last
	end    operand.LabelRef
	poly   *poly
	frame  operand.Mem // three words for poly
	later  []func()
}

// A pass computes some blocks side by side: sixteen wide or none, groups of four in rows, or two blocks in one group of
// half the width.
type pass struct {
	wide, narrow bool
	rows         int
}

func (p pass) blocks() int {
	switch {
	case p.narrow:
		return 2
	case p.wide:
		return 16 + 4*p.rows
	}
	return 4 * p.rows
}

// passes are in the order of their sizes. 16 blocks and one group take 1.3 times as long as 16 blocks: to run the rest of
// a message beside the last sixteen blocks is cheaper than after them.
var passes = []pass{{narrow: true, rows: 1}, {rows: 1}, {rows: 2}, {rows: 3}, bulk, {wide: true, rows: 1}, {wide: true, rows: 2}}

// bulk is the pass for what is longer than all of them. Every other pass is taken where the text fits in, and ends it.
var bulk = pass{wide: true}

// xor emits xor(st, dst, src, n, rounds, key, m, poly, polyN, lag).
func (s *masked) xor() {
	s.last, s.before = s.Reg(31), s.GP64()
	s.t = newText(s.V)
	s.frame = s.AllocLocal(32)
	s.poly = newPoly(s.V, s.frame)
	next, done := s.NewLabel("next"), s.NewLabel("done")
	s.end = s.NewLabel("end")

	s.Comment("With a key, block 0 of the keystream stands before the text.")
	s.t.withKey(func(reg.GPVirtual) { s.t.advance(operand.I32(-64)) })
	s.Place(next)
	n := s.GP64()
	s.MOVQ(s.t.n, n)
	s.TESTQ(n, n)
	s.JEQ(done)
	labels := make([]operand.LabelRef, len(passes))
	for i, p := range passes {
		labels[i] = s.NewLabel("pass")
		s.CMPQ(n, operand.U32(64*p.blocks()))
		s.JLS(labels[i])
	}
	for i, p := range passes {
		if p == bulk {
			s.Place(labels[i])
			s.output(s.run(p))
			s.JMP(next)
			continue
		}
		s.after(func() {
			s.Place(labels[i])
			s.output(s.run(p))
			s.JMP(done)
		})
	}
	s.Place(done)
	s.poly.upTo(s.poly.end)
	s.poly.save()
	s.VPXORD(s.Reg(0), s.Reg(0), s.Reg(0))
	y := vec.YMMEVEX
	s.As(y).Store(y.View(s.Reg(0)), s.frame)
	s.Return()

	s.flush()
	s.Place(s.end)
	s.t.advance(s.before)
	s.JEQ(done)
	left := s.GP64()
	s.MOVQ(s.t.n, left)
	s.Mask(left, reg.K1)
	s.LoadMasked(operand.Mem{Base: s.t.src}, reg.K1, s.Reg(30))
	s.Xor(s.Reg(30), s.last, s.last)
	s.StoreMasked(s.last, reg.K1, operand.Mem{Base: s.t.dst})
	s.JMP(done)
}

// after keeps f's code for behind the function's return, out of the way of what runs often. flush emits it.
func (s *masked) after(f func()) { s.later = append(s.later, f) }

func (s *masked) flush() {
	for len(s.later) > 0 {
		f := s.later[0]
		s.later = s.later[1:]
		f()
	}
}

// run computes the blocks of a pass and returns them in order. Poly1305 keeps up with it.
func (s *masked) run(p pass) []vec.Reg {
	s.st = s.Arg("st") // not kept: general registers are short while Poly1305 runs
	x := s.Range(0, 16)
	r := s.chacha
	if p.narrow {
		r = &chacha{V: s.As(vec.YMMEVEX), st: s.st}
	}
	gs := r.groups(p.rows, 16, p.blocks()-r.Blocks()*p.rows)
	if p.narrow {
		gs[0].tmp, gs[0].tmp2 = r.Reg(0), r.Reg(1)
	}
	slots := 0
	if p.wide {
		s.loadWide(x)
		s.poly.allow(s.t)
		slots = 6 // ten times; catchUp does the rest
	}
	if p.rows > 0 {
		r.loadRows(gs)
	}
	count := s.GP64()
	s.MOVQ(arg(s.V, "rounds"), count)
	s.loopRounds(count, func() {
		var wide, rows vec.Steps
		if p.wide {
			s.wideRounds(&wide, x)
		}
		if p.rows > 0 {
			r.rowRounds(&rows, gs)
		}
		for places := len(wide); places > 0; places-- {
			wide.Next(1)
			rows.Share(places)
			if slots > 0 && places%(192/slots) == 0 {
				s.poly.slot()
			}
		}
		rows.Rest()
	})
	s.st = s.Arg("st")
	r.st = s.st
	s.poly.catchUp(s.t.src, operand.U32(uint32(64*p.blocks())))
	var blocks []vec.Reg
	spare := s.Reg(28)
	if p.wide {
		blocks = s.finishWide(x, spare)
		spare = s.Reg(29)
	}
	if p.rows > 0 {
		blocks = append(blocks, r.finishRows(gs, r.Reg(30), spare)...)
	}
	return blocks
}

// output XORs blocks into the text and moves on. Where the text ends before the last block does, it jumps to end with the
// block that it ends in (or before) in last, and with the bytes before that block in before.
func (s *masked) output(blocks []vec.Reg) {
	ends := make([]operand.LabelRef, len(blocks))
	n, used := s.GP64(), s.NewLabel("used")
	s.ADDL(operand.U8(len(blocks)), s.word(12))
	s.MOVQ(s.t.n, n)
	s.t.withKey(func(key reg.GPVirtual) {
		s.Store(blocks[0], operand.Mem{Base: key})
		s.MOVQ(operand.I32(0), s.t.key)
		s.JMP(used)
	})
	for i, b := range blocks {
		at := func(base reg.Register) operand.Mem { return operand.Mem{Base: base, Disp: 64 * i} }
		ends[i] = s.NewLabel("end")
		s.CMPQ(n, operand.U32(64*(i+1)))
		s.JCS(ends[i])
		s.Xor(at(s.t.src), b, b)
		s.Store(b, at(s.t.dst))
		if i == 0 {
			s.Place(used)
		}
	}
	s.t.advance(operand.I32(int32(64 * len(blocks))))
	s.after(func() {
		for i, b := range blocks {
			s.Place(ends[i])
			s.Move(b, s.last)
			s.MOVL(operand.U32(64*i), s.before.As32())
			s.JMP(s.end)
		}
	})
}
