package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// loops emits the main loop for units that are long enough. At its end it puts the tweak of the next block in the place
// of the one that the unit began with, for the rest of a unit that is done in several calls.
func (x *xts) loops(u units) {
	x.CMPQ(x.left, imm(x.wide*x.Bytes))
	x.If(emit.NotBelow, func() {
		var next vec.Reg
		if x.Encoding == vec.EVEX {
			next = x.relay(u)
		} else {
			next = x.woven()
		}
		x.block.Store(x.block.View(next), operand.Mem{Base: u.tweaks})
		x.begin(next)
	})
}

// woven emits the loop for 16 registers: the tweaks of the next time round are made while this one goes through the
// rounds, and since this one still needs its own at the end, they are kept, with the last round key, in the registers
// x.x. It returns the register with the next tweak.
func (x *xts) woven() vec.Reg {
	x.fresh(x.shape, x.t)
	x.Align(32)
	x.Loop(emit.NotBelow, func() {
		key := x.keys.First()
		for i, d := range x.d {
			x.Load(operand.Mem{Base: x.src, Disp: i * x.Bytes}, d)
			x.Xor3(x.t[i], key, d)
		}
		var steps vec.Steps
		for i, t := range x.t {
			steps.Add(func() { x.Xor(x.held[0], t, x.x[i]) })
		}
		for i, t := range x.t {
			if x.chained() {
				steps.Add(func() { x.double(x.t[(i+x.wide-1)%x.wide], t) })
			} else {
				steps.Add(x.by8(t, t)...)
			}
		}
		x.middle(x.shape, x.d, &steps)
		x.finish(x.shape, x.d, x.x)
		x.CMPQ(x.left, imm(x.wide*x.Bytes))
	})
	return x.t[0]
}

// A half is half of the registers of text of the relay.
type half struct{ d, t []vec.Reg }

// relay emits the loop for 32 registers. Two halves take turns: while one goes through the rounds, the other's
// tweaks are made and its text is loaded and whitened, so that the AES unit goes over from one half's last round to the
// other's first without a pause. It returns the register with the next tweak.
//
// Where a unit ends with the loop and another follows, the relay goes on with that one.
func (x *xts) relay(u units) vec.Reg {
	n := x.wide / 2
	size := n * x.Bytes
	a, b := half{x.d[:n], x.t[:n]}, half{x.d[n:], x.t[n:]}
	x.fresh(x.shape, a.t)
	few := x.keys
	x.keys = x.keys.Hold(x.held...)
	x.Move(x.keys.First(), x.white)
	first := x.open(a, 0)
	first.Rest()

	swap := func() {
		for i := range n {
			x.Move(b.d[i], a.d[i])
			x.Move(b.t[i], a.t[i])
		}
	}
	x.Align(32)
	x.Block(func(leave emit.Exit) {
		x.Loop(emit.Always, func() { // a unit
			x.relayUnit(a, b, swap)
			x.DECQ(u.seams)
			leave(emit.Less)
			x.forward(16, u.tweaks)
			x.run(a, append(x.next(u.tweaks, b), x.open(b, size)...))
			swap()
			x.DECQ(u.count)
			x.MOVQ(u.whole, x.left)
		})
	})
	x.run(a, x.by8(a.t[n-2], b.t[0]))
	x.keys = few
	return b.t[0]
}

// relayUnit emits the relay within a unit, as long as there is text for both halves. What is left then is begun in a.
func (x *xts) relayUnit(a, b half, swap func()) {
	size := len(a.d) * x.Bytes
	x.Block(func(done emit.Exit) {
		x.Block(func(odd emit.Exit) {
			x.Loop(emit.NotBelow, func() {
				x.run(a, append(x.advance(a, b, 0), x.open(b, size)...))
				x.CMPQ(x.left, imm(2*size))
				odd(emit.Below)
				x.run(b, append(x.advance(b, a, len(a.d)/2), x.open(a, size)...))
				x.CMPQ(x.left, imm(2*size))
			})
			done(emit.Always)
		})
		swap()
	})
}

// open returns the steps that load and whiten the text of h, which is so many bytes from src.
func (x *xts) open(h half, at int) (s vec.Steps) {
	for i, d := range h.d {
		s.Add(func() {
			x.Load(operand.Mem{Base: x.src, Disp: at + i*x.Bytes}, d)
			x.Xor3(x.white, h.t[i], d)
		})
	}
	return s
}

// next returns the steps that make the tweaks of h for the beginning of the next unit.
func (x *xts) next(tweaks reg.Register, h half) vec.Steps {
	return vec.Steps{func() {
		x.block.Load(operand.Mem{Base: tweaks}, x.block.View(h.t[0]))
		x.begin(x.block.View(h.t[0]))
	}, func() { x.fresh(x.shape, h.t[:2]) }, func() { x.ahead(x.shape, 2, h.t[2:]) }}
}

// run emits the rounds of a half, with steps for the other half woven in, which are through some rounds before the
// last.
func (x *xts) run(h half, steps vec.Steps) {
	for _, t := range h.t {
		steps.Add(func() { x.Xor(x.held[0], t, t) })
	}
	for range 4 {
		steps.Add(func() {})
	}
	x.middle(x.shape, h.d, &steps)
	x.finish(x.shape, h.d, h.t)
}

// advance returns the steps that make of the tweaks of one half those of the other, which comes next.
//
// Registers two apart are eight blocks apart: a step of a byte, t<<8 ^ q, where q is the top byte of t times 0x87, 15
// bits. The top byte after k steps is the one that was k bytes below the top. So the products for several steps can be
// made at once, in fields of 16 bits, and the carry-less multiplication by 0x87 = 1 + 2 + 4 + 128 is three shifts. That
// is half an instruction a register where VPCLMULQDQ would be one. It does not save instructions, but Zen 4 takes a
// slot of its AES unit from every 512-bit VPCLMULQDQ: measured, 80 VAESENC and 8 of them take 88 cycles, and with 104
// other instructions in their place 80. The loop went from 88 % of the AES limit to 97 %. On Intel, one shift in four
// registers competes with AES.
//
// made is how many steps were made with the products that there are; with 0 they are made anew.
func (x *xts) advance(from, to half, made int) (s vec.Steps) {
	for c, carry := range x.carry {
		src := from.t[len(from.t)-2+c]
		if made == 0 {
			s.Add(x.carries(src, carry)...)
		}
		for i := c; i < len(to.t); i += 2 {
			dst, f := to.t[i], uint64(2*(made+i/2))
			mask := x.repeat(fmt.Sprint("field", f), nothing&^0xffff|(f+1)<<8|f, nothing)
			s.Add(func() {
				x.Shuffle(mask, carry, x.t1)
				x.ShiftLeftBytes(1, src, dst)
				x.Xor(x.t1, dst, dst)
				src = dst
			})
		}
	}
	return s
}

// carries returns the steps that set dst to the products of the top bytes of t, the highest lowest. Clobbers t1 and
// tmp.
func (x *xts) carries(t, dst vec.Reg) vec.Steps {
	return vec.Steps{func() {
		x.Shuffle(x.repeat("tops", 0x800c800d800e800f, nothing), t, dst)
		x.ShiftLeftQ(7, dst, x.t1)
	}, func() {
		x.AddQ(dst, dst, x.tmp)
		x.Xor3(x.tmp, x.t1, dst)
		x.AddQ(x.tmp, x.tmp, x.tmp)
		x.Xor(x.tmp, dst, dst)
	}}
}

// nothing are eight indices for which a shuffle gives zeros.
const nothing = 0x8080808080808080
