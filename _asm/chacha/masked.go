package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// masked emits xorAVX512(c, dst, src, n, iv, block, mc).
//
//	Z0-15   words of sixteen blocks
//	Y16-31  words of eight blocks, or rows of up to two groups of two blocks
//	Z31     at last, the block that the text ends in
type masked struct {
	*chacha
	rounds operand.Op
	row    operand.Mem // row d of the input
	t      text
	last   vec.Reg
	before reg.GPVirtual // bytes of text before last
	poly   *poly
	locals operand.Mem // 32 bytes for poly
	kept   operand.Mem // a register that has to make room
	next   operand.LabelRef
	done   operand.LabelRef // the end of the text
	added  operand.LabelRef // the end of text and sum
	end    operand.LabelRef // the end of the text within a block
	finish operand.LabelRef // the end of sixteen blocks
	eight  operand.LabelRef // the end of eight
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

// passes are in the order of their sizes. A text goes through the smallest that it fits in, and a longer one through the
// largest first: sixteen blocks and eight take 1.4 times as long as sixteen.
var passes = []pass{{rows: 1}, {rows: 2}, {eight: true}, {sixteen: true}, {sixteen: true, eight: true}}

// narrow is how much text goes through a pass beside which Poly1305 has no slots.
const narrow = 8 * 64

// xor emits the function. If mc is nil, there is only the text. Else the sum lies where mc says between the passes: only those
// with sixteen blocks, which have time for it, keep it in registers.
func (s *masked) xor() {
	s.t = text{s.V, s.Arg("dst"), s.Arg("src"), arg(s.V, "n")}
	s.row = s.beginStream()
	s.last, s.before = s.Reg(31), s.GP64()
	s.kept, s.locals = s.AllocLocal(32), s.AllocLocal(32)
	s.poly = newIdle(s.V, s.locals)
	s.next, s.done, s.end = s.NewLabel("next"), s.NewLabel("done"), s.NewLabel("end")
	s.added, s.finish, s.eight = s.NewLabel("added"), s.NewLabel("finish"), s.NewLabel("eight")
	rest := s.NewLabel("rest")

	s.Place(s.next)
	s.poly.none()
	s.beside(s.begin)
	s.dispatch()
	s.Place(s.done)
	mc := s.Arg("mc")
	s.TESTQ(mc, mc)
	s.JNE(rest)
	s.Return()
	s.flush()

	s.Place(rest)
	s.MOVQ(operand.I32(0), s.t.n)
	s.CMPQ(s.mac("n", mc), operand.Imm(0))
	s.JNE(s.next)
	s.Place(s.added)
	y := s.As(vec.YMMEVEX)
	y.Zero(y.Reg(0))
	y.Store(y.Reg(0), s.locals)
	s.Return()

	s.Place(s.end)
	s.t.advance(s.before)
	s.JEQ(s.done)
	left := s.GP64()
	s.MOVQ(s.t.n, left)
	s.Mask(left, reg.K1)
	s.LoadMasked(operand.Mem{Base: s.t.src}, reg.K1, s.Reg(30))
	s.Xor(s.Reg(30), s.last, s.last)
	s.StoreMasked(s.last, reg.K1, operand.Mem{Base: s.t.dst})
	s.JMP(s.done)
}

// dispatch emits the passes and the choice among them.
func (s *masked) dispatch() {
	n := s.GP64()
	s.MOVQ(s.t.n, n)
	s.TESTQ(n, n)
	s.JEQ(s.added)
	largest := len(passes) - 1
	for i, p := range passes[:largest] {
		label := s.NewLabel("pass")
		s.CMPQ(n, operand.U32(64*p.blocks()))
		s.JLS(label)
		s.after(func() {
			s.Place(label)
			s.run(i)
		})
	}
	s.run(largest)
}

// beside keeps f for calls with a mac, out of the way of those without.
func (s *masked) beside(f func(mc reg.GPVirtual)) {
	mc, some, back := s.Arg("mc"), s.NewLabel("beside"), s.NewLabel("back")
	s.TESTQ(mc, mc)
	s.JNE(some)
	s.Place(back)
	s.after(func() {
		s.Place(some)
		f(mc)
		s.JMP(back)
	})
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

// begin is what comes before a pass of a call with a mac. With a key, block 0 of the keystream stands before the text. Wide
// passes have slots for the sum, all others have what may be added before them.
func (s *masked) begin(mc reg.GPVirtual) {
	none, key := s.NewLabel("noSum"), s.GP64()
	unkeyed := s.NewLabel("noKey")
	s.MOVQ(s.mac("key", mc), key)
	s.TESTQ(key, key)
	s.JEQ(unkeyed)
	s.t.advance(operand.I32(-64))
	s.Place(unkeyed)
	m := s.sum(mc, none)
	s.poly.resume(m)
	s.allow(mc)
	s.CMPQ(s.t.n, operand.U32(narrow))
	s.JHI(none)
	s.poly.upTo(s.poly.limit)
	s.save()
	s.Place(none)
}

// catchUp is what comes between a pass with slots and its output: what the output may overwrite is added now, and so is
// what lagged.
func (s *masked) catchUp(mc reg.GPVirtual) {
	none, lagging := s.NewLabel("noSum"), s.NewLabel("lagging")
	s.sum(mc, none)
	s.CMPQ(s.mac("lag", mc), operand.Imm(0))
	s.JNE(lagging)
	s.LEAQ(operand.Mem{Base: s.t.src, Disp: 64 * passes[len(passes)-1].blocks()}, s.poly.limit)
	s.noFurther(mc)
	s.Place(lagging)
	s.poly.upTo(s.poly.limit)
	s.save()
	s.Place(none)
}

// mac is a field of mac.
func (s *masked) mac(field string, mc reg.GPVirtual) operand.Mem {
	return place(s.Param("mc").Dereference(mc).Field(field))
}

// sum returns the address of the sum, or goes on at none.
func (s *masked) sum(mc reg.GPVirtual, none operand.LabelRef) reg.GPVirtual {
	m := s.GP64()
	s.MOVQ(s.mac("m", mc), m)
	s.TESTQ(m, m)
	s.JEQ(none)
	return m
}

// allow sets how far Poly1305 may go before the output of the next pass: to the end, or with lag, up to where the pass
// begins to write (lagDst) or read (lagSrc).
func (s *masked) allow(mc reg.GPVirtual) {
	p, lag, all := s.poly, s.GP64(), s.NewLabel("all")
	s.MOVQ(s.mac("text", mc), p.p)
	s.MOVQ(operand.I32(-1), p.limit)
	s.CMPQ(s.t.n, operand.Imm(0))
	s.JEQ(all)
	s.MOVQ(s.mac("lag", mc), lag)
	s.CMPQ(lag, operand.Imm(lagDst))
	s.CMOVQEQ(s.t.dst, p.limit)
	s.CMPQ(lag, operand.Imm(lagSrc))
	s.CMOVQEQ(s.t.src, p.limit)
	s.Place(all)
	s.noFurther(mc)
}

// noFurther holds the limit to the end of what is to be added.
func (s *masked) noFurther(mc reg.GPVirtual) {
	end := s.GP64()
	s.MOVQ(s.mac("text", mc), end)
	s.ADDQ(s.mac("n", mc), end)
	s.CMPQ(s.poly.limit, end)
	s.CMOVQHI(end, s.poly.limit)
}

// save leaves the sum, and what is to be added to it, where they came from.
func (s *masked) save() {
	mc, m, added := s.Arg("mc"), s.GP64(), s.GP64()
	s.MOVQ(s.mac("m", mc), m)
	s.poly.store(m)
	s.MOVQ(s.poly.p, added)
	s.SUBQ(s.mac("text", mc), added)
	s.SUBQ(added, s.mac("n", mc))
	s.MOVQ(s.poly.p, s.mac("text", mc))
}

// run computes the blocks of passes[i] and XORs them into the text, beside Poly1305 if that is a wide pass.
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
		slots = 6 // ten times; catchUp does the rest
	}
	if p.eight {
		y.loadWide(eight, p.blocks()-8)
	} else if p.sixteen {
		for _, r := range eight[:15] {
			y.Zero(r) // nothing reads them, since the text ends before; but the lint does not know that
		}
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
	switch {
	case p.rows > 0:
		s.input()
		y.in = s.in
		s.output(y.finishRows(gs, y.Reg(0)), sure)
		s.JMP(s.done)
	case !p.sixteen:
		s.finishEight(y, eight)
	case !p.eight:
		s.JMP(s.finish)
	default:
		s.finishSixteen(y, sixteen, eight)
	}
}

// input makes in the rows of the input. General registers are short, so the address of the key is not kept.
func (s *masked) input() { s.rounds = s.streamInput(s.row) }

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

// finishSixteen is the end of a pass with sixteen blocks. If that leaves some text, there are eight more: then all registers
// are in use, and the transposition needs one.
func (s *masked) finishSixteen(y *chacha, sixteen, eight []vec.Reg) {
	last, zero := eight[15], y.Reg(0)
	y.Store(last, s.kept)
	s.Place(s.finish)
	s.beside(s.catchUp)
	s.input()
	s.output(s.finishWide(sixteen, vec.ZMM.View(last)), narrow/64)
	s.JEQ(s.done)
	s.count(16)
	y.Load(s.kept, last)
	y.Zero(zero)
	y.Store(zero, s.kept)
	s.JMP(s.eight)
}

// finishEight is the end of a pass with eight blocks, or with sixteen and then eight.
func (s *masked) finishEight(y *chacha, eight []vec.Reg) {
	s.Place(s.eight)
	s.input()
	y.in = s.in
	s.output(y.finishWide(eight, y.Reg(0)), 0)
	s.JEQ(s.done)
	s.count(8)
	s.JMP(s.next)
}

// output XORs blocks into the text and moves on. The text may end before the last block does, but not in the first sure
// ones: then it jumps to end with the block that the text ends in (or before) in last, and with the bytes before that
// block in before.
func (s *masked) output(blocks []vec.Reg, sure int) {
	labels := make([]operand.LabelRef, len(blocks))
	n, used := s.GP64(), s.NewLabel("used")
	s.MOVQ(s.t.n, n)
	s.beside(func(mc reg.GPVirtual) {
		key, unkeyed := s.GP64(), s.NewLabel("noKey")
		s.MOVQ(s.mac("key", mc), key)
		s.TESTQ(key, key)
		s.JEQ(unkeyed)
		s.Store(blocks[0], operand.Mem{Base: key})
		s.MOVQ(operand.I32(0), s.mac("key", mc))
		s.JMP(used)
		s.Place(unkeyed)
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
