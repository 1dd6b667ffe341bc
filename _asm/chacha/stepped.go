package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/chacha20"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/poly1305"
	"kcrypto/_asm/vec"
)

// stepped emits xorSSSE3 and xorAVX2, for sixteen registers without opmasks.
//
//	0-3    words 0 to 3, row a
//	4-7    b
//	8-11   c
//	12-15  d
//
// That is all of them. Rotations by 16 and 8 are byte shuffles and need no other. The others, of row b, need one: a_0,
// which they do not touch, waits in the frame meanwhile, and it takes no longer than they do.
//
// A pass is one of these:
//
//	rows   one group, two or three, where the text needs no more
//	both   wide, and one block in general registers (chacha20.Scalar): that of Poly1305's key, before the others, or of
//	       text, behind them; or two or three groups of rows, and the key's block
//	sum    wide or two groups of rows, and Poly1305 in general registers (poly1305.Beside)
//
// Rows beside a block are for AVX2 alone, which also has passes of sum with nothing to add. Passes take all registers.
// What is under way between them is in memory: row d of the input in the frame, the rest in the arguments and in mc.
type stepped struct {
	*chacha20.ChaCha
	a, b, c, d [4]vec.Reg
	waiting    [3]operand.Mem // where words wait
	buf        operand.Mem    // keystream of a wide pass that is not all used on text
	area       operand.Mem    // the block in general registers
	frame      operand.Mem    // all of these
	row        operand.Mem    // row d of the input
	ahead      operand.Mem    // how many blocks the block in general registers is ahead; 0 if there is none
	t          chacha20.Text
	at         places
}

// places are where parts of the function begin.
type places struct {
	next                                                      operand.LabelRef // a pass is chosen
	both, sum, idle, finish                                   operand.LabelRef // wide passes
	row, rows, rowsBoth, manyRows, rowsSum, rowDone, rowsDone operand.LabelRef // passes in rows
	rest, part, buffered, tail, end                           operand.LabelRef // the text ends
	done                                                      operand.LabelRef // and there is nothing to add
}

func newStepped(c *chacha20.ChaCha) *stepped {
	s := &stepped{ChaCha: c}
	for i := range 4 {
		s.a[i], s.b[i], s.c[i], s.d[i] = c.Reg(i), c.Reg(4+i), c.Reg(8+i), c.Reg(12+i)
	}
	s.frame = c.AllocLocal(19*c.Bytes + 64)
	for i := range s.waiting {
		s.waiting[i] = s.frame.Offset(i * c.Bytes)
	}
	s.buf, s.area = s.frame.Offset(3*c.Bytes), s.frame.Offset(19*c.Bytes)
	s.ahead = c.ArgAddr("block")
	s.t = chacha20.Text{V: c.V, Dst: c.GP64(), Src: c.GP64(), N: c.GP64()}
	l := c.NewLabel
	s.at = places{l("next"), l("both"), l("sum"), l("idle"), l("finish"),
		l("row"), l("rows"), l("rowsBoth"), l("manyRows"), l("rowsSum"), l("rowDone"), l("rowsDone"),
		l("rest"), l("part"), l("buffered"), l("tail"), l("end"), l("done")}
	return s
}

// blocks is how many blocks a wide pass makes, not counting one in general registers.
func (s *stepped) blocks() int { return s.Bytes / 4 }

// bytes are as many as n blocks have.
func bytes(n int) operand.Op { return operand.U32(uint32(64 * n)) }

// xor emits xor(c, dst, src, n, iv, block, mc).
func (s *stepped) xor() {
	s.row = s.BeginStream()
	s.In[3] = s.row
	s.choose()
	s.finish(s.both())
	s.sum()
	s.inRows()
}

// mac is a field of what the argument mc points to.
func (s *stepped) mac(field string) operand.Mem {
	return s.Addr(s.Dereference(s.Param("mc")).Field(field))
}

// input makes in the rows of the input, and returns where the number of rounds is. A pass leaves no register for their
// address, so it is loaded anew each time.
func (s *stepped) input() (rounds operand.Mem) { return s.StreamInput(s.row) }

