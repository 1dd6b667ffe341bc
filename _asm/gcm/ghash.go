package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// GHASH, multiplied without carries.
//
// An element of GF(2^128) has the coefficient of x^i at bit 127-i of the block read as a big-endian integer, that is of
// the block with its bytes reversed in a register. The product of two such integers has it at bit 254-i. With H^i/x in
// place of H^i (the tables hold that, see expand) it comes to stand at bit 255-i, so that the high half of a product is
// its coefficients of x^0 to x^127 in the order of an element, and no shift by one bit is needed.
//
// Products of halves. For x = x1·2^64 + x0 and h the same,
//
//	x·h = x1·h1·2^128 + (x0·h1 + x1·h0)·2^64 + x0·h0 = hi·2^128 + mid·2^64 + lo.
//
// Schoolbook makes mid of two products, which cost two instructions to add up by 3-way XOR. Karatsuba makes it of one:
// mid = (x0+x1)·(h0+h1) + hi + lo, where h0+h1 comes from a table and hi + lo is added once a sum of many products.
// lo, mid and hi are linear, so products of many blocks with their powers of H are added up before one reduction.
//
// Reduction. x^128 = 1 + x + x^2 + x^7, and a shift to the right by one multiplies by x. So the lowest word z, whose
// weight is 2^0, may be taken away and added as z·(2^128 + 2^127 + 2^126 + 2^121) = z·2^128 + z·p·2^64, where p = 2^63
// + 2^62 + 2^57. In terms of mid, whose weight is 2^64: with lo = (a, b), b the lower word, add (b, a), which is lo
// with its halves exchanged, and b·p. The lower word of what mid is then goes the same way into hi. (S. Gueron and M.
// Kounavis, "Intel Carry-Less Multiplication Instruction and its Usage for Computing the GCM Mode", has the idea of
// reduction by words from the low end.)

// reducer is p in the low half of a block.
const reducer = 1<<63 | 1<<62 | 1<<57

// A sum is one of lo, mid and hi while products are added up.
type sum struct {
	reg     vec.Reg
	set     bool    // reg holds something
	pending vec.Reg // a product that waits for another one to be added with it by one 3-way XOR
}

// take and give hand out the registers for single products.
func (g *gcm) take() vec.Reg {
	if len(g.free) == 0 {
		panic("gcm: no register is left for a product")
	}
	r := g.free[0]
	g.free = g.free[1:]
	return r
}

func (g *gcm) give(r vec.Reg) { g.free = append(g.free, r) }

// sums are the three of them.
func (g *gcm) sums() []*sum { return []*sum{&g.lo, &g.mid, &g.hi} }

// clearSums makes all sums 0.
func (g *gcm) clearSums() {
	for _, s := range g.sums() {
		g.Zero(s.reg)
		s.set = true
	}
}

// settle adds what is pending, so that the sums are what their registers say.
func (g *gcm) settle() {
	for _, s := range g.sums() {
		if s.pending != nil {
			g.Xor(s.pending, s.reg, s.reg)
			g.give(s.pending)
			s.pending = nil
		}
	}
}

// add adds the product of half a block of h, a register or memory, and half a block of x, as v is wide.
func (g *gcm) add(s *sum, v vec.V, which uint8, h operand.Op, x vec.Reg) {
	dst := s.reg
	if s.set {
		dst = g.take()
	}
	if m, ok := h.(operand.Mem); ok && v.Encoding == vec.Legacy {
		v.Load(m, dst) // the tables need not be aligned
		v.Clmul(which, v.View(x), v.View(dst), v.View(dst))
	} else {
		v.Clmul(which, h, v.View(x), v.View(dst))
	}
	switch {
	case !s.set:
		s.set = true
	case g.Encoding != vec.EVEX:
		g.Xor(dst, s.reg, s.reg)
		g.give(dst)
	case s.pending == nil:
		s.pending = dst
	default:
		g.Xor3(s.pending, dst, s.reg)
		g.give(s.pending)
		g.give(dst)
		s.pending = nil
	}
}

