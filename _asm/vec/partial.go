package vec

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
)

// Mask sets the opmask k to the n lowest bits, for loads and stores of n bytes; n is a general register that holds 0
// to 255 (64 and more give all ones). Needs AVX-512BW and BMI2.
func (v V) Mask(n, k reg.Register) {
	ones := v.GP64()
	v.MOVQ(operand.I32(-1), ones)
	v.BZHIQ(n, ones, ones)
	v.KMOVQ(ones, k)
}

// LoadMasked loads the bytes that k selects and clears the others; those are not touched in memory, even where it
// is unmapped. EVEX only.
func (v V) LoadMasked(m operand.Mem, k reg.Register, dst Reg) { v.VMOVDQU8_Z(m, k, dst) }

// StoreMasked stores the bytes that k selects and does not touch the others. EVEX only.
func (v V) StoreMasked(src Reg, k reg.Register, m operand.Mem) { v.VMOVDQU8(src, k, m) }

// FromQ puts a general register into the low half of the xmm view of dst and clears the high half.
func (v V) FromQ(src reg.Register, dst Reg) {
	v.avx(func() { v.MOVQ(src, dst.AsX()) }, func() { v.VMOVQ(src, dst.AsX()) })
}

// lowOf and highOf move halves of an xmm register to a general register.
func (v V) lowOf(src Reg, dst reg.Register) {
	v.avx(func() { v.MOVQ(src.AsX(), dst) }, func() { v.VMOVQ(src.AsX(), dst) })
}

func (v V) highOf(src Reg, dst reg.Register) {
	v.avx(func() { v.PEXTRQ(operand.U8(1), src.AsX(), dst) }, func() { v.VPEXTRQ(operand.U8(1), src.AsX(), dst) })
}

// LoadPart loads n bytes, 1 to 15, from the address in src into the xmm view of dst and clears the rest, without
// touching other memory and without a loop: it joins two loads that overlap. Clobbers RCX and flags. n is a 64-bit
// general register; nothing reads it after RCX is written, so it may be RCX if it is not used afterwards. Needs SSE4.1.
func (v V) LoadPart(src, n reg.Register, dst Reg) {
	low, high := v.GP64(), v.GP64()
	at := func(disp int) operand.Mem { return operand.Mem{Base: src, Disp: disp} }
	fromEnd := func(disp int) operand.Mem { return operand.Mem{Base: src, Index: n, Scale: 1, Disp: disp} }
	// shift sets CL = 8 * (n - from), or 8 * (from - n).
	bits := func(from int) {
		v.LEAQ(operand.Mem{Base: n, Disp: -from}, reg.RCX)
		v.SHLQ(operand.U8(3), reg.RCX)
	}

	// join adds what was loaded from the end, of which all but the bytes that low has come above them.
	join := func(from int) {
		bits(from)
		v.SHLQ(reg.CL, high)
		v.ORQ(high, low)
		v.XORL(high.As32(), high.As32())
	}
	eight := func() {
		v.MOVQ(at(0), low)
		v.MOVQ(fromEnd(-8), high) // bytes n-8 to n-1, of which the top n-8 are new; a shift by 64 would shift by 0
		bits(15)
		v.NEGQ(reg.RCX)
		v.SHRQ(operand.U8(8), high)
		v.SHRQ(reg.CL, high)
	}
	four := func() {
		v.MOVL(at(0), low.As32())
		v.MOVL(fromEnd(-4), high.As32())
		join(4)
	}
	fewer := func() {
		v.MOVBQZX(at(0), low)
		v.CMPQ(n, operand.U8(2))
		v.If(emit.NotBelow, func() {
			v.MOVWQZX(fromEnd(-2), high)
			join(2)
		})
	}
	v.XORL(high.As32(), high.As32())
	v.CMPQ(n, operand.U8(8))
	v.IfElse(emit.NotBelow, eight, func() {
		v.CMPQ(n, operand.U8(4))
		v.IfElse(emit.NotBelow, four, fewer)
	})
	v.FromQ(low, dst)
	v.insertHigh(high, dst)
}

func (v V) insertHigh(src reg.Register, dst Reg) {
	x := dst.AsX()
	v.avx(func() { v.PINSRQ(operand.U8(1), src, x) }, func() { v.VPINSRQ(operand.U8(1), src, x, x) })
}

// StorePart stores the first n bytes, 0 to 15, of the xmm view of src to the address in dst, without touching other
// memory and without a loop. Clobbers dst (which ends behind the last byte) and flags. n is a 64-bit general register.
// Needs SSE4.1.
func (v V) StorePart(src Reg, dst, n reg.Register) {
	left := v.GP64()
	v.lowOf(src, left)
	to := operand.Mem{Base: dst}
	step := func(size uint8, move func(), next func()) {
		v.TESTQ(operand.U32(size), n)
		v.If(emit.NotZero, func() {
			move()
			v.ADDQ(operand.U8(size), dst)
			next()
		})
	}
	step(8, func() { v.MOVQ(left, to) }, func() { v.highOf(src, left) })
	step(4, func() { v.MOVL(left.As32(), to) }, func() { v.SHRQ(operand.U8(32), left) })
	step(2, func() { v.MOVW(left.As16(), to) }, func() { v.SHRQ(operand.U8(16), left) })
	step(1, func() { v.MOVB(left.As8(), to) }, func() {})
}