// choose goes to the next pass. It falls into both.
func (s *stepped) choose() {
	n, mc := s.t.N, s.GP64()
	s.Place(s.at.next)
	s.MOVQ(s.ArgAddr("n"), n)
	s.MOVQ(s.ArgAddr("mc"), mc)
	s.Block(func(keyed emit.Exit) {
		s.TESTQ(mc, mc)
		s.If(emit.NotZero, func() {
			s.CMPQ(s.mac("key"), operand.Imm(0))
			keyed(emit.NotEqual)
			s.CMPQ(s.mac("n"), operand.Imm(0))
			s.JNE(s.at.sum)
		})
		s.TESTQ(n, n)
		s.JEQ(s.at.done)
		s.chooseRows(n)
		if s.Bytes > 16 {
			s.MOVQ(operand.I32(0), s.ahead)
			s.CMPQ(n, bytes(3*s.Blocks()))
			s.JLS(s.at.manyRows)
			s.CMPQ(n, operand.U32(s.manyBytes()))
			s.JLS(s.at.idle)
		}
		s.MOVQ(operand.I32(int32(s.blocks())), s.ahead)
		s.JMP(s.at.both)
	})
	s.ADDQ(operand.Imm(64), n)
	s.chooseRows(n)
	s.MOVQ(operand.I32(-1), s.ahead)
	s.Count(1)
	if s.Bytes > 16 {
		s.CMPQ(n, bytes(2*s.Blocks()+1))
		s.JLS(s.at.rowsBoth)
		s.CMPQ(n, bytes(3*s.Blocks()+1))
		s.JLS(s.at.manyRows)
	}
}

// manyBytes is more text than which goes through both. With SSSE3 that is all that does not fit in rows. With AVX2,
// shorter texts take no less time in passes of nine blocks than in passes of eight.
func (s *stepped) manyBytes() uint32 {
	if s.Bytes > 16 {
		return 2048
	}
	return 128
}

// chooseRows goes to a pass in rows if that has n bytes.
func (s *stepped) chooseRows(n operand.Op) {
	s.CMPQ(n, bytes(s.Blocks()))
	s.JLS(s.at.row)
	s.CMPQ(n, bytes(2*s.Blocks()))
	s.JLS(s.at.rows)
}

// both computes such a pass, all but the input's addition.
func (s *stepped) both() *chacha20.Scalar {
	s.Place(s.at.both)
	rounds := s.input()
	s.loadAll()
	return s.besides(rounds, s.twoRounds)
}

// besides computes rounds of work in vector registers and of a block in general registers. The IV has been read: its
// argument is the counter of rounds.
func (s *stepped) besides(rounds operand.Op, twoRounds func() vec.Steps) *chacha20.Scalar {
	first, count := s.GP64(), s.ArgAddr("iv")
	s.MOVQ(rounds, first)
	s.MOVQ(first, count)
	b := chacha20.NewScalar(s.V, s.area, chacha20.TwoWords)
	b.Begin(s.ChaCha, s.ahead)
	s.LoopRounds(count, func() {
		work, one := twoRounds(), b.TwoRounds()
		for places := len(work); places > 0; places-- {
			work.Next(1)
			one.Share(places)
		}
	})
	b.Save()
	return b
}

// sum computes such a pass, all but the input's addition. Where no text is left it adds all that is to be added.
func (s *stepped) sum() {
	p := poly1305.NewBeside(s.V)
	s.Place(s.at.sum)
	p.Begin()
	s.catchUp(p)
	s.CMPQ(s.ArgAddr("n"), bytes(2*s.Blocks()))
	s.JLS(s.at.rowsSum)
	if s.Bytes > 16 {
		s.Block(func(begun emit.Exit) {
			begun(emit.Always)
			s.Place(s.at.idle)
			p.None()
		})
	}
	s.MOVQ(operand.I32(0), s.ahead)
	rounds, count := s.input(), s.GP64()
	s.loadAll()
	s.MOVQ(rounds, count)
	s.LoopRounds(count, func() { s.weave(s.twoRounds(), p, s.Bytes > 16) })
	if s.Bytes > 16 {
		s.TESTQ(p.At, p.At)
		s.JEQ(s.at.finish)
	}
	p.Keep()
	s.JMP(s.at.finish)

	s.Place(s.at.rowsSum)
	gs, rounds := s.loadGroups(2)
	s.MOVQ(rounds, count)
	s.LoopRounds(count, func() { s.weave(s.rowsRounds(gs), p, false) })
	p.Keep()
	s.CMPQ(s.ArgAddr("n"), bytes(s.Blocks()))
	s.JLS(s.at.rowDone)
	s.JMP(s.at.rowsDone)
}

// slots is how many blocks of Poly1305 go beside any two rounds: of twenty rounds, about as many as a wide pass is for.
func (s *stepped) slots() int { return (4*s.blocks() + 5) / 10 }

