package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
	"kcrypto/_asm/walk"
)

// masked is the function under EVEX. One block, and one register, have ways of their own, which do without most of
// what the others make ready. The loop leaves at least a byte, so that nothing has to be asked behind it.
//
// The counters of a pass are in ahead before it begins, and while the loop encrypts them it makes those of the next.
func (b *body) masked() {
	b.CMPQ(b.left, operand.Imm(16))
	b.If(emit.NotAbove, b.oneBlock)
	b.start()
	b.CMPQ(b.left, operand.U32(uint32(b.Bytes)))
	b.If(emit.NotAbove, b.oneVector)

	// 13 keys in registers: the first of AES-256 comes from memory, once a pass, as there is no 33rd register.
	b.keys = aesni.NewKeys(b.V, b.enc, b.rounds, b.tmp, b.Range(19, 13)...)
	whole, half := operand.U32(uint32(wide*b.Bytes)), operand.U32(uint32(wide/2*b.Bytes))
	finish := func(n int) { b.finish(b.ahead[:n]) }
	b.Block(func(few emit.Exit) {
		b.Comment("The first counters; half of them if that is enough.")
		b.count(b.ahead, false, func() {
			fill := b.fill(b.ahead)
			fill.Next(wide)
			b.CMPQ(b.left, half)
			few(emit.NotAbove)
			fill.Rest()
			b.advance(wide)
		})
		b.CMPQ(b.left, whole)
		b.If(emit.Above, func() {
			b.Align(64)
			b.Loop(emit.Above, func() {
				for i, x := range b.data {
					b.Move(b.ahead[i], x)
				}
				steps := b.fill(b.ahead)
				b.pass(b.data, &steps)
				b.count(b.ahead, false, func() { b.advance(wide) })
				b.SUBQ(whole, b.left)
				b.CMPQ(b.left, whole)
			})
		})
		b.CMPQ(b.left, half)
		few(emit.NotAbove)
		walk.Exactly(b.V, b.left, wide/2+1, wide, finish)
	})
	walk.Exactly(b.V, b.left, 1, wide/2, finish)
}

// oneVector is the rest of the function for a message of one register or less.
func (b *body) oneVector() {
	x := b.data[:1]
	b.count(x, true, func() {
		fill := b.fill(x)
		fill.Rest()
	})
	b.keys = aesni.NewKeys(b.V, b.enc, b.rounds, b.tmp)
	b.finish(x)
}

// finish encrypts the counters in x, XORs that with what is left, which needs all of x, and ends the function. Eight
// registers go in two halves, which cover AES's latency as well as eight, so that not all stores come at the end: 512
// bytes take 134 cycles and not 140 from the moment that the IV is known.
func (b *body) finish(x []vec.Reg) {
	if len(x) == wide {
		b.pass(x[:wide/2], nil)
		b.SUBQ(operand.U32(uint32(wide/2*b.Bytes)), b.left)
		x = x[wide/2:]
	}
	last := len(x) - 1
	if last > 0 {
		b.SUBQ(operand.U32(uint32(last*b.Bytes)), b.left)
	}
	b.keys.Encrypt(x, nil)
	key := b.keys.Last(2)
	b.output(x[:last], key)
	b.maskedVector(b.V, x[last], b.data[1], key, last)
	b.Return()
}

// maskedVector is the last round on x, and the XOR with the bytes left of input vector i into output vector i. What the
// mask leaves out may lie where no memory is: that is no fault, though it takes Zen 4 some 350 cycles to find out.
// Clobbers tmp, K1.
func (b *body) maskedVector(v vec.V, x, tmp vec.Reg, key operand.Op, i int) {
	v.Mask(b.left, reg.K1)
	v.LoadMasked(b.in(i), reg.K1, tmp)
	v.Xor(key, tmp, tmp)
	v.AESEncLast(tmp, x, x)
	v.StoreMasked(x, reg.K1, b.out(i))
}
