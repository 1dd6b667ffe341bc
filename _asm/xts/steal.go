package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// steal emits the last whole block and the rest of n bytes behind it, 1 to 15: the block is encrypted; what it begins
// with becomes the rest of the output, and the rest of the input takes its place for a second encryption. Decryption
// does the same with the two tweaks exchanged. (IEEE 1619, 5.3.2 and 5.4.2.)
//
// The rest is read and written as the end of 16 bytes, of which the others belong to the last block, and moved by
// shuffles: in a table of 16 bytes that select nothing, 0 to 15, and 16 more that select nothing, those from n on move
// n bytes to the register's end, and those from 32-n on bring them back.
func (x *xts) steal(n reg.Register) {
	b := x.block
	d, rest, t, u := b.View(x.d[0]), b.View(x.d[1]), b.View(x.t[2]), b.View(x.t[3])
	t1, t2 := b.View(x.t1), b.View(x.t2)
	x.Comment("Ciphertext stealing.")
	x.pair(t, u)
	if x.decrypt {
		t, u = u, t
	}
	none := uint64(nothing)
	up, down, keep := x.GP64(), x.GP64(), x.GP64()
	x.LEAQ(x.Data("moves", none, none, 0x0706050403020100, 0x0f0e0d0c0b0a0908, none, none), up)
	x.LEAQ(operand.Mem{Base: up, Disp: 32}, down)
	x.LEAQ(x.Data("keep", 0, 0, ^uint64(0), ^uint64(0)), keep)
	x.ADDQ(n, up)
	x.SUBQ(n, down)
	x.SUBQ(n, keep)

	one := func(t vec.Reg) {
		b.Xor(b.keys.First(), d, d)
		b.Xor(t, d, d)
		x.middle(b, []vec.Reg{d}, nil)
		b.Xor(b.View(x.held[0]), t, t)
		x.final(b, t, d)
	}
	b.Load(operand.Mem{Base: x.src}, d)
	b.Load(operand.Mem{Base: x.src, Index: n, Scale: 1}, rest)
	b.Load(operand.Mem{Base: down}, t1)
	b.Shuffle(t1, rest, rest)
	one(t)
	b.Load(operand.Mem{Base: up}, t1)
	b.Move(d, t2)
	b.Shuffle(t1, t2, t2)
	b.Store(t2, operand.Mem{Base: x.dst, Index: n, Scale: 1})
	b.Load(operand.Mem{Base: keep, Disp: 16}, t1)
	b.And(t1, d, d)
	b.Xor(rest, d, d)
	one(u)
	b.Store(d, operand.Mem{Base: x.dst})
	for _, a := range []reg.Register{x.src, x.dst} {
		x.forward(16, a)
		x.ADDQ(n, a)
	}
}
