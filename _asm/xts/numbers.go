package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
)

// numbers emits numbers(k, tweaks, first, count): the encryption of sector numbers from first on, count of them rounded
// up to a multiple of 4 registers.
func (x *xts) numbers() {
	x.k = x.Arg("k")
	out, first, count := x.Arg("tweaks"), x.Arg("first"), x.Arg("count")
	keys := x.schedule(x.V, "tweak", "enc")
	d, next, step := x.d[:4], x.t[0], x.t[1]
	if all := x.Const("sectorsAtOnce"); all%(len(d)*x.Blocks()) != 0 {
		panic("xts: numbers goes beyond its table, of sectorsAtOnce")
	}
	var lanes []uint64
	for i := range x.Blocks() {
		lanes = append(lanes, uint64(i), 0)
	}
	x.FromQ(first, next)
	x.Spread(next, next)
	x.AddQ(x.Data("lanes", lanes...), next, next)
	x.Broadcast(x.Data("step", uint64(x.Blocks()), 0), step)
	x.Loop(emit.Above, func() {
		for _, d := range d {
			x.Move(next, d)
			x.AddQ(step, next, next)
		}
		keys.White(d...)
		keys.Encrypt(d, nil)
		keys.EncryptLast(d...)
		for i, d := range d {
			x.Store(d, operand.Mem{Base: out, Disp: i * x.Bytes})
		}
		x.forward(4*x.Bytes, out)
		x.SUBQ(operand.U8(4*x.Blocks()), count)
	})
	x.Return()
}