// multiply returns the steps that add the products of x, as v is wide, with the powers at p to the sums.
func (g *gcm) multiply(v vec.V, p operand.Mem) vec.Steps {
	if g.karatsuba() {
		return g.multiplyKaratsuba(v, p)
	}
	s := vec.Steps{func() { v.Load(p, v.View(g.h)) }}
	return append(s, g.multiplyBy(v, v.View(g.h))...)
}

// multiplyBy returns the steps that add the products of x and h to the sums.
func (g *gcm) multiplyBy(v vec.V, h operand.Op) vec.Steps {
	return vec.Steps{
		func() { g.add(&g.lo, v, 0x00, h, g.x) },
		func() { g.add(&g.mid, v, 0x01, h, g.x) },
		func() { g.add(&g.mid, v, 0x10, h, g.x) },
		func() { g.add(&g.hi, v, 0x11, h, g.x) },
	}
}

func (g *gcm) multiplyKaratsuba(v vec.V, p operand.Mem) vec.Steps {
	return g.multiplyBoth(v, p, func(both vec.Reg) {
		v.ShuffleD(swapHalves, v.View(g.x), v.View(both))
		v.Xor(v.View(g.x), v.View(both), v.View(both))
	})
}

// multiplyBoth is multiplyKaratsuba with the sum of the halves of x from add, which leaves it in the low half.
func (g *gcm) multiplyBoth(v vec.V, p operand.Mem, add func(both vec.Reg)) vec.Steps {
	var both vec.Reg
	return vec.Steps{
		func() {
			both = g.take()
			add(both)
		},
		func() { g.add(&g.lo, v, 0x00, p, g.x) },
		func() { g.add(&g.mid, v, 0x00, p.Offset(g.sumsAt), both); g.give(both) },
		func() { g.add(&g.hi, v, 0x11, p, g.x) },
	}
}

// multiplyScalar is multiplyKaratsuba for a block x that is the one at m with its bytes reversed. Integer units add its
// halves, which leaves the vector units more time (aesni_avx, AES-256, 16 KiB: 2980 ns after 3116).
func (g *gcm) multiplyScalar(m, p operand.Mem) vec.Steps {
	return g.multiplyBoth(g.V, p, func(both vec.Reg) {
		sum := g.GP64()
		g.MOVQ(m, sum)
		g.XORQ(m.Offset(8), sum)
		g.BSWAPQ(sum)
		g.FromQ(sum, both)
	})
}

// swapHalves is the order of words for ShuffleD that exchanges the halves of a block.
const swapHalves = 0x4e

// reduce returns the steps that turn the sums of each block of a register into an element in lo. mid and hi are lost.
// With fold it also adds up the blocks of lo into the first and clears the others.
func (g *gcm) reduce(fold bool) vec.Steps {
	lo, mid, hi := g.lo.reg, g.mid.reg, g.hi.reg
	p := g.constant("reducer", reducer, 0)
	var a, b vec.Reg
	half := func(x vec.Reg) func() {
		return func() {
			g.Clmul(0x00, p, x, a)
			g.ShuffleD(swapHalves, x, b)
		}
	}
	return vec.Steps{
		func() {
			g.settle()
			if g.karatsuba() {
				g.Xor3(lo, hi, mid)
			}
			a, b = g.take(), g.take()
		},
		half(lo),
		func() { g.Xor3(a, b, mid) },
		half(mid),
		func() {
			if g.Bytes == 16 || !fold {
				g.Xor(a, hi, lo)
				g.Xor(b, lo, lo)
			} else {
				g.Xor3(a, b, hi)
			}
			g.give(a)
			g.give(b)
			if g.Bytes > 16 && fold {
				g.fold(hi, lo)
			}
			for _, s := range g.sums() {
				s.set = false
			}
		},
	}
}

