package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/chacha20"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/poly1305"
	"kcrypto/_asm/vec"
)

// masked emits xorAVX512(c, dst, src, n, iv, block, mc).
//
//	Z0-15   words of sixteen blocks
//	Y16-31  words of eight blocks, or rows of up to two groups of two blocks
//	Z31     at last, the block that the text ends in
type masked struct {
	*chacha20.ChaCha
	rounds operand.Op
	row    operand.Mem // row d of the input
	t      chacha20.Text
	last   vec.Reg
	before reg.GPVirtual // bytes of text before last
	sum    *poly1305.Beside
	area   operand.Mem // the block in general registers
	kept   operand.Mem // where a register waits while another takes its place
	more   operand.Mem // not 0 if there are eight more

	// Passes share their ends, and go there:
	next   operand.LabelRef // to choose a pass
	finish operand.LabelRef // to use sixteen blocks
	eight  operand.LabelRef // to use eight
	end    operand.LabelRef // to use the block that the text ends in, last
	done   operand.LabelRef // when the text is over
}

// A pass computes some blocks side by side: sixteen wide in ZMM, eight wide in YMM, two in each group of rows in YMM.
// In general registers it has slots for Poly1305 if there are sixteen, or one block more, from which Poly1305's key
// comes.
type pass struct {
	sixteen, eight, key bool
	rows                int
}

// blocks is how many blocks of text fit in.
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

// passes are in the order of their sizes. A text goes through the smallest that it fits in, and a longer one through
// the largest first: sixteen blocks and eight take 1.4 times as long as sixteen. On some CPUs it is twice as long: see
// long.
var passes = []pass{{rows: 1}, {rows: 2}, {eight: true}, {sixteen: true}, {sixteen: true, eight: true}}

const (
	inRows = 4 * 64 // text that passes in rows do
	narrow = 8 * 64 // text that goes through a pass beside which Poly1305 has no slots
)

// xor emits the function. If mc is nil, there is only the text.
func (s *masked) xor() {
	s.t = chacha20.Text{V: s.V, Dst: s.Arg("dst"), Src: s.Arg("src"), N: s.ArgAddr("n")}
	s.row = s.BeginStream()
	s.last, s.before = s.Reg(31), s.GP64()
	s.kept, s.area, s.more = s.AllocLocal(32), s.AllocLocal(64), s.ArgAddr("block")
	s.sum = poly1305.NewBeside(s.V)
	s.Expect("widest", 64*(passes[len(passes)-1].blocks()-1)) // what goes through the largest pass beside the key's block
	s.next, s.done, s.end = s.NewLabel("next"), s.NewLabel("done"), s.NewLabel("end")
	s.finish, s.eight = s.NewLabel("finish"), s.NewLabel("eight")

	s.Block(func(ret emit.Exit) {
		s.Place(s.next)
		s.sum.None()
		s.beside(s.begin)
		s.dispatch(ret)
		s.Place(s.done)
		mc := s.Arg("mc")
		s.TESTQ(mc, mc)
		ret(emit.Zero)
		s.MOVQ(operand.I32(0), s.t.N)
		s.CMPQ(s.mac("lag", mc), s.sum.Lag("noLag"))
		ret(emit.NotEqual)
		s.CMPQ(s.mac("n", mc), operand.Imm(0))
		s.JNE(s.next)
	})
	s.Return()
	s.EmitCold()
	s.Place(s.end)
	s.ending()
}

// ending uses the block that the text ends in.
func (s *masked) ending() {
	s.t.Advance(s.before)
	s.JEQ(s.done)
	left := s.GP64()
	s.MOVQ(s.t.N, left)
	s.Mask(left, reg.K1)
	s.LoadMasked(operand.Mem{Base: s.t.Src}, reg.K1, s.Reg(30))
	s.Xor(s.Reg(30), s.last, s.last)
	s.StoreMasked(s.last, reg.K1, operand.Mem{Base: s.t.Dst})
	s.JMP(s.done)
}

