// Package poly1305 emits Poly1305 (RFC 8439, section 2.5): in general registers, one block at a time (sum.go, tag.go),
// also beside ChaCha (beside.go); in four lanes with AVX2 (lanes.go); in four or eight lanes with IFMA (ifma.go); and
// of eight messages at once (eight.go). The functions that are whole are named as the Go package chacha declares them.
package poly1305

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// Sum is Poly1305 in general registers, one block at a time: algs/chacha/poly1305.go has the arithmetic and its bounds.
// It multiplies with MULQ, which every CPU has, and leaves the vector registers to ChaCha, in whose shadow it runs.
//
// The sum is a chain of dependent instructions. To shorten it, h is left as a multiplication leaves it, its third word
// t up to 2^63, and the next block is added while what lies above 2^130 is on its way down: 13.5 cycles a block on Zen
// 4, and 15.5 if h is finished first. That leaves h2 = (t mod 4) + 1 + two carries, 6 at most as there.
type Sum struct {
	vec.V
	H      [3]reg.GPVirtual // the sum, folded or not
	Next   reg.GPVirtual    // the next block
	R0, R1 operand.Op       // r
	q1     operand.Op       // r1 + r1/4
	Limit  reg.GPVirtual    // where those end that may be taken now
}

// Slot adds one block if Next is below limit, an address. Clobbers as AddBlock.
func (p *Sum) Slot(limit operand.Op) {
	p.CMPQ(p.Next, limit)
	p.If(emit.Below, p.AddBlock)
}

// UpTo adds blocks until limit, an address, is reached. Clobbers as AddBlock.
func (p *Sum) UpTo(limit operand.Op) {
	p.While(func() { p.CMPQ(p.Next, limit) }, emit.Below, p.AddBlock)
}

// store folds the sum and stores it at m, in the layout of the Go package's type.
func (p *Sum) store(m reg.Register) {
	p.Fold(func() {})
	for i, h := range p.H {
		p.MOVQ(h, p.field(m, "h", i))
	}
}

// field is word i of a field of the Go package's type poly1305, at m.
func (p *Sum) field(m reg.Register, name string, i int) operand.Mem {
	return operand.Mem{Base: m, Disp: p.Offset("poly1305", name) + 8*i}
}

// resume takes up the sum at m, in new registers.
func (p *Sum) resume(m reg.Register) {
	for i := range p.H {
		p.H[i] = p.GP64()
		p.MOVQ(p.field(m, "h", i), p.H[i])
	}
	p.resumeR(m)
}

// resumeR takes r alone of the sum at m.
func (p *Sum) resumeR(m reg.Register) {
	var r [2]reg.GPVirtual
	for i := range r {
		r[i] = p.GP64()
		p.MOVQ(p.field(m, "r", i), r[i])
	}
	p.SetR(r[0], r[1])
}

// SetR takes r, of two words, which stay in these registers, and makes q1 of it in one more.
func (p *Sum) SetR(r0, r1 reg.GPVirtual) {
	q1 := p.GP64()
	p.setQ1(r1, q1)
	p.R0, p.R1, p.q1 = r0, r1, q1
}

// setQ1 makes q1 of r1.
func (p *Sum) setQ1(r1 operand.Op, q1 reg.GPVirtual) {
	p.MOVQ(r1, q1)
	p.SHRQ(operand.Imm(2), q1)
	p.ADDQ(r1, q1)
}

// AddBlock adds the block at Next and moves Next on. Clobbers RAX, RDX, flags, and three registers meanwhile.
func (p *Sum) AddBlock() {
	p.Plus(operand.Mem{Base: p.Next}, operand.Mem{Base: p.Next, Disp: 8})
	p.ADDQ(operand.Imm(16), p.Next)
	p.Times()
}

// Fold brings what of h lies above 2^130 down, 5 times that. between may add to h meanwhile; it finds the third word
// below 4.
func (p *Sum) Fold(between func()) {
	top, four := p.GP64(), p.GP64()
	p.MOVQ(p.H[2], top)
	p.MOVQ(p.H[2], four)
	p.SHRQ(operand.Imm(2), top)
	p.ANDQ(operand.I8(-4), four)
	p.ANDL(operand.Imm(3), p.H[2].As32())
	p.ADDQ(four, top)
	between()
	p.ADDQ(top, p.H[0])
	p.ADCQ(operand.Imm(0), p.H[1])
	p.ADCQ(operand.Imm(0), p.H[2])
}

// Plus folds H, and adds the block of two words and 2^128 to it. Clobbers flags and two registers meanwhile.
func (p *Sum) Plus(low, high operand.Op) {
	p.Fold(func() {
		p.ADDQ(low, p.H[0])
		p.ADCQ(high, p.H[1])
		p.ADCQ(operand.Imm(1), p.H[2])
	})
}

// Times multiplies h by r and does not fold it. Clobbers RAX and RDX.
//
// What is to be had last comes last: h[2] waits for all carries. The high word of h0*r0 + h1*q1 is below 2.25*2^60 and
// h2*q1 below 7.5*2^60, so their sum has no carry. (Before the multiplications, or with the carry out of fold left out
// and made good by masks, h2 saves nothing: six multiplications in a row wait for one unit.)
func (p *Sum) Times() {
	h0, h1, h2 := p.H[0], p.H[1], p.H[2]
	a1, e0, e1 := p.GP64(), p.GP64(), p.GP64()
	mul := func(a operand.Op, b reg.Register) {
		p.MOVQ(a, reg.RAX)
		p.MULQ(b)
	}
	mul(p.R1, h0)
	p.MOVQ(reg.RAX, e0)
	p.MOVQ(reg.RDX, e1)
	mul(p.R0, h0)
	p.MOVQ(reg.RAX, h0)
	p.MOVQ(reg.RDX, a1)
	mul(p.q1, h1)
	p.ADDQ(reg.RAX, h0)
	p.ADCQ(reg.RDX, a1)
	mul(p.R0, h1)
	p.MOVQ(p.q1, h1)
	p.IMULQ(h2, h1)
	p.IMULQ(p.R0, h2)
	p.ADDQ(reg.RAX, e0)
	p.ADCQ(reg.RDX, e1)
	p.ADDQ(a1, h1)
	p.ADDQ(e0, h1)
	p.ADCQ(e1, h2)
}
