package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/chacha20"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/lint"
	"kcrypto/_asm/vec"
)

// finish uses a wide pass on the text, and b, if the pass has it, on the key or on the text behind.
func (s *stepped) finish(b *chacha20.Scalar) {
	n, wide := s.t.N, bytes(s.blocks())
	x := s.Xmm()
	block := x.Range(2, 4)
	s.Place(s.at.finish)
	s.reload()
	s.CMPQ(n, wide)
	s.If(emit.Below, func() {
		s.Comment("The text ends here: keystream to the buffer, which is zeros XOR keystream.")
		s.LEAQ(s.zeros(), s.t.Src)
		s.LEAQ(s.buf, s.t.Dst)
		s.Allow(lint.Secret, "where the frame lies is public")
	})
	s.keystream(func(r, tmp vec.Reg, at int) { s.t.XOR(s.V, r, tmp, at) })
	s.takeBlock(b, block)
	s.wipe(0, 3)
	s.CMPQ(n, wide)
	s.JCS(s.at.part)
	s.t.Advance(wide)
	s.JEQ(s.at.end)
	s.CMPQ(s.ahead, operand.Imm(0))
	s.If(emit.NotEqual, func() {
		if s.Bytes == 16 {
			s.CMPQ(n, operand.Imm(64))
			s.JCS(s.at.rest)
		}
		for i, r := range block {
			s.t.XOR(x.V, r, x.Reg(0), 16*i)
		}
		s.t.Advance(operand.Imm(64))
		s.Count(s.blocks() + 1)
		s.keepText()
		s.CMPQ(n, operand.U32(s.manyBytes()))
		s.JHI(s.at.both)
		s.JMP(s.at.next)
	})
	s.Count(s.blocks())
	s.keepText()
	s.JMP(s.at.next)
	s.ending(block)
}

// takeBlock takes the block in general registers, if the pass has it, to where mc has Poly1305's key, when there is no
// such block any more, or else into the registers of block.
func (s *stepped) takeBlock(b *chacha20.Scalar, block []vec.Reg) {
	x := s.Xmm()
	s.Block(func(leave emit.Exit) {
		s.CMPQ(s.ahead, operand.Imm(0))
		leave(emit.Equal)
		for i, r := range block {
			b.FinishRow(i, s.ChaCha, s.ahead, r, x.Reg(1))
		}
		s.wipeArea()
		s.Comment("Flags are still those of ahead.")
		leave(emit.Greater)
		s.toKey(x.V, func(i int) vec.Reg { return block[i] })
		s.MOVQ(operand.I32(0), s.ahead)
	})
}

// ending is the end of the text in the buffer, or, at rest, in a block in registers, or, at tail, in register 0.
func (s *stepped) ending(block []vec.Reg) {
	if s.Bytes == 16 {
		s.Place(s.at.rest)
		for i, r := range block {
			s.Store(r, s.buf.Offset(16*i))
		}
		s.JMP(s.at.buffered)
	}
	s.Place(s.at.part)
	s.reload()
	s.Place(s.at.buffered)
	s.useBuffer()
	s.Place(s.at.tail)
	s.tail()
	s.Place(s.at.end)
	s.MOVQ(operand.I32(0), s.ArgAddr("n"))
	s.JMP(s.at.next)
}

// zeros is as much as a wide pass.
func (s *stepped) zeros() operand.Mem {
	return s.Data("zeros", make([]uint64, 16*s.Bytes/8)...)
}

// toKey stores the registers of a block where mc has a place for Poly1305's key, and takes that place from mc.
func (s *stepped) toKey(v vec.V, register func(i int) vec.Reg) {
	key := s.GP64()
	s.MOVQ(s.mac("key"), key)
	for i := range 64 / v.Bytes {
		v.Store(register(i), operand.Mem{Base: key, Disp: i * v.Bytes})
	}
	s.MOVQ(operand.I32(0), s.mac("key"))
}

// reload puts the text as the arguments say it into registers.
func (s *stepped) reload() {
	s.MOVQ(s.ArgAddr("dst"), s.t.Dst)
	s.MOVQ(s.ArgAddr("src"), s.t.Src)
	s.MOVQ(s.ArgAddr("n"), s.t.N)
}

// keepText is reload's counterpart.
func (s *stepped) keepText() {
	s.MOVQ(s.t.Dst, s.ArgAddr("dst"))
	s.MOVQ(s.t.Src, s.ArgAddr("src"))
	s.MOVQ(s.t.N, s.ArgAddr("n"))
}

