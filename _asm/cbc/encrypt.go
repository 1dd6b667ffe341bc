package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// encryption is an encrypting function while it is made, of single blocks at every level.
type encryption struct {
	vec.V
	args
	keys *aesni.Keys

	// Vector registers, by number.
	x     vec.Reg // 0: the block on its way
	out   vec.Reg // 1: the next plaintext with the first round key, and then ciphertext
	text  vec.Reg // 2: the same with the last round key too
	tmp   vec.Reg // 3: a round key on its way from memory
	last  vec.Reg // 4: the last round key
	first vec.Reg // 5: the first one
}

func newEncryption(v vec.V) *encryption {
	return &encryption{V: v, args: load(v, "enc"), x: v.Reg(0), out: v.Reg(1), text: v.Reg(2), tmp: v.Reg(3),
		last: v.Reg(4), first: v.Reg(5)}
}

// run has one round after the other, and nothing else, in the chain: the last round of a block XORs its key, the next
// plaintext and the first round key at once. The ciphertext, which that is with the plaintext and the first round key
// XORed in, comes beside it. (A last round of its own would have to wait, or would let the chain wait, for the unit.)
func (e *encryption) run() {
	e.keys = aesni.NewKeys(e.V, e.args.first, e.rounds, e.tmp)
	e.Load(operand.Mem{Base: e.src}, e.text)
	e.Load(operand.Mem{Base: e.iv}, e.x)
	e.Load(operand.Mem{Base: e.args.first}, e.first)
	e.Xor(e.text, e.x, e.x)
	e.Xor(e.first, e.x, e.x)
	e.Move(e.keys.Last(2).(vec.Reg), e.last)
	e.SUBQ(operand.Imm(16), e.left)
	e.If(emit.NotZero, func() {
		e.Align(32)
		e.Loop(emit.NotZero, func() {
			e.Load(operand.Mem{Base: e.src, Disp: 16}, e.out)
			e.Xor(e.first, e.out, e.out)
			e.Xor(e.last, e.out, e.text)
			e.keys.Encrypt([]vec.Reg{e.x}, nil)
			e.AESEncLast(e.text, e.x, e.x)
			e.Xor(e.x, e.out, e.out)
			e.Store(e.out, operand.Mem{Base: e.dst})
			e.forward(e.V, 16)
			e.SUBQ(operand.Imm(16), e.left)
		})
	})
	e.keys.Encrypt([]vec.Reg{e.x}, nil)
	e.AESEncLast(e.last, e.x, e.x)
	e.Store(e.x, operand.Mem{Base: e.dst})
	e.Return()
}
