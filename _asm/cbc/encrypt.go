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
	x    vec.Reg // 0: the block on its way
	out  vec.Reg // 1: ciphertext
	text vec.Reg // 2: plaintext, ready to be XORed
	tmp  vec.Reg // 3: a round key on its way from memory
	last vec.Reg // 4: the last round key
	both vec.Reg // 5: the last round key XORed with the first
}

func newEncryption(v vec.V) *encryption {
	return &encryption{V: v, args: load(v, "enc"), x: v.Reg(0), out: v.Reg(1), text: v.Reg(2), tmp: v.Reg(3),
		last: v.Reg(4), both: v.Reg(5)}
}

func (e *encryption) run() {
	e.keys = aesni.NewKeys(e.V, e.first, e.rounds, e.tmp)
	e.Load(operand.Mem{Base: e.src}, e.text)
	e.Load(operand.Mem{Base: e.iv}, e.x)
	e.Load(operand.Mem{Base: e.first}, e.both)
	e.Xor(e.text, e.x, e.x)
	e.Xor(e.both, e.x, e.x)
	e.Move(e.keys.Last(2).(vec.Reg), e.last)
	e.Xor(e.last, e.both, e.both)
	e.SUBQ(operand.Imm(16), e.left)
	e.If(emit.NotZero, func() {
		e.Align(32)
		e.Loop(emit.NotZero, func() {
			e.keys.Encrypt([]vec.Reg{e.x}, nil)
			e.Load(operand.Mem{Base: e.src, Disp: 16}, e.text)
			e.Xor(e.both, e.text, e.text)
			e.AESEncLast(e.last, e.x, e.out)
			e.AESEncLast(e.text, e.x, e.x)
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
