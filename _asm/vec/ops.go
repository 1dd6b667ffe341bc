package vec

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sse emits an SSE instruction with two operands as if it had three: dst = b OP a. Without a register to spare that
// cannot be done where dst is a alone and the order of the sources matters.
func (v V) sse(op func(a, dst operand.Op), commutes bool, a operand.Op, b, dst Reg) {
	switch {
	case same(dst, b):
	case same(dst, a) && commutes:
		a = b
	case same(dst, a):
		panic("vec: SSE cannot overwrite the second source before it is used; name another destination")
	default:
		v.Move(b, dst)
	}
	op(a, dst)
}

// same reports whether a is the register r.
func same(r Reg, a operand.Op) bool {
	other, ok := a.(reg.Register)
	return ok && reg.Equal(r, other)
}

// pick calls the form for the encoding in use.
func (v V) pick(legacy, vex, evex func()) {
	switch v.Encoding {
	case Legacy:
		legacy()
	case VEX:
		vex()
	case EVEX:
		evex()
	}
}

// Xor sets dst = b ^ a.
func (v V) Xor(a operand.Op, b, dst Reg) {
	v.pick(func() { v.sse(v.PXOR, true, a, b, dst) }, func() { v.VPXOR(a, b, dst) }, func() { v.VPXORD(a, b, dst) })
}

// And sets dst = b & a.
func (v V) And(a operand.Op, b, dst Reg) {
	v.pick(func() { v.sse(v.PAND, true, a, b, dst) }, func() { v.VPAND(a, b, dst) }, func() { v.VPANDD(a, b, dst) })
}

// AndNot sets dst = ^b & a.
func (v V) AndNot(a operand.Op, b, dst Reg) {
	v.pick(func() { v.sse(v.PANDN, false, a, b, dst) }, func() { v.VPANDN(a, b, dst) }, func() { v.VPANDND(a, b, dst) })
}

// Or sets dst = b | a.
func (v V) Or(a operand.Op, b, dst Reg) {
	v.pick(func() { v.sse(v.POR, true, a, b, dst) }, func() { v.VPOR(a, b, dst) }, func() { v.VPORD(a, b, dst) })
}

// Xor3 sets dst ^= a ^ b: one instruction under EVEX, two otherwise.
func (v V) Xor3(a operand.Op, b, dst Reg) {
	if v.Encoding == EVEX {
		v.VPTERNLOGD(operand.U8(0x96), a, b, dst)
		return
	}
	v.Xor(b, dst, dst)
	v.Xor(a, dst, dst)
}

// AddD sets dst = b + a in lanes of 32 bits.
func (v V) AddD(a operand.Op, b, dst Reg) {
	v.avx(func() { v.sse(v.PADDD, true, a, b, dst) }, func() { v.VPADDD(a, b, dst) })
}

// AddQ sets dst = b + a in lanes of 64 bits.
func (v V) AddQ(a operand.Op, b, dst Reg) {
	v.avx(func() { v.sse(v.PADDQ, true, a, b, dst) }, func() { v.VPADDQ(a, b, dst) })
}

// SubQ sets dst = b - a in lanes of 64 bits.
func (v V) SubQ(a operand.Op, b, dst Reg) {
	v.avx(func() { v.sse(v.PSUBQ, false, a, b, dst) }, func() { v.VPSUBQ(a, b, dst) })
}

// Shuffle permutes the bytes of each block of b by the indices in a (PSHUFB).
func (v V) Shuffle(a operand.Op, b, dst Reg) {
	v.avx(func() { v.sse(v.PSHUFB, false, a, b, dst) }, func() { v.VPSHUFB(a, b, dst) })
}

// UnpackLowQ sets each block of dst to the low halves of b and a, b's first.
func (v V) UnpackLowQ(a operand.Op, b, dst Reg) {
	v.avx(func() { v.sse(v.PUNPCKLQDQ, false, a, b, dst) }, func() { v.VPUNPCKLQDQ(a, b, dst) })
}

// UnpackHighQ sets each block of dst to the high halves of b and a, b's first.
func (v V) UnpackHighQ(a operand.Op, b, dst Reg) {
	v.avx(func() { v.sse(v.PUNPCKHQDQ, false, a, b, dst) }, func() { v.VPUNPCKHQDQ(a, b, dst) })
}

// Clmul multiplies one half of b by one half of a without carries: bit 0 of which takes b's high half, bit 4 a's.
func (v V) Clmul(which uint8, a operand.Op, b, dst Reg) {
	imm := operand.U8(which)
	v.avx(func() {
		v.sse(func(a, dst operand.Op) { v.PCLMULQDQ(imm, a, dst) }, which == 0x00 || which == 0x11, a, b, dst)
	},
		func() { v.VPCLMULQDQ(imm, a, b, dst) })
}

// avx calls one of two forms where VEX and EVEX share a name.
func (v V) avx(legacy, avx func()) { v.pick(legacy, avx, avx) }

// ShuffleD permutes the 32-bit lanes of each block of src by the four 2-bit fields of order, lowest lane first.
func (v V) ShuffleD(order uint8, src, dst Reg) {
	imm := operand.U8(order)
	v.avx(func() { v.PSHUFD(imm, src, dst) }, func() { v.VPSHUFD(imm, src, dst) })
}

