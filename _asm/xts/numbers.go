package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// numbers emits numbers(k, tweaks, first, count): the encryption of sector numbers from first on, count of them rounded
// up to a multiple of 4 registers.
func (x *xts) numbers() {
	next, step := x.t[0], x.t[1]
	x.tweaks(func() {
		first := x.Arg("first")
		var lanes []uint64
		for i := range x.Blocks() {
			lanes = append(lanes, uint64(i), 0)
		}
		x.FromQ(first, next)
		x.Spread(next, next)
		x.AddQ(x.Data("lanes", lanes...), next, next)
		x.Broadcast(x.Data("step", uint64(x.Blocks()), 0), step)
	}, func(_ operand.Mem, d vec.Reg) {
		x.Move(next, d)
		x.AddQ(step, next, next)
	})
}

// ivs emits ivs(k, tweaks, count): the encryption of what is in tweaks, count of them rounded up to a multiple of 4
// registers.
func (x *xts) ivs() {
	x.tweaks(func() {}, func(at operand.Mem, d vec.Reg) { x.Load(at, d) })
}

// tweaks emits a function that sets tweaks to the encryption of what fill puts in a register, begin being before the
// first.
func (x *xts) tweaks(begin func(), fill func(at operand.Mem, d vec.Reg)) {
	x.k = x.Arg("k")
	out, count := x.Arg("tweaks"), x.Arg("count")
	keys := x.schedule(x.V, "tweak", "enc")
	begin()
	d := x.d[:4]
	if all := x.Const("sectorsAtOnce"); all%(len(d)*x.Blocks()) != 0 {
		panic("xts: tweaks goes beyond its table, of sectorsAtOnce")
	}
	at := func(i int) operand.Mem { return operand.Mem{Base: out, Disp: i * x.Bytes} }
	x.Loop(emit.Above, func() {
		for i, d := range d {
			fill(at(i), d)
		}
		keys.White(d...)
		keys.Encrypt(d, nil)
		keys.EncryptLast(d...)
		for i, d := range d {
			x.Store(d, at(i))
		}
		x.forward(4*x.Bytes, out)
		x.SUBQ(operand.U8(4*x.Blocks()), count)
	})
	x.Return()
}
