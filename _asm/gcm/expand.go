package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// The table of powers, in k.powers: at T+16(n-i) stands H^i/x, i from n, the blocks of a stride, down to 1, and before
// T the powers for another stride. T is a multiple of 64. For Karatsuba the sum of the halves of each stands 32n bytes
// behind it, in both halves. Registers of which only a part counts are multiplied with what follows H/x, too, but as
// zeros.

// expand emits expand(k): the powers of H from the round keys.
func (g *gcm) expand() {
	g.start()
	g.schedule()
	b := g.narrower(g.block().Width)
	h := b.d[0]
	b.Zero(h)
	b.keys.White(h)
	b.keys.Encrypt([]vec.Reg{h}, nil)
	b.keys.EncryptLast(h)
	b.Shuffle(b.swap, h, h)
	b.divideByX(h)
	b.store(h, b.at(1))

	for i := 2; i <= g.Blocks(); i++ {
		b.power(i, 1)
	}
	if g.masks() {
		g.double()
	} else {
		g.climb()
	}
	g.Return()
}

// double makes the powers from a register's on in rounds of doubling, the multiplications of one of which do not wait
// for each other: H^j, H^(j-1), ... H times H^j are the powers from 2j down.
func (g *gcm) double() {
	j, far, p, end := g.GP64(), g.GP64(), g.GP64(), g.GP64() // far is where H^j is, end where H^0 would be
	g.LEAQ(g.at(0), end)
	g.MOVQ(operand.I32(-g.Bytes), j) // -16j
	g.Loop(emit.NotLess, func() {    // a round
		g.LEAQ(operand.Mem{Base: end, Index: j, Scale: 1}, far)
		g.LEAQ(operand.Mem{Base: end, Disp: -g.Bytes}, p)
		g.Loop(emit.NotBelow, func() { // a register
			g.Broadcast(operand.Mem{Base: far}, g.x)
			g.emit(g.multiply(g.V, operand.Mem{Base: p}))
			g.emit(g.reduce(false))
			g.Store(g.lo.reg, operand.Mem{Base: p, Index: j, Scale: 1})
			g.SUBQ(operand.Imm(uint64(g.Bytes)), p)
			g.CMPQ(p, far)
		})
		g.ADDQ(j, j)
		g.CMPQ(j, operand.I32(-16*g.table))
	})
}

// climb makes the powers from a register's on, one register after the other: less code than power, for narrower
// registers.
func (g *gcm) climb() {
	p, left := g.GP64(), g.GP64()
	g.LEAQ(g.at(g.Blocks()), p)
	g.MOVQ(operand.U32(2*g.table/g.Blocks()-1), left)
	g.Loop(emit.NotZero, func() {
		g.Broadcast(g.at(g.Blocks()), g.x)
		g.emit(g.multiply(g.V, operand.Mem{Base: p}))
		g.emit(g.reduce(false))
		g.store(g.lo.reg, operand.Mem{Base: p, Disp: -g.Bytes})
		g.SUBQ(operand.Imm(uint64(g.Bytes)), p)
		g.DECQ(left)
	})
}

// at is where H^i/x is.
func (g *gcm) at(i int) operand.Mem { return operand.Mem{Base: g.powers, Disp: 16 * (g.table - i)} }

// power makes the powers i, i-1, ..., i-n+1, n being the number of blocks of a register: the products of those from i-j
// down with j, which is the largest number below i that is n times a power of two. So the products of one round of
// doubling do not wait for each other.
func (g *gcm) power(i, n int) {
	j := n
	for 2*j < i {
		j *= 2
	}
	g.Broadcast(g.at(j), g.x)
	g.emit(g.multiply(g.V, g.at(i-j)))
	g.emit(g.reduce(false))
	g.store(g.lo.reg, g.at(i))
}

// store puts x, which is powers, where they belong, at m, with the sums of their halves. Clobbers g.x.
func (g *gcm) store(x vec.Reg, m operand.Mem) {
	g.Store(x, m)
	if g.karatsuba() {
		g.ShuffleD(swapHalves, x, g.x)
		g.Xor(x, g.x, g.x)
		g.Store(g.x, m.Offset(g.sumsAt))
	}
}

// divideByX shifts the coefficients down by one. The constant one, which falls out, comes back as
// 1/x = x^127 + x^6 + x + 1. Clobbers d[1] and d[2].
func (g *gcm) divideByX(x vec.Reg) {
	one, carry := g.d[1], g.d[2]
	g.ShuffleD(0xff, x, one)
	g.SpreadSignD(one, one)
	g.And(g.constant("inverse", 1, 0xc2<<56), one, one)
	g.ShiftRightQ(63, x, carry)
	g.ShiftLeftBytes(8, carry, carry)
	g.ShiftLeftQ(1, x, x)
	g.Xor(carry, x, x)
	g.Xor(one, x, x)
}
