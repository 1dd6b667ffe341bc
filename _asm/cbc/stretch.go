package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// stretches emits a loop over as many blocks of each lane at a time as there is room for in 16 registers of text: 4 for
// 4 chains, 2 for 8. They are loaded and stored by 64 or 32 bytes and transposed in registers, so that a line of the
// cache is fetched once or twice instead of four times. It ends the function if nothing is left, and returns how many
// blocks it takes at a time: less than that is left.
func (l *lanes) stretches(x []vec.Reg) int {
	steps := 16 / len(x)
	text := make([][]vec.Reg, len(x)) // of each chain, the blocks of a stretch
	for r := range x {
		free := append(l.Range(11, 5), l.Range(18, 11)...)
		text[r] = free[r*steps:][:steps]
	}
	length := operand.U32(uint32(16 * steps))
	l.CMPQ(l.n, length)
	l.If(emit.NotBelow, func() {
		left := l.GP64()
		l.MOVQ(l.n, left)
		l.Align(64)
		l.Loop(emit.NotBelow, func() {
			for r := range x {
				l.take(r, text[r])
			}
			for s := range steps {
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
	return steps
}

// take sets t to the next blocks of the lanes of register r: t[i] to block i of each.
func (l *lanes) take(r int, t []vec.Reg) {
	lane := r * l.Blocks()
	a, b := l.text, l.tmp
	if len(t) == 2 {
		l.pair(lane, a)
		l.pair(lane+2, b)
		l.VSHUFI64X2(operand.U8(0x88), b, a, t[0])
		l.VSHUFI64X2(operand.U8(0xdd), b, a, t[1])
		return
	}
	for i, t := range t {
		l.Load(l.at(l.src, lane+i), t)
	}
	l.transpose(t)
}

// pair sets t to 32 bytes of a lane and 32 of the next one.
func (l *lanes) pair(lane int, t vec.Reg) {
	y := l.As(vec.YMM)
	y.Load(l.at(l.src, lane), y.View(t))
	l.VINSERTI64X4(operand.U8(1), l.at(l.src, lane+1), t, t)
}

// give is the inverse of take: it stores t, and clobbers it.
func (l *lanes) give(r int, t []vec.Reg) {
	lane := r * l.Blocks()
	if len(t) == 4 {
		l.transpose(t)
		for i, t := range t {
			l.Store(t, l.at(l.dst, lane+i))
		}
		return
	}
	y, a := l.As(vec.YMM), l.text
	for i, which := range []uint8{0x44, 0xee} { // the low halves of both, then the high ones
		l.VSHUFI64X2(operand.U8(which), t[1], t[0], a)
		l.VSHUFI64X2(operand.U8(0xd8), a, a, a)
		l.VMOVDQU64(y.View(a), l.at(l.dst, lane+2*i))
		l.VEXTRACTI64X4(operand.U8(1), a, l.at(l.dst, lane+2*i+1))
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
