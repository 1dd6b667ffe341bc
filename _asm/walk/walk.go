// Package walk is how the AES modes go through a message: a loop over many vectors at once, and then what is left by
// straight code for exactly as much, so that a message of a few vectors does not pay for the loop's width. No pass
// depends on another one's result, so the processor runs them side by side.
//
// Two ways lead through what is left. Down takes half as many vectors as the loop, a quarter, and so on: little code.
// Exactly has code for each number of vectors: no branch but those that find it, and enough independent work in it to
// hide the latency of AES, where four vectors and then two and then one are three chains of which the last is alone.
// Exactly needs masks for the last vector.
package walk

import (
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// Down emits the walk over whole vectors: a loop of pass(wide), then pass(wide/2) to pass(1), once each where it is
// due. wide is a power of two. pass moves its own addresses on. n, a 64-bit register, holds the length in bytes; in
// the end its bits below v.Bytes are the number of bytes left, and the others mean nothing.
func Down(v vec.V, n reg.GPVirtual, wide int, pass func(vectors int)) {
	if bits.OnesCount(uint(wide)) != 1 {
		panic("walk: the width of the loop must be a power of two")
	}
	stride := operand.U32(uint32(wide * v.Bytes))
	v.SUBQ(stride, n) // below zero in the end; modulo stride it is still what is left
	v.If(emit.NotBelow, func() {
		v.Align(64)
		v.Loop(emit.NotBelow, func() {
			pass(wide)
			v.SUBQ(stride, n)
		})
	})
	for w := wide / 2; w > 0; w /= 2 {
		v.TESTL(operand.U32(uint32(w*v.Bytes)), n.As32())
		v.If(emit.NotZero, func() { pass(w) })
	}
}

// Exactly emits finish(k) for every k from low to high, and the comparisons that lead to it when n, a 64-bit register
// with a length in bytes, needs k vectors, of which the last may not be full. n needs low to high vectors. finish
// ends the function.
func Exactly(v vec.V, n reg.GPVirtual, low, high int, finish func(vectors int)) {
	if low == high {
		finish(low)
		return
	}
	middle := (low + high) / 2
	v.CMPQ(n, operand.U32(uint32(middle*v.Bytes)))
	v.IfElse(emit.NotAbove,
		func() { Exactly(v, n, low, middle, finish) },
		func() { Exactly(v, n, middle+1, high, finish) })
}
