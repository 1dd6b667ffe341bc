package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// poly is Poly1305 in general registers, one block at a time: algs/chacha/poly1305.go has the arithmetic and its bounds.
// It multiplies with MULQ, which every CPU has, and leaves the vector registers to ChaCha, in whose shadow it runs.
//
// The sum is a chain of dependent instructions. To shorten it, h is left as a multiplication leaves it, its third word t up
// to 2^63, and the next block is added while what lies above 2^130 is on its way down: 13.5 cycles a block on Zen 4, and
// 15.5 if h is finished first. That leaves h2 = (t mod 4) + 1 + two carries, 6 at most as there.
type poly struct {
	vec.V
	h      [3]reg.GPVirtual // the sum, folded or not
	p      reg.GPVirtual    // the next block
	r0, r1 operand.Op       // r
	q1     operand.Op       // r1 + r1/4
	limit  reg.GPVirtual    // where those end that may be taken now
}

// slot adds one block if a limit is not reached.
func (p *poly) slot(limit operand.Op) {
	p.CMPQ(p.p, limit)
	p.If(emit.Below, p.block)
}

// upTo adds blocks until limit, an address, is reached.
func (p *poly) upTo(limit operand.Op) {
	p.While(func() { p.CMPQ(p.p, limit) }, emit.Below, p.block)
}

// store stores the sum at m.
func (p *poly) store(m reg.Register) {
	p.fold(func() {})
	for i, h := range p.h {
		p.MOVQ(h, p.field(m, "h", i))
	}
}

// field is word i of a field of the Go package's type poly1305, at m.
func (p *poly) field(m reg.Register, name string, i int) operand.Mem {
	return operand.Mem{Base: m, Disp: p.Offset("poly1305", name) + 8*i}
}

// resume takes up the sum at m, in new registers.
func (p *poly) resume(m reg.Register) {
	for i := range p.h {
		p.h[i] = p.GP64()
		p.MOVQ(p.field(m, "h", i), p.h[i])
	}
	p.resumeR(m)
}

// resumeR takes r alone of the sum at m.
func (p *poly) resumeR(m reg.Register) {
	var r [2]reg.GPVirtual
	for i := range r {
		r[i] = p.GP64()
		p.MOVQ(p.field(m, "r", i), r[i])
	}
	p.setR(r[0], r[1])
}

// setR keeps r, of two words, in registers.
func (p *poly) setR(r0, r1 reg.GPVirtual) {
	q1 := p.GP64()
	p.setQ1(r1, q1)
	p.r0, p.r1, p.q1 = r0, r1, q1
}

// setQ1 makes q1 of r1.
func (p *poly) setQ1(r1 operand.Op, q1 reg.GPVirtual) {
	p.MOVQ(r1, q1)
	p.SHRQ(operand.Imm(2), q1)
	p.ADDQ(r1, q1)
}

// block adds the next block of text.
func (p *poly) block() {
	p.plus(operand.Mem{Base: p.p}, operand.Mem{Base: p.p, Disp: 8})
	p.ADDQ(operand.Imm(16), p.p)
	p.times()
}

// fold brings what of h lies above 2^130 down, 5 times that. between may add to h meanwhile; it finds the third word below 4.
func (p *poly) fold(between func()) {
	top, four := p.GP64(), p.GP64()
	p.MOVQ(p.h[2], top)
	p.MOVQ(p.h[2], four)
	p.SHRQ(operand.Imm(2), top)
	p.ANDQ(operand.I8(-4), four)
	p.ANDL(operand.Imm(3), p.h[2].As32())
	p.ADDQ(four, top)
	between()
	p.ADDQ(top, p.h[0])
	p.ADCQ(operand.Imm(0), p.h[1])
	p.ADCQ(operand.Imm(0), p.h[2])
}

// plus adds the block of two words and 2^128 to h.
func (p *poly) plus(low, high operand.Op) {
	p.fold(func() {
		p.ADDQ(low, p.h[0])
		p.ADCQ(high, p.h[1])
		p.ADCQ(operand.Imm(1), p.h[2])
	})
}

// times multiplies h by r and does not fold it. Clobbers RAX and RDX.
//
// What is to be had last comes last: h[2] waits for all carries. The high word of h0*r0 + h1*q1 is below 2.25*2^60 and h2*q1
// below 7.5*2^60, so their sum has no carry. (Before the multiplications, or with the carry out of fold left out and made
// good by masks, h2 saves nothing: six multiplications in a row wait for one unit.)
func (p *poly) times() {
	h0, h1, h2 := p.h[0], p.h[1], p.h[2]
	a1, e0, e1 := p.GP64(), p.GP64(), p.GP64()
	mul := func(a operand.Op, b reg.Register) {
		p.MOVQ(a, reg.RAX)
		p.MULQ(b)
	}
	mul(p.r1, h0)
	p.MOVQ(reg.RAX, e0)
	p.MOVQ(reg.RDX, e1)
	mul(p.r0, h0)
	p.MOVQ(reg.RAX, h0)
	p.MOVQ(reg.RDX, a1)
	mul(p.q1, h1)
	p.ADDQ(reg.RAX, h0)
	p.ADCQ(reg.RDX, a1)
	mul(p.r0, h1)
	p.MOVQ(p.q1, h1)
	p.IMULQ(h2, h1)
	p.IMULQ(p.r0, h2)
	p.ADDQ(reg.RAX, e0)
	p.ADCQ(reg.RDX, e1)
	p.ADDQ(a1, h1)
	p.ADDQ(e0, h1)
	p.ADCQ(e1, h2)
}
