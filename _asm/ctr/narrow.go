package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
	"kcrypto/_asm/walk"
)

// narrow is the function under SSE and VEX. With 16 registers there is none for round keys or for counters ahead.
func (b *body) narrow() {
	if b.Bytes > 16 {
		b.CMPQ(b.left, operand.Imm(16))
		b.If(emit.NotAbove, b.oneBlock)
	}
	b.start()
	b.keys = aesni.NewKeys(b.V, b.enc, b.rounds, b.key)
	walk.Down(b.V, b.left, wide, func(n int) {
		b.counters(b.data[:n])
		b.pass(b.data[:n], nil)
	})
	b.ANDL(operand.U32(uint32(b.Bytes-1)), b.left.As32())
	b.If(emit.NotZero, func() {
		b.counters(b.data[:1])
		b.keys.Encrypt(b.data[:1], nil)
		b.keys.EncryptLast(b.data[0])
		b.xorRest(b.data[0])
	})
	b.Return()
}

// xorRest XORs the bytes left, fewer than a register holds, with the keystream in x. Clobbers tmp, x.
func (b *body) xorRest(x vec.Reg) {
	v, x0, tmp := b.xmm(), vec.XMM.View(x), vec.XMM.View(b.tmp)
	if b.Bytes == 16 {
		b.xorPart(v, x0, tmp)
		return
	}
	b.Block(func(leave emit.Exit) {
		b.SUBQ(operand.Imm(16), b.left)
		b.If(emit.NotBelow, func() {
			v.Xor(b.in(0), x0, tmp)
			v.Store(tmp, b.out(0))
			leave(emit.Equal)
			b.ADDQ(operand.Imm(16), b.src)
			b.ADDQ(operand.Imm(16), b.dst)
			b.ExtractBlock(1, x, x0)
		})
		b.ANDL(operand.Imm(15), b.left.As32())
		b.xorPart(v, x0, tmp)
	})
}

// xorPart XORs the bytes left, 1 to 15, with the keystream in x. Clobbers tmp, x.
func (b *body) xorPart(v vec.V, x, tmp vec.Reg) {
	v.LoadPart(b.src, b.left, tmp)
	v.Xor(tmp, x, x)
	v.StorePart(x, b.dst, b.left)
}