// fold adds up the blocks of src into the first block of dst and clears the rest. Clobbers src. Blocks are taken out
// side by side, since crossing from one block to another takes 3 to 4 cycles.
func (g *gcm) fold(src, dst vec.Reg) {
	b := g.block()
	var out []vec.Reg
	for i := 1; i < g.Blocks(); i++ {
		r := g.take()
		g.ExtractBlock(uint8(i), src, r)
		out = append(out, r)
	}
	x := b.View(src)
	if len(out) == 3 {
		b.Xor3(b.View(out[0]), b.View(out[1]), x)
	}
	b.Xor(b.View(out[len(out)-1]), x, b.View(dst))
	for _, r := range out {
		g.give(r)
	}
}

// absorb emits GHASH over n bytes at data, the last block padded with zeros, n > 0. Clobbers data, n and y.
func (g *gcm) absorb(data, n reg.Register) {
	left, p := g.GP64(), g.GP64()
	g.Loop(emit.NotZero, func() {
		g.MOVQ(operand.U32(16*g.table), left)
		g.CMPQ(n, left)
		g.CMOVQCS(n, left)
		g.SUBQ(left, n)
		g.Move(g.lo.reg, g.y())
		g.clearSums()
		g.align(left, 0, p)
		g.walk(left, func(v vec.V, part bool) {
			x := v.View(g.x)
			if part {
				g.loadRest(v, data, left, x)
			} else {
				v.Load(operand.Mem{Base: data}, x)
			}
			v.Shuffle(g.narrow(g.swap, v), x, x)
			g.mix(v, p)
			if !part {
				g.ADDQ(operand.Imm(uint64(v.Bytes)), data)
				g.ADDQ(operand.Imm(uint64(v.Bytes)), p)
			}
		})
		g.emit(g.reduce(true))
		g.TESTQ(n, n)
	})
}

// mix adds y to x, multiplies with the powers at p, as v is wide, and clears y.
func (g *gcm) mix(v vec.V, p reg.Register) {
	g.addState(0)
	g.emit(g.multiply(v, operand.Mem{Base: p}))
	g.settle()
}

// align sets p to where the powers for left bytes of message begin if so many more blocks follow. At most one block
// more than a stride in all: expand makes a power more than a stride needs.
func (g *gcm) align(left reg.Register, more int, p reg.Register) {
	g.LEAQ(operand.Mem{Base: left, Disp: 15}, p)
	g.ANDQ(operand.I32(-16), p)
	g.NEGQ(p)
	g.LEAQ(operand.Mem{Base: g.powers, Index: p, Scale: 1, Disp: 16 * (g.table - more)}, p)
}

// walk emits step for left bytes in whole registers, then, without opmasks, for a block where registers are wider, then
// for the part of a register that is left. With opmasks K1 has its bytes.
func (g *gcm) walk(left reg.Register, step func(v vec.V, part bool)) {
	widths := []vec.V{g.V}
	if g.Bytes > 16 && !g.masks() {
		widths = append(widths, g.block())
	}
	for _, v := range widths {
		g.whole(left, operand.Imm(uint64(v.Bytes)), func() { step(v, false) })
	}
	g.TESTQ(left, left)
	g.If(emit.NotZero, func() {
		if !g.masks() {
			step(g.block(), true)
			return
		}
		g.Mask(left, reg.K1)
		step(g.V, true)
	})
}

// whole emits a loop over left in pieces of size bytes, as long as there are whole ones.
func (g *gcm) whole(left reg.Register, size operand.Op, step func()) {
	g.CMPQ(left, size)
	g.If(emit.NotBelow, func() {
		g.Loop(emit.NotBelow, func() {
			step()
			g.SUBQ(size, left)
			g.CMPQ(left, size)
		})
	})
}

// emit emits steps that nothing is woven into.
func (g *gcm) emit(s vec.Steps) { s.Rest() }