// inRows emits the passes in rows.
func (s *stepped) inRows() {
	begin, done := []operand.LabelRef{s.at.row, s.at.rows}, []operand.LabelRef{s.at.rowDone, s.at.rowsDone}
	for n := range 2 {
		s.Place(begin[n])
		gs, rounds := s.loadGroups(n + 1)
		count := s.GP64()
		s.MOVQ(rounds, count)
		s.LoopRounds(count, func() {
			work := s.rowsRounds(gs)
			work.Rest()
		})
		s.Place(done[n])
		s.useRows(gs)
	}
	if s.Bytes > 16 {
		s.rowsBoth()
	}
}

// rowsBoth emits passes with two groups or three, and the block for the key beside them. Three serve the stream as
// well, with a block that nobody uses: without it they take as long. They take 44 cycles for two rounds with two groups
// and one in turns of six instructions, and 47 with all three side by side; two groups take 33.
func (s *stepped) rowsBoth() {
	s.Place(s.at.rowsBoth)
	gs, rounds := s.loadGroups(2)
	s.lastToKey(s.besides(rounds, func() vec.Steps { return s.rowsRounds(gs) }))
	s.wipeArea()
	s.JMP(s.at.rowsDone)

	s.Place(s.at.manyRows)
	gs, rounds = s.loadGroups(3)
	b := s.besides(rounds, func() (work vec.Steps) {
		work.Alternate(6, s.rowsRounds(gs[:2]), s.rowsRounds(gs[2:]))
		return work
	})
	s.CMPQ(s.ahead, operand.Imm(0))
	s.If(emit.NotEqual, func() { s.lastToKey(b) })
	s.wipeArea()
	s.useRows(gs)
}

// lastToKey uses a block in general registers beside rows as the key.
func (s *stepped) lastToKey(b *chacha20.Scalar) {
	x := s.Xmm()
	s.input()
	s.toKey(x.V, func(i int) vec.Reg {
		r := x.Reg(14)
		b.FinishRow(i, s.ChaCha, s.ahead, r, x.Reg(15))
		return r
	})
}

// loadGroups puts the input into n groups.
func (s *stepped) loadGroups(n int) (gs []chacha20.Group, rounds operand.Mem) {
	rounds = s.input()
	gs = s.Groups(n, 0, 0)
	for i := range gs {
		gs[i].Tmp = s.Reg(min(14, 16-n) + i)
	}
	s.LoadRows(gs)
	return gs, rounds
}

// rowsRounds returns the steps of two rounds.
func (s *stepped) rowsRounds(gs []chacha20.Group) (work vec.Steps) {
	s.RowRounds(&work, gs)
	return work
}

// finishGroups adds the input and returns registers of keystream in order.
func (s *stepped) finishGroups(gs []chacha20.Group) (all []vec.Reg) {
	s.input()
	s.AddRows(gs, gs[0].Tmp)
	for _, g := range gs {
		if s.Bytes == 16 {
			all = append(all, g.A, g.B, g.C, g.D)
			continue
		}
		first := g.Tmp
		s.VPERM2I128(operand.Imm(0x20), g.B, g.A, first)
		s.VPERM2I128(operand.Imm(0x31), g.B, g.A, g.A)
		s.VPERM2I128(operand.Imm(0x20), g.D, g.C, g.B)
		s.VPERM2I128(operand.Imm(0x31), g.D, g.C, g.C)
		all = append(all, first, g.B, g.A, g.C)
	}
	return all
}

// useRows uses groups on the key, if one is asked for and not there yet, and on what is left of the text, which needs
// no more. It goes on at tail with the register that the text ends in, and what is left then, or at end.
func (s *stepped) useRows(gs []chacha20.Group) {
	all, n := s.finishGroups(gs), len(gs)
	block, used := 64/s.Bytes, s.NewLabel("used") // registers of a block; where it goes on if they were the key's
	s.reload()
	if n < 3 {
		s.firstToKey(all, used)
	}
	sure := len(all) * (n - 1) / n // registers: what needs no more than n-1 groups went another way
	before := s.GP64()
	s.Block(func(advance emit.Exit) {
		for i, r := range all {
			if i >= sure {
				s.CMPQ(s.t.N, operand.U32(uint32(s.Bytes*(i+1))))
				s.Cold(emit.Below, func() {
					s.Move(r, s.Reg(0))
					s.MOVL(operand.U32(uint32(s.Bytes*i)), before.As32())
					advance(emit.Always)
				})
			}
			s.t.XOR(s.V, r, s.Reg(13), s.Bytes*i)
			if i == block-1 && n < 3 {
				s.Place(used)
			}
		}
		s.JMP(s.at.end)
		s.EmitCold()
	})
	s.t.Advance(before)
	s.JEQ(s.at.end)
	s.JMP(s.at.tail)
}