// weave emits two rounds with blocks of Poly1305 between, and one more while more than twenty are left, so that with
// AVX2 a sum that is late gets forty done in a pass, and one that is not gets done the 32 that a pass is for.
func (s *stepped) weave(work vec.Steps, p *poly1305.Beside, more bool) {
	slots := s.slots()
	if more {
		work.Share(slots + 1)
		twenty := s.GP64()
		s.LEAQ(operand.Mem{Base: p.Limit, Disp: -20 * 16}, twenty)
		p.Slot(twenty)
	}
	for ; slots > 0; slots-- {
		work.Share(slots)
		p.Slot(p.Limit)
	}
}

// limit lets the sum go as far as the text does in the pass to come: with lagDst that is what is written before, else
// what the pass reads. With SSSE3 and lagSrc it may go to the end, since passes after that are both, of five blocks.
func (s *stepped) limit(p *poly1305.Beside) {
	until := s.GP64()
	s.Block(func(end emit.Exit) {
		s.MOVQ(s.ArgAddr("dst"), until)
		s.CMPQ(s.mac("lag"), p.Lag("lagDst"))
		s.If(emit.NotEqual, func() {
			if s.Bytes == 16 {
				end(emit.Greater) // lagSrc
			}
			s.MOVQ(s.ArgAddr("src"), until)
			s.ADDQ(bytes(s.blocks()), until)
		})
		p.AtMost(until)
	})
}

// catchUp sets the limit for a pass, and adds what has to be added before: without lag, what the pass overwrites, but
// for what it has time to add. Without text it is the end, and with a lag the rest is left.
func (s *stepped) catchUp(p *poly1305.Beside) {
	n, time := s.ArgAddr("n"), s.GP64()
	s.XORL(time.As32(), time.As32())
	s.Block(func(lagging emit.Exit) {
		s.Block(func(add emit.Exit) {
			s.CMPQ(n, operand.Imm(0))
			s.If(emit.Equal, func() {
				s.CMPQ(s.mac("lag"), p.Lag("noLag"))
				add(emit.Equal)
				s.JMP(s.at.done)
			})
			s.limit(p)
			s.CMPQ(s.mac("lag"), p.Lag("noLag"))
			lagging(emit.NotEqual)
			s.MOVQ(s.input(), time)
			s.IMUL3Q(operand.Imm(uint64(16/2*s.slots())), time, time)
			s.SUBQ(time, p.Limit)
		})
		p.UpTo(p.Limit)
		s.ADDQ(time, p.Limit)
		s.CMPQ(n, operand.Imm(0))
		lagging(emit.NotEqual)
		p.Keep()
		s.Place(s.at.done)
		s.Return()
	})
}

// loadAll puts the input into all registers, one a word.
func (s *stepped) loadAll() {
	for i := range 16 {
		s.broadcastWord(i, s.Reg(i))
	}
	s.AddD(s.Numbers("wide", 0, 1), s.d[0], s.d[0])
}

// twoRounds returns the steps of two wide rounds.
func (s *stepped) twoRounds() (work vec.Steps) {
	for shift := range 2 {
		var qs []chacha20.Quarter
		for i := range 4 {
			qs = append(qs, chacha20.Quarter{
				A: s.a[i], B: s.b[(i+shift)%4], C: s.c[(i+2*shift)%4], D: s.d[(i+3*shift)%4], Tmp: s.a[0],
			})
		}
		half := func(left, right uint8) {
			s.Step(&work, left, qs, chacha20.Quarter.First)
			work.Add(func() { s.Store(s.a[0], s.waiting[0]) })
			s.Step(&work, right, qs, chacha20.Quarter.Second)
			work.Add(func() { s.Load(s.waiting[0], s.a[0]) })
		}
		half(16, 12)
		half(8, 7)
	}
	return work
}

// broadcastWord puts word i of the input into every lane of r.
func (s *stepped) broadcastWord(i int, r vec.Reg) {
	if s.Encoding == vec.VEX {
		s.VPBROADCASTD(s.Word(i), r)
		return
	}
	s.LoadD(s.Word(i), r)
	s.PSHUFD(operand.Imm(0), r, r)
}

// square adds the input to the four registers of row number row and transposes them. Clobbers tmp, and spare becomes
// part of the result.
func (s *stepped) square(row int, x [4]vec.Reg, tmp, spare vec.Reg) ([4]vec.Reg, vec.Reg) {
	for i, r := range x {
		s.broadcastWord(4*row+i, tmp)
		s.AddD(tmp, r, r)
		if 4*row+i == 12 {
			s.AddD(s.Numbers("wide", 0, 1), r, r)
		}
	}
	return s.TransposeWords(x, spare)
}

// keystream adds the input, and hands every register of keystream in the order of its making to put, with its place in
// the pass; tmp is free then.
func (s *stepped) keystream(put func(r, tmp vec.Reg, at int)) {
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
