// Package vec lets one template give code for several vector widths and encodings. Instructions that have one name at
// all AVX widths (VPADDQ, VPSHUFB, VPSHUFD, VAESENC, VPCLMULQDQ, VPSLLQ...) are avo's own, reached through the
// embedded context; what differs between encodings is a method here.
//
// In a method of two sources the operands stand as in Go assembly: second source (which may be memory), first source,
// destination; "dst = b OP a".
//
// Under the SSE encoding, which the aesni and ssse3 drivers use, nothing that begins with V may be called, so a
// template that serves SSE too calls only methods of this package. They copy where SSE has no third operand, and panic
// where it would take a register that the caller did not give. A memory operand must then be one of Ctx.Data: SSE
// faults on unaligned memory; Load other memory first.
package vec

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
)

// Encoding is how instructions are written.
type Encoding uint8

const (
	Legacy Encoding = iota // SSE: two operands, xmm, 16 registers
	VEX                    // AVX, AVX2: three operands, 16 registers
	EVEX                   // AVX-512: 32 registers, opmasks, three-way logic
)

// Width is a vector width in one encoding.
type Width struct {
	Bytes    int
	Encoding Encoding
}

// The widths that drivers are made in.
var (
	SSE     = Width{16, Legacy} // levels aesni, ssse3
	XMM     = Width{16, VEX}    // aesni_avx
	YMM     = Width{32, VEX}    // vaes_avx2, avx2
	ZMM     = Width{64, EVEX}   // vaes_avx512, avx512
	YMMEVEX = Width{32, EVEX}   // 256-bit registers, of which there are 32, under AVX512VL
	XMMEVEX = Width{16, EVEX}   // single blocks in AVX-512 code
)

// Reg is a physical vector register. AsX, AsY and AsZ give its other views.
type Reg = reg.VecPhysical

// V emits instructions of one width. It is made as V{c, width}; v.As(XMM) works at another width in the same function.
type V struct {
	*emit.Ctx
	Width
}

// As returns an emitter of width w for the same function.
func (v V) As(w Width) V { return V{v.Ctx, w} }

// Blocks returns how many 16-byte blocks a register holds.
func (w Width) Blocks() int { return w.Bytes / 16 }

// Registers returns how many vector registers there are.
func (w Width) Registers() int {
	if w.Encoding == EVEX {
		return 32
	}
	return 16
}

// Reg returns register number i at this width. It panics if the encoding has no such register.
func (w Width) Reg(i int) Reg {
	if i < 0 || i >= w.Registers() {
		panic(fmt.Sprintf("vec: there is no register %d; this encoding has %d", i, w.Registers()))
	}
	return w.lookup(reg.Index(i))
}

// lookup returns the one value that avo has for a register, so that == says whether two are the same.
func (w Width) lookup(i reg.Index) Reg {
	spec := map[int]reg.Spec{16: reg.S128, 32: reg.S256, 64: reg.S512}[w.Bytes]
	return reg.FamilyOfKind(reg.KindVector).Lookup(i, spec).(Reg)
}

// Range returns n registers from number first on.
func (w Width) Range(first, n int) []Reg {
	regs := make([]Reg, n)
	for i := range regs {
		regs[i] = w.Reg(first + i)
	}
	return regs
}

// View returns r at this width.
func (w Width) View(r Reg) Reg { return w.lookup(r.PhysicalIndex()) }

// Load reads a whole register from memory of any alignment.
func (v V) Load(m operand.Mem, dst Reg) {
	switch v.Encoding {
	case Legacy:
		v.MOVOU(m, dst)
	case VEX:
		v.VMOVDQU(m, dst)
	case EVEX:
		v.VMOVDQU64(m, dst)
	}
}

// Store writes a whole register to memory of any alignment.
func (v V) Store(src Reg, m operand.Mem) {
	switch v.Encoding {
	case Legacy:
		v.MOVOU(src, m)
	case VEX:
		v.VMOVDQU(src, m)
	case EVEX:
		v.VMOVDQU64(src, m)
	}
}

// Broadcast puts the same 16 bytes into every block of dst. Memory may have any alignment.
func (v V) Broadcast(m operand.Mem, dst Reg) {
	switch {
	case v.Bytes == 16:
		v.Load(m, dst)
	case v.Encoding == VEX:
		v.VBROADCASTI128(m, dst)
	default:
		v.VBROADCASTI32X4(m, dst)
	}
}

// Spread puts the first block of src into every block of dst.
func (v V) Spread(src, dst Reg) {
	switch {
	case v.Bytes == 16:
		v.Move(src.AsX().(Reg), dst)
	case v.Bytes == 32:
		v.InsertBlock(1, src.AsX(), src.AsY().(Reg), dst)
	default:
		v.VSHUFI32X4(operand.U8(0), src.AsZ(), src.AsZ(), dst)
	}
}

// Move copies a register.
func (v V) Move(src, dst Reg) {
	switch v.Encoding {
	case Legacy:
		v.MOVO(src, dst)
	case VEX:
		v.VMOVDQA(src, dst)
	case EVEX:
		v.VMOVDQA64(src, dst)
	}
}

// Zero clears dst.
func (v V) Zero(dst Reg) { v.Xor(dst, dst, dst) }

// Return ends the function, and leaves clean upper halves to the caller if wide registers were used.
func (v V) Return() {
	if v.Bytes > 16 {
		v.VZEROUPPER()
	}
	v.RET()
}