// dispatch emits the passes and the choice among them. The largest is in line, the others are cold code.
func (s *masked) dispatch(ret emit.Exit) {
	n := s.GP64()
	s.MOVQ(s.t.N, n)
	s.TESTQ(n, n)
	ret(emit.Zero)
	largest := len(passes) - 1
	var pass operand.LabelRef // the one before the largest in the end
	for i, p := range passes[:largest] {
		label := s.NewLabel("pass")
		s.CMPQ(n, operand.U32(64*p.blocks()))
		s.Cold(emit.NotAbove, func() {
			s.Place(label)
			s.run(p, sure(i))
		})
		pass = label
	}
	s.long(n, pass, passes[largest])
	s.run(passes[largest], sure(largest))
}

// long sends what does not fit in the largest pass to the one before, at sixteen, if this is a CPU for that.
func (s *masked) long(n reg.GPVirtual, sixteen operand.LabelRef, largest pass) {
	s.CMPQ(n, operand.U32(64*largest.blocks()))
	s.Cold(emit.Above, func() {
		s.CMPB(s.Addr(s.Dereference(s.Param("c")).Field("sixteens")), operand.Imm(0))
		s.JNE(sixteen)
	})
}

// beside keeps f for calls with a mac, out of the way of those without.
func (s *masked) beside(f func(mc reg.GPVirtual)) {
	mc := s.Arg("mc")
	s.TESTQ(mc, mc)
	s.Cold(emit.NotZero, func() { f(mc) })
}

// begin is what comes before a pass of a call with a mac. Wide passes have slots for the sum, all others have what may
// be added before them: everything where no text is left, and else what lies before where the pass begins to write
// (lagDst) or read (lagSrc).
func (s *masked) begin(mc reg.GPVirtual) {
	lag := s.GP64()
	s.CMPQ(s.mac("key", mc), operand.Imm(0))
	s.If(emit.NotEqual, func() { s.beginKeyed(mc) })
	s.Block(func(leave emit.Exit) {
		s.CMPQ(s.mac("m", mc), operand.Imm(0))
		leave(emit.Equal)
		s.MOVQ(s.mac("lag", mc), lag)
		s.sum.Begin()
		s.CMPQ(s.t.N, operand.Imm(0))
		s.If(emit.NotEqual, func() {
			s.atMost(lag, "lagDst", s.t.Dst)
			s.atMost(lag, "lagSrc", s.t.Src)
			s.CMPQ(s.t.N, operand.U32(narrow))
			leave(emit.Above)
		})
		s.sum.UpTo(s.sum.Limit)
		s.sum.Keep()
	})
}

// atMost lowers the limit to an address if lag has the value of that name.
func (s *masked) atMost(lag reg.GPVirtual, value string, address reg.GPVirtual) {
	s.CMPQ(lag, s.sum.Lag(value))
	s.If(emit.Equal, func() { s.sum.AtMost(address) })
}

// beginKeyed chooses how the block for the key is made: in general registers if they are free and the text takes a wide
// pass then, and else as a block that stands before the text.
func (s *masked) beginKeyed(mc reg.GPVirtual) {
	s.Block(func(before emit.Exit) {
		s.CMPQ(s.mac("m", mc), operand.Imm(0))
		before(emit.NotEqual)
		s.CMPQ(s.t.N, operand.U32(inRows-64))
		before(emit.NotAbove)
		for _, p := range []pass{{eight: true, key: true}, {sixteen: true, key: true}} {
			s.CMPQ(s.t.N, operand.U32(64*p.blocks()))
			s.Cold(emit.NotAbove, func() { s.run(p, 0) })
		}
	})
	s.t.Advance(operand.I32(-64))
}

// catchUp is what comes between a pass with slots and its output: without lag the output may overwrite what is to be
// added, so as much of that as the pass has is added now (the limit was the end).
func (s *masked) catchUp() {
	s.TESTQ(s.sum.At, s.sum.At)
	s.Cold(emit.NotZero, func() {
		mc, until := s.Arg("mc"), s.GP64()
		s.CMPQ(s.mac("lag", mc), s.sum.Lag("noLag"))
		s.If(emit.Equal, func() {
			s.MOVQ(s.ArgAddr("src"), until)
			s.ADDQ(operand.U32(64*passes[len(passes)-1].blocks()), until)
			s.sum.AtMost(until)
			s.sum.UpTo(s.sum.Limit)
		})
		s.sum.Keep()
	})
}