// firstToKey uses the first block as the key if one is asked for, and goes on at used with the text that much further
// back.
func (s *stepped) firstToKey(all []vec.Reg, used operand.LabelRef) {
	mc := s.Arg("mc")
	s.Block(func(unkeyed emit.Exit) {
		s.TESTQ(mc, mc)
		unkeyed(emit.Zero)
		s.CMPQ(s.mac("key"), operand.Imm(0))
		unkeyed(emit.Equal)
		s.toKey(s.V, func(i int) vec.Reg { return all[i] })
		s.t.Advance(operand.I32(-64))
		s.JMP(used)
	})
}

// useBuffer XORs the keystream in the buffer into what is left but for less than a register, puts the keystream for
// that into register 0, and wipes the buffer: with what is used, ciphertext would give the plaintext away.
func (s *stepped) useBuffer() {
	ks := s.GP64()
	s.LEAQ(s.buf, ks)
	s.Allow(lint.Secret, "where the frame lies is public")
	k, zero, end := s.Reg(0), s.Reg(2), s.GP64()
	s.Zero(zero)
	wipe := func() {
		s.Store(zero, operand.Mem{Base: ks})
		s.ADDQ(operand.Imm(uint64(s.Bytes)), ks)
	}
	s.While(func() {
		s.Load(operand.Mem{Base: ks}, k)
		s.CMPQ(s.t.N, operand.Imm(uint64(s.Bytes)))
	}, emit.NotBelow, func() {
		s.t.XOR(s.V, k, s.Reg(1), 0)
		wipe()
		s.t.Advance(operand.Imm(uint64(s.Bytes)))
	})
	s.Loop(emit.Below, func() {
		wipe()
		s.LEAQ(s.area, end)
		s.Allow(lint.Secret, "where the frame lies is public")
		s.CMPQ(ks, end)
	})
}

// tail XORs register 0 into the rest of the text, less than a register.
func (s *stepped) tail() {
	x := s.Xmm()
	k := x.Reg(0)
	if s.Bytes > 16 {
		s.ifHas(s.t.N.(reg.GPVirtual), 16, func() {
			x.Xor(operand.Mem{Base: s.t.Src}, k, x.Reg(1))
			x.Store(x.Reg(1), operand.Mem{Base: s.t.Dst})
			s.ExtractBlock(1, s.Reg(0), k)
			s.t.Advance(operand.Imm(16))
			s.JEQ(s.at.end)
		})
	}
	x.Store(k, s.buf)
	ks := s.GP64()
	s.LEAQ(s.buf, ks)
	s.Allow(lint.Secret, "where the frame lies is public")
	s.parts(ks, s.t.N.(reg.GPVirtual))
	x.Zero(k)
	x.Store(k, s.buf)
}

// parts XORs less than 16 bytes of keystream in memory into the text, n's lowest four bits, and moves on.
func (s *stepped) parts(ks, n reg.GPVirtual) {
	at := func(r reg.Register) operand.Mem { return operand.Mem{Base: r} }
	word := s.GP64()
	src, dst := at(s.t.Src), at(s.t.Dst)
	part := func(size int, word operand.Op, move, xor func(src, dst operand.Op)) {
		s.ifHas(n, size, func() {
			move(src, word)
			xor(at(ks), word)
			move(word, dst)
			for _, r := range []reg.Register{ks, s.t.Src, s.t.Dst} {
				s.ADDQ(operand.Imm(uint64(size)), r)
			}
		})
	}
	part(8, word, s.MOVQ, s.XORQ)
	part(4, word.As32(), s.MOVL, s.XORL)
	part(2, word.As16(), s.MOVW, s.XORW)
	part(1, word.As8(), s.MOVB, s.XORB)
}

// ifHas emits f for the case that bit size of n is set.
func (s *stepped) ifHas(n reg.Register, size int, f func()) {
	s.TESTL(operand.U32(uint32(size)), n.(reg.GPVirtual).As32())
	s.If(emit.NotZero, f)
}

// wipe clears n registers' worth of the frame from number first on: what held keystream, or words of a state.
func (s *stepped) wipe(first, n int) {
	zero := s.Reg(15)
	s.Zero(zero)
	for i := first; i < first+n; i++ {
		s.Store(zero, s.frame.Offset(i*s.Bytes))
	}
}

// wipeArea clears where a block in general registers came out.
func (s *stepped) wipeArea() { s.wipe(19, 64/s.Bytes) }
