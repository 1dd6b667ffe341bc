package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/chacha20"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// xorBlock emits xorBlock(c, dst, src, n, iv, block): 1 to 64 bytes of text XOR one block of keystream, in general
// registers. It is for CPUs whose vector instructions take two cycles where an addition in a general register takes
// one. Then the 240 instructions of the longest chain take 240 cycles, and in vector registers twice as many.
//
// The keystream goes through the frame, in pairs of words, and is read back in pairs: a load of what more than one
// store wrote waits until those stores are done.
//
//	14 registers    words of the block; two more words, and the count of rounds, are in the frame
//	one more        a temporary in the rounds; before and after them the address of the input's row
func xorBlock(c *emit.Ctx) {
	s := chacha20.New(vec.V{Ctx: c, Width: vec.SSE})
	area, count := s.AllocLocal(64), s.AllocLocal(8)
	b := chacha20.NewScalar(s.V, area, chacha20.TwoWords)
	first, ahead := s.GP64(), s.ArgAddr("block")
	s.MOVQ(s.StreamInput(operand.Mem{}), first)
	s.MOVQ(first, count)
	for i := range 3 {
		b.BeginRow(i, s)
	}
	s.In[3] = operand.Mem{Base: s.Arg("iv")}
	b.BeginRow(3, s)
	s.ADDQ(ahead, b.Words[12].(reg.GPVirtual).As64())
	s.LoopRounds(count, func() {
		two := b.TwoRounds()
		two.Rest()
	})
	s.In[3] = operand.Mem{Base: s.Arg("iv")}
	b.SaveRow(3, s, ahead)
	s.StreamInput(s.In[3])
	for i := range 3 {
		b.SaveRow(i, s, nil)
	}
	xorFrom(s, area)
	s.Zero(s.Reg(0))
	for i := range 4 {
		s.Store(s.Reg(0), area.Offset(16*i))
	}
	s.Return()
}

// xorFrom XORs the text with what area begins with.
func xorFrom(s *chacha20.ChaCha, area operand.Mem) {
	dst, src, key, x := s.Arg("dst"), s.Arg("src"), s.GP64(), s.GP64()
	at, n, last := s.GP64(), s.Arg("n"), s.GP64()
	in := func(base reg.Register) operand.Mem { return operand.Mem{Base: base, Index: at, Scale: 1} }
	s.LEAQ(area, key)
	s.LEAQ(operand.Mem{Base: n, Disp: -8}, last)
	s.XORL(at.As32(), at.As32())
	test := func(to operand.Op) func() { return func() { s.CMPQ(at, to) } }
	s.While(test(last), emit.NotGreater, func() {
		s.MOVQ(in(key), x)
		s.XORQ(in(src), x)
		s.MOVQ(x, in(dst))
		s.ADDQ(operand.Imm(8), at)
	})
	s.While(test(n), emit.Below, func() {
		s.MOVB(in(key), x.As8())
		s.XORB(in(src), x.As8())
		s.MOVB(x.As8(), in(dst))
		s.INCQ(at)
	})
}