// mac is a field of mac.
func (s *masked) mac(field string, mc reg.GPVirtual) operand.Mem {
	return s.Addr(s.Param("mc").Dereference(mc).Field(field))
}

// sure is how many blocks a text has at least that goes through passes[i]: it did not fit in the one before.
func sure(i int) int {
	if i == 0 {
		return 0
	}
	return passes[i-1].blocks()
}

// run computes the blocks of a pass and XORs them into the text, of which sure ones are all text.
func (s *masked) run(p pass, sure int) {
	s.input()
	y := &chacha20.ChaCha{V: s.As(vec.YMMEVEX), In: s.In}
	sixteen, eight, gs := s.Range(0, 16), y.Range(16, 16), y.Groups(p.rows, 16, 0)
	first := 0
	if p.key {
		first = 1
	}
	if p.sixteen {
		s.LoadWide(sixteen, first)
	}
	if p.eight {
		y.LoadWide(eight, first+p.blocks()-8)
	} else if p.sixteen {
		for _, r := range eight[:15] {
			y.Zero(r) // nothing reads them, since the text ends before; but the lint does not know that
		}
	}
	if p.rows > 0 {
		if p.rows == 1 {
			gs[0].Tmp, gs[0].Tmp2 = y.Reg(0), y.Reg(1)
		}
		y.LoadRows(gs)
	}
	steps := func() vec.Steps { return p.twoRounds(s.ChaCha, y, sixteen, eight, gs) }
	switch {
	case p.key:
		s.keyed(steps)
	case p.sixteen:
		s.slots(p, steps)
	default:
		count := s.GP64()
		s.MOVQ(s.rounds, count)
		s.LoopRounds(count, func() {
			two := steps()
			two.Rest()
		})
	}
	switch {
	case p.rows > 0:
		s.input()
		y.In = s.In
		s.output(y.FinishRows(gs, y.Reg(0)), sure)
		s.JMP(s.done)
	case p.sixteen && p.eight:
		s.MOVQ(operand.I32(1), s.more)
		s.finishSixteen(y, sixteen, eight)
	case p.sixteen:
		s.MOVQ(operand.I32(0), s.more)
		s.JMP(s.finish)
	case p.key:
		s.reload()
		s.JMP(s.eight)
	default:
		s.finishEight(y, eight)
	}
}

// leave puts the text's addresses where the arguments were, since what follows takes all general registers. reload
// takes them from there.
func (s *masked) leave() {
	s.MOVQ(s.t.Dst, s.ArgAddr("dst"))
	s.MOVQ(s.t.Src, s.ArgAddr("src"))
}

func (s *masked) reload() {
	s.MOVQ(s.ArgAddr("dst"), s.t.Dst)
	s.MOVQ(s.ArgAddr("src"), s.t.Src)
}

// slots emits rounds with slots for Poly1305: of twenty rounds 40 beside sixteen blocks, which take 560 cycles, and 60
// beside sixteen and eight, which take 790. A block in a slot takes 13.5.
func (s *masked) slots(p pass, twoRounds func() vec.Steps) {
	each := 24 // steps to a slot
	if p.eight {
		each = 32
	}
	s.leave()
	count := s.GP64()
	s.MOVQ(s.rounds, count)
	s.LoopRounds(count, func() {
		for steps := twoRounds(); len(steps) > 0; {
			steps.Next(each)
			s.sum.Slot(s.sum.Limit)
		}
	})
}