// shift emits a shift by a constant, for which SSE has one operand.
func (v V) shift(legacy func(imm, x operand.Op), avx func(imm, src, dst operand.Op), n uint8, src, dst Reg) {
	imm := operand.U8(n)
	v.avx(func() {
		if !same(src, dst) {
			v.Move(src, dst)
		}
		legacy(imm, dst)
	}, func() { avx(imm, src, dst) })
}

// ShiftLeftBytes shifts each block left, towards higher addresses, by n bytes.
func (v V) ShiftLeftBytes(n uint8, src, dst Reg) { v.shift(v.PSLLO, v.VPSLLDQ, n, src, dst) }

// ShiftRightBytes shifts each block right, towards lower addresses, by n bytes.
func (v V) ShiftRightBytes(n uint8, src, dst Reg) { v.shift(v.PSRLO, v.VPSRLDQ, n, src, dst) }

// ShiftLeftQ shifts 64-bit lanes left by n bits.
func (v V) ShiftLeftQ(n uint8, src, dst Reg) {
	v.shift(v.PSLLQ, func(i, s, d operand.Op) { v.VPSLLQ(i, s, d) }, n, src, dst)
}

// ShiftRightQ shifts 64-bit lanes right by n bits and fills with zeros.
func (v V) ShiftRightQ(n uint8, src, dst Reg) {
	v.shift(v.PSRLQ, func(i, s, d operand.Op) { v.VPSRLQ(i, s, d) }, n, src, dst)
}

// ShiftLeftD shifts 32-bit lanes left by n bits.
func (v V) ShiftLeftD(n uint8, src, dst Reg) {
	v.shift(v.PSLLL, func(i, s, d operand.Op) { v.VPSLLD(i, s, d) }, n, src, dst)
}

// ShiftRightD shifts 32-bit lanes right by n bits and fills with zeros.
func (v V) ShiftRightD(n uint8, src, dst Reg) {
	v.shift(v.PSRLL, func(i, s, d operand.Op) { v.VPSRLD(i, s, d) }, n, src, dst)
}

// SpreadSignD fills each 32-bit lane with its sign bit.
func (v V) SpreadSignD(src, dst Reg) {
	v.shift(v.PSRAL, func(i, s, d operand.Op) { v.VPSRAD(i, s, d) }, 31, src, dst)
}

// RotateLeftD rotates 32-bit lanes of x left by n bits. bytes, if not nil, holds the byte shuffle that does it (n is 8
// or 16). Clobbers tmp, except under EVEX or with bytes.
func (v V) RotateLeftD(n uint8, x, tmp Reg, bytes operand.Op) {
	switch {
	case v.Encoding == EVEX:
		v.VPROLD(operand.U8(n), x, x)
	case bytes != nil:
		v.Shuffle(bytes, x, x)
	default:
		v.ShiftLeftD(n, x, tmp)
		v.ShiftRightD(32-n, x, x)
		v.Or(tmp, x, x)
	}
}

// ExtractBlock copies block i of src to the xmm register dst. i is not 0 (that is dst = src.AsX()).
func (v V) ExtractBlock(i uint8, src, dst Reg) {
	if v.Encoding == VEX {
		v.VEXTRACTI128(operand.U8(i), src, dst.AsX())
		return
	}
	v.VEXTRACTI32X4(operand.U8(i), src, dst.AsX())
}

// InsertBlock sets dst = src with block i replaced by x, an xmm register or memory.
func (v V) InsertBlock(i uint8, x operand.Op, src, dst Reg) {
	if v.Encoding == VEX {
		v.VINSERTI128(operand.U8(i), x, src, dst)
		return
	}
	v.VINSERTI32X4(operand.U8(i), x, src, dst)
}

// SwapHalves exchanges the lower and upper half of src, which is wider than one block.
func (v V) SwapHalves(src, dst Reg) {
	if v.Bytes == 64 {
		v.VSHUFI64X2(operand.U8(0x4e), src, src, dst)
		return
	}
	v.VPERMQ(operand.U8(0x4e), src, dst)
}

// AESEnc is one middle round of encryption in place: x = MixColumns(ShiftRows(SubBytes(x))) ^ key.
func (v V) AESEnc(key operand.Op, x Reg) {
	v.avx(func() { v.AESENC(key, x) }, func() { v.VAESENC(key, x, x) })
}

// AESEncLast is the last round of encryption, dst = ShiftRows(SubBytes(x)) ^ key.
func (v V) AESEncLast(key operand.Op, x, dst Reg) {
	v.avx(func() { v.sse(v.AESENCLAST, false, key, x, dst) }, func() { v.VAESENCLAST(key, x, dst) })
}

// AESDec is one middle round of decryption in place, with the keys of the equivalent inverse cipher (FIPS 197, 5.3.5).
func (v V) AESDec(key operand.Op, x Reg) {
	v.avx(func() { v.AESDEC(key, x) }, func() { v.VAESDEC(key, x, x) })
}

// AESDecLast is the last round of decryption.
func (v V) AESDecLast(key operand.Op, x, dst Reg) {
	v.avx(func() { v.sse(v.AESDECLAST, false, key, x, dst) }, func() { v.VAESDECLAST(key, x, dst) })
}
