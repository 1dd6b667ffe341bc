package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// Two strides of the main loop have one reduction, the first of them being multiplied with the powers from twice a
// stride on. half is the distance in bytes from the powers for a stride to those for this one, 0 for the second of two
// and for the first of an odd number; prev is what it was for the one before, and at first 0: it is 0 where y is in lo
// and no sum has begun. (Zen 4, 16 KiB with AES-256: vaes_avx512 1377 ns with a reduction for each stride and 1345 so,
// vaes_avx2 1666 and 1560, aesni_avx 2973 and 2906.)

// beginHalves sets half and prev before the loop, whose sums go over a stride if there are least bytes, and over one
// more for every stride more.
func (g *gcm) beginHalves(t text, least operand.Op) {
	g.half, g.prev = g.GP64(), g.GP64()
	g.XORL(g.prev.(reg.GP).As32(), g.prev.(reg.GP).As32())
	g.MOVQ(t.n, g.half)
	g.SUBQ(least, g.half)
	g.SHRQ(operand.U8(bits.TrailingZeros(wide*uint(g.Bytes))), g.half) // one less than there are strides
	g.NOTQ(g.half)
	g.ANDQ(operand.Imm(1), g.half)
	g.DECQ(g.half)
	g.ANDQ(operand.I32(-wide*g.Bytes), g.half)
	g.Zero(g.mid.reg)
	g.Zero(g.hi.reg)
}

// hashHalf returns the steps that take the sums over the stride of ciphertext at m, and y if it ends them. last says
// that it does.
func (g *gcm) hashHalf(m operand.Mem, last bool) vec.Steps {
	var s vec.Steps
	for i := range wide {
		m, p := m.Offset(i*g.Bytes), operand.Mem{Base: g.powers, Index: g.half, Scale: 1, Disp: i * g.Bytes}
		s.Add(func() {
			g.Load(m, g.x)
			g.Shuffle(g.swap, g.x, g.x)
		})
		switch {
		case i == 0:
			s.Add(func() { g.multiplyFirst(p) })
		case g.Bytes == 16:
			s.Add(g.multiplyScalar(m, p)...)
		default:
			s.Add(g.multiply(g.V, p)...)
		}
	}
	s.Add(g.settle)
	if last {
		return append(s, g.reduce(true)...)
	}
	s.Add(func() {
		g.MOVQ(g.half, g.prev)
		g.XORQ(operand.I32(-wide*g.Bytes), g.half)
		g.TESTQ(g.prev, g.prev)
		g.If(emit.Zero, func() { g.emit(g.reduce(true)) })
	})
	return s
}

// multiplyFirst begins the sums with the product of x, with y added, and the powers at p, or adds the product to them.
func (g *gcm) multiplyFirst(p operand.Mem) {
	product := func() {
		g.emit(g.multiply(g.V, p))
		g.settle()
	}
	g.TESTQ(g.prev, g.prev)
	g.IfElse(emit.Zero, func() {
		g.Xor(g.lo.reg, g.x, g.x)
		for _, s := range g.sums() {
			s.set = false
		}
		product()
	}, product)
}
