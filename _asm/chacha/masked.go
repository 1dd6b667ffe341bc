package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// masked emits the stream for AVX-512.
//
//	Z0-15   words of sixteen blocks
//	Y16-31  words of eight blocks, or rows of up to two groups of two blocks
//	Z31     at last, the block that the text ends in
type masked struct {
	*chacha
	rounds operand.Op
	t      text
	last   vec.Reg
	before reg.GPVirtual // bytes of text before last
	end    operand.LabelRef
	eight  operand.LabelRef // the end of the pass with eight blocks
	kept   operand.Mem      // a register that has to make room
	poly   *poly            // nil where there is nothing to add
	later  []func()
}

// A pass computes some blocks side by side: sixteen wide in ZMM, eight wide in YMM, two in each group of rows in YMM.
type pass struct {
	sixteen, eight bool
	rows           int
}

func (p pass) blocks() int {
	n := 2 * p.rows
	if p.sixteen {
		n += 16
	}
	if p.eight {
		n += 8
	}
	return n
}

// passes are in the order of their sizes. Sixteen blocks and eight take 1.4 times as long as sixteen: to run the rest of a
// message beside the last sixteen blocks is cheaper than after them.
var passes = []pass{{rows: 1}, {rows: 2}, {eight: true}, bulk, {sixteen: true, eight: true}}

// bulk is the pass for what is longer than all of them. Every other pass is taken where the text fits in, and ends it.
var bulk = pass{sixteen: true}

// xor emits xor(st, dst, src, n, rounds, key, m, poly, polyN, lag).
func (s *masked) xor() {
	s.t = newText(s.V)
	s.rounds = arg(s.V, "rounds")
	frame := s.AllocLocal(32)
	s.poly = newPoly(s.V, frame)
	s.Comment("With a key, block 0 of the keystream stands before the text.")
	s.t.withKey(func(reg.GPVirtual) { s.t.advance(operand.I32(-64)) })
	s.passes(func() {
		s.poly.upTo(s.poly.end)
		s.poly.save()
		s.VPXORD(s.Reg(0), s.Reg(0), s.Reg(0))
		y := vec.YMMEVEX
		s.As(y).Store(y.View(s.Reg(0)), frame)
	})
}

// passes emits passes until the text ends, and then finish and the function's end.
func (s *masked) passes(finish func()) {
	s.last, s.before = s.Reg(31), s.GP64()
	s.kept = s.AllocLocal(64)
	next, done := s.NewLabel("next"), s.NewLabel("done")
	s.end, s.eight = s.NewLabel("end"), s.NewLabel("eight")

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
			s.run(i)
			s.count(p.blocks())
			s.JMP(next)
			continue
		}
		s.after(func() {
			s.Place(labels[i])
			s.run(i)
			if !(p.sixteen && p.eight) {
				s.JMP(done)
			}
		})
	}
	s.Place(done)
	finish()
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

// run computes the blocks of passes[i] and XORs them into the text. Poly1305 keeps up with it.
func (s *masked) run(i int) {
	p, sure := passes[i], 0 // the text did not fit into the pass before
	if i > 0 {
		sure = passes[i-1].blocks()
	}
	s.input()
	y := &chacha{V: s.As(vec.YMMEVEX), in: s.in}
	sixteen, eight, gs := s.Range(0, 16), y.Range(16, 16), y.groups(p.rows, 16, 0)
	if p.rows == 1 {
		gs[0].tmp, gs[0].tmp2 = y.Reg(0), y.Reg(1)
	}
	slots := 0
	if p.sixteen {
		s.loadWide(sixteen, 0)
		if s.poly != nil {
			s.poly.allow(s.t)
			slots = 6 // ten times; catchUp does the rest
		}
	}
	if p.eight {
		y.loadWide(eight, p.blocks()-8)
	}
	if p.rows > 0 {
		y.loadRows(gs)
	}
	count := s.GP64()
	s.MOVQ(s.rounds, count)
	s.loopRounds(count, func() {
		steps := p.twoRounds(s.chacha, y, sixteen, eight, gs)
		for places := len(steps); places > 0; places-- {
			steps.Next(1)
			if slots > 0 && places%(192/slots) == 0 {
				s.poly.slot()
			}
		}
	})
	if s.poly != nil {
		s.poly.catchUp(s.t.src, operand.U32(uint32(64*p.blocks())))
	}
	if p.eight && !p.sixteen {
		s.Place(s.eight)
	}
	s.input()
	y.in = s.in
	switch {
	case p.rows > 0:
		s.output(y.finishRows(gs, y.Reg(0)), sure)
	case !p.eight:
		s.output(s.finishWide(sixteen, s.Reg(16)), sure)
	case !p.sixteen:
		s.output(y.finishWide(eight, y.Reg(0)), 0) // also after sixteen blocks
	default:
		s.finishBoth(y, sixteen, eight)
	}
}

// input makes in the rows of the input. General registers are short while Poly1305 runs, so the address is not kept then.
func (s *masked) input() {
	if s.poly != nil {
		s.in = rowsAt(s.Arg("st"))
	}
}

// twoRounds returns the steps of two rounds.
func (p pass) twoRounds(z, y *chacha, sixteen, eight []vec.Reg, gs []group) vec.Steps {
	var in16, in8, inRows, all vec.Steps
	if p.sixteen {
		z.wideRounds(&in16, sixteen)
	}
	if p.eight {
		y.wideRounds(&in8, eight)
	}
	if p.rows > 0 {
		y.rowRounds(&inRows, gs)
	}
	all.Alternate(6, in16, in8, inRows)
	return all
}

// finishBoth is the end of a pass with sixteen blocks and eight, which go the way of eight alone. All registers are in use,
// and the transposition needs one.
func (s *masked) finishBoth(y *chacha, sixteen, eight []vec.Reg) {
	last, zero := eight[15], y.Reg(0)
	y.Store(last, s.kept)
	s.output(s.finishWide(sixteen, vec.ZMM.View(last)), len(sixteen))
	s.count(16)
	y.Load(s.kept, last)
	y.Zero(zero)
	y.Store(zero, s.kept)
	s.JMP(s.eight)
}

// output XORs blocks into the text and moves on. The text may end before the last block does, but not in the first sure
// ones: then it jumps to end with the block that the text ends in (or before) in last, and with the bytes before that
// block in before.
func (s *masked) output(blocks []vec.Reg, sure int) {
	labels := make([]operand.LabelRef, len(blocks))
	n, used := s.GP64(), s.NewLabel("used")
	s.MOVQ(s.t.n, n)
	s.t.withKey(func(key reg.GPVirtual) {
		s.Store(blocks[0], operand.Mem{Base: key})
		s.MOVQ(operand.I32(0), s.t.key)
		s.JMP(used)
	})
	for i, b := range blocks {
		at := func(base reg.Register) operand.Mem { return operand.Mem{Base: base, Disp: 64 * i} }
		if i >= sure {
			labels[i] = s.NewLabel("end")
			s.CMPQ(n, operand.U32(64*(i+1)))
			s.JCS(labels[i])
		}
		s.Xor(at(s.t.src), b, b)
		s.Store(b, at(s.t.dst))
		if i == 0 {
			s.Place(used)
		}
	}
	s.t.advance(operand.I32(int32(64 * len(blocks))))
	s.after(func() {
		for i := sure; i < len(blocks); i++ {
			s.Place(labels[i])
			s.Move(blocks[i], s.last)
			s.MOVL(operand.U32(64*i), s.before.As32())
			s.JMP(s.end)
		}
	})
}
