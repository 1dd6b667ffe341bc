package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// stretch is how many blocks of each lane are in registers at a time.
const stretch = 4

// stretches emits a loop over stretches of each lane. They are loaded and stored by 64 bytes and transposed in
// registers, so that a line of the cache is fetched once instead of four times. It ends the function if nothing is
// left.
func (l *lanes) stretches(x []vec.Reg) {
	text := make([][]vec.Reg, len(x)) // of each chain, the blocks of a stretch
	for r := range x {
		free := append(l.Range(11, 5), l.Range(18, 11)...)
		text[r] = free[r*stretch:][:stretch]
	}
	length := operand.U32(16 * stretch)
	l.CMPQ(l.n, length)
	l.If(emit.NotBelow, func() {
		left := l.GP64()
		l.MOVQ(l.n, left)
		l.Align(64)
		l.Loop(emit.NotBelow, func() {
			for r := range x {
				l.take(r, text[r])
			}
			for s := range stretch {
				for r, x := range x {
					l.Xor3(text[r][s], l.white, x)
				}
				l.keys.Encrypt(x, nil)
				l.keys.EncryptLast(x...)
				for r, x := range x {
					l.Move(x, text[r][s])
				}
			}
			for r := range x {
				l.give(r, text[r])
			}
			l.ADDQ(length, l.off)
			l.SUBQ(length, left)
			l.CMPQ(left, length)
		})
		l.CMPQ(l.off, l.n)
		l.If(emit.Equal, func() { l.finish(x) })
	})
}

// take sets t to the next blocks of the lanes of register r: t[i] to block i of each.
func (l *lanes) take(r int, t []vec.Reg) {
	for i, t := range t {
		l.Load(l.at(l.src, r*l.Blocks()+i), t)
	}
	l.transpose(t)
}

// give is the inverse of take: it stores t, and clobbers it.
func (l *lanes) give(r int, t []vec.Reg) {
	l.transpose(t)
	for i, t := range t {
		l.Store(t, l.at(l.dst, r*l.Blocks()+i))
	}
}

// transpose exchanges the blocks of four registers: block i of register j and block j of register i.
func (l *lanes) transpose(t []vec.Reg) {
	a, b := l.text, l.tmp
	l.VSHUFI64X2(operand.U8(0x44), t[1], t[0], a)
	l.VSHUFI64X2(operand.U8(0xee), t[1], t[0], b)
	l.VSHUFI64X2(operand.U8(0x44), t[3], t[2], t[0])
	l.VSHUFI64X2(operand.U8(0xee), t[3], t[2], t[3])
	l.VSHUFI64X2(operand.U8(0xdd), t[0], a, t[1])
	l.VSHUFI64X2(operand.U8(0x88), t[0], a, t[0])
	l.VSHUFI64X2(operand.U8(0x88), t[3], b, t[2])
	l.VSHUFI64X2(operand.U8(0xdd), t[3], b, t[3])
}
