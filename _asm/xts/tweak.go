package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/vec"
)

// A tweak is an element of GF(2^128), the coefficient of x^i being bit i of the block, modulo x^128 + x^7 + x^2 + x +
// 1: what is shifted out at the top comes back at the bottom times 0x87. The next block's tweak is x times this one's.

// polynomial is what double needs, or what by8 and fresh need: 0x87, and 0x86 in the high halves.
func (x *xts) polynomial() operand.Mem {
	if x.chained() {
		return x.Data("poly", 0x87, 1)
	}
	return x.repeat("poly", 0x87, 0x86)
}

// repeat is a constant of the same two words in every block.
func (x *xts) repeat(name string, low, high uint64) operand.Mem {
	var words []uint64
	for range x.Blocks() {
		words = append(words, low, high)
	}
	return x.Data(name, words...)
}

// double sets dst to x times src, for registers of one block. The top bits of the halves, each where its carry goes,
// select what is XORed into the doubled halves: 1 into the high one, 0x87 into the low one. Clobbers t1.
func (x *xts) double(src, dst vec.Reg) {
	x.ShuffleD(0x13, src, x.t1)
	x.SpreadSignD(x.t1, x.t1)
	x.And(x.poly, x.t1, x.t1)
	x.AddQ(src, src, dst)
	x.Xor(x.t1, dst, dst)
}

// by8 returns the steps that set dst to x^8 times src, for registers of several blocks. They clobber t1.
func (x *xts) by8(src, dst vec.Reg) vec.Steps {
	return vec.Steps{func() {
		x.ShiftRightBytes(15, src, x.t1)
		x.Clmul(0x00, x.poly, x.t1, x.t1)
	}, func() {
		x.ShiftLeftBytes(1, src, dst)
		x.Xor(x.t1, dst, dst)
	}}
}

// begin makes the first block of t the tweak from which fresh makes others.
func (x *xts) begin(t vec.Reg) {
	if x.chained() {
		x.Move(t, x.t[0])
		return
	}
	x.Spread(t, x.base)
	x.ShuffleD(0x4e, x.base, x.swapped)
	x.LEAQ(x.Data("shifts", shifts()...), x.powers)
}

const (
	powers = 34          // blocks that a tail can have, and those of stealing
	right  = 16 * powers // distance of the table of shifts to the right from that of shifts to the left
)

// shifts is the table of fresh: i and i for block i, and then 64-i and 64-i.
func shifts() (words []uint64) {
	for i := range uint64(powers) {
		words = append(words, i, i)
	}
	for i := range uint64(powers) {
		words = append(words, 64-i, 64-i)
	}
	return words
}

// fresh sets t, registers of shape s, to the next tweaks. Registers of one block are doubled one after the other: t[0]
// has its tweak already.
//
// Others are made from base = hi:lo. x^i times it, for i up to 63, is
//
//	lo<<i ^ (hi>>(64-i))*0x87  in the low half
//	hi<<i ^  lo>>(64-i)        in the high half,
//
// which is base<<i ^ b ^ (b's low half)*0x86, where b is base's halves exchanged and shifted to the right by 64-i: four
// instructions with three-way XOR, and none depends on another tweak. Clobbers t1 and t2.
func (x *xts) fresh(s shape, t []vec.Reg) {
	if x.chained() {
		for i := 1; i < len(t); i++ {
			x.double(t[i-1], t[i])
		}
		return
	}
	x.ahead(s, 0, t)
}

// ahead is fresh for registers n further on.
func (x *xts) ahead(s shape, n int, t []vec.Reg) {
	t1, t2, poly := s.View(x.t1), s.View(x.t2), x.poly
	if r, ok := poly.(vec.Reg); ok {
		poly = s.View(r)
	}
	for i, t := range t {
		m := operand.Mem{Base: x.powers, Disp: (n + i) * s.Bytes}
		s.VPSLLVQ(m, s.View(x.base), t)
		s.VPSRLVQ(m.Offset(right), s.View(x.swapped), t1)
		s.Clmul(0x10, poly, t1, t2)
		s.Xor3(t1, t2, t)
	}
}

// pair sets t to the tweak of the next block and u to that of the one after it.
func (x *xts) pair(t, u vec.Reg) {
	if x.chained() {
		x.Move(x.t[0], t)
		x.double(t, u)
		return
	}
	x.fresh(x.block, []vec.Reg{t, u})
}