// keyed emits rounds with the block for the key beside them, which is the one before the others.
func (s *masked) keyed(twoRounds func() vec.Steps) {
	s.leave()
	count := s.GP64()
	s.MOVQ(s.rounds, count)
	b := chacha20.NewScalar(s.V, s.area, chacha20.ThreeWords)
	b.Begin(s.ChaCha, operand.Imm(0))
	s.LoopRounds(count, func() {
		steps, one := twoRounds(), b.TwoRounds()
		for places := len(steps); places > 0; places-- {
			steps.Next(1)
			one.Share(places)
		}
	})
	s.input()
	mc, key := s.Arg("mc"), s.GP64()
	s.MOVQ(s.mac("key", mc), key)
	for i, x := range b.Words[:8] {
		s.ADDL(s.Word(i), x)
		s.MOVL(x, operand.Mem{Base: key, Disp: 4 * i})
	}
	s.MOVQ(operand.I32(0), s.mac("key", mc))
	b.Wipe()
	s.INCL(s.Word(12))
	s.sum.None()
}

// input makes in the rows of the input. General registers are short, so the address of the key is not kept.
func (s *masked) input() { s.rounds = s.StreamInput(s.row) }

// twoRounds returns the steps of two rounds.
func (p pass) twoRounds(z, y *chacha20.ChaCha, sixteen, eight []vec.Reg, gs []chacha20.Group) vec.Steps {
	var in16, in8, inRows, all vec.Steps
	if p.sixteen {
		z.WideRounds(&in16, sixteen)
	}
	if p.eight {
		y.WideRounds(&in8, eight)
	}
	if p.rows > 0 {
		y.RowRounds(&inRows, gs)
	}
	all.Alternate(6, in16, in8, inRows)
	return all
}

// finishSixteen is the end of a pass with sixteen blocks. If that leaves some text, there may be eight more: then all
// registers are in use, and the transposition needs one.
func (s *masked) finishSixteen(y *chacha20.ChaCha, sixteen, eight []vec.Reg) {
	last, zero := eight[15], y.Reg(0)
	y.Store(last, s.kept)
	s.Place(s.finish)
	s.catchUp()
	s.reload()
	s.input()
	s.output(s.FinishWide(sixteen, vec.ZMM.View(last)), narrow/64)
	s.JEQ(s.done)
	s.Count(16)
	s.CMPQ(s.more, operand.Imm(0))
	s.JEQ(s.next)
	y.Load(s.kept, last)
	y.Zero(zero)
	y.Store(zero, s.kept)
	s.JMP(s.eight)
}

// finishEight is the end of a pass with eight blocks, or with sixteen and then eight.
func (s *masked) finishEight(y *chacha20.ChaCha, eight []vec.Reg) {
	s.Place(s.eight)
	s.input()
	y.In = s.In
	s.output(y.FinishWide(eight, y.Reg(0)), 0)
	s.JEQ(s.done)
	s.Count(8)
	s.JMP(s.next)
}

// output XORs blocks into the text and moves on. The text may end before the last block does, but not in the first sure
// ones: then it jumps to end with the block that the text ends in (or before) in last, and with the bytes before that
// block in before.
func (s *masked) output(blocks []vec.Reg, sure int) {
	n, used := s.GP64(), s.NewLabel("used") // where it goes on if the first block was the key's
	s.MOVQ(s.t.N, n)
	s.beside(func(mc reg.GPVirtual) {
		key := s.GP64()
		s.MOVQ(s.mac("key", mc), key)
		s.TESTQ(key, key)
		s.If(emit.NotZero, func() {
			s.Store(blocks[0], operand.Mem{Base: key})
			s.MOVQ(operand.I32(0), s.mac("key", mc))
			s.JMP(used)
		})
	})
	for i, b := range blocks {
		at := func(base reg.Register) operand.Mem { return operand.Mem{Base: base, Disp: 64 * i} }
		if i >= sure {
			s.CMPQ(n, operand.U32(64*(i+1)))
			s.Cold(emit.Below, func() {
				s.Move(b, s.last)
				s.MOVL(operand.U32(64*i), s.before.As32())
				s.JMP(s.end)
			})
		}
		s.Xor(at(s.t.Src), b, b)
		s.Store(b, at(s.t.Dst))
		if i == 0 {
			s.Place(used)
		}
	}
	s.t.Advance(operand.I32(int32(64 * len(blocks))))
}
