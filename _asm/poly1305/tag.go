package poly1305

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// MacShort emits macShort(tag, key, aad, aadLen, text, textLen): all of Poly1305 for a short message, from key to tag.
func MacShort(c *emit.Ctx) {
	p := &Sum{V: vec.V{Ctx: c, Width: vec.SSE}}
	p.keyed(c.Arg("key"))
	p.padded("aad", "aadLen")
	p.padded("text", "textLen")
	p.lengths()
	p.Tag(operand.Mem{Base: c.Arg("key"), Disp: 16}, c.Arg("tag"))
	c.RET()
}

// MacRest emits macRest(tag, m, text, n, aadLen, textLen): the end of a sum, with n bytes of text before the lengths.
func MacRest(c *emit.Ctx) {
	p := &Sum{V: vec.V{Ctx: c, Width: vec.SSE}}
	m := c.Arg("m")
	p.resume(m)
	p.padded("text", "n")
	p.lengths()
	p.Tag(p.field(c.Arg("m"), "s", 0), c.Arg("tag"))
	c.RET()
}

// lengths adds the block of the two lengths, arguments aadLen and textLen. Clobbers RAX and RDX.
func (p *Sum) lengths() {
	p.MOVQ(p.ArgAddr("aadLen"), reg.RAX)
	p.MOVQ(p.ArgAddr("textLen"), reg.RDX)
	p.Plus(reg.RAX, reg.RDX)
	p.Times()
}

// keyed starts a sum under the key at an address, with r in registers.
func (p *Sum) keyed(key reg.Register) {
	clamped := func(at int, mask uint64) reg.GPVirtual {
		r, m := p.GP64(), p.GP64()
		p.MOVQ(operand.U64(mask), m)
		p.MOVQ(operand.Mem{Base: key, Disp: at}, r)
		p.ANDQ(m, r)
		return r
	}
	p.SetR(clamped(0, 0x0ffffffc0fffffff), clamped(8, 0x0ffffffc0ffffffc))
	for i := range p.H {
		p.H[i] = p.GP64()
		p.XORL(p.H[i].As32(), p.H[i].As32())
	}
}

// padded adds the bytes that two arguments name, with zeros up to a whole block.
func (p *Sum) padded(data, size string) {
	n := p.GP64()
	p.Next = p.Arg(data)
	p.MOVQ(p.ArgAddr(size), n)
	p.AddBytes(n)
}

// AddBytes adds n bytes from Next on, with zeros up to a whole block. n is used up. Clobbers as AddBlock.
func (p *Sum) AddBytes(n reg.GPVirtual) {
	p.SUBQ(operand.Imm(16), n)
	p.If(emit.NotBelow, func() {
		p.Loop(emit.NotBelow, func() {
			p.AddBlock()
			p.SUBQ(operand.Imm(16), n)
		})
	})
	p.ANDL(operand.Imm(15), n.As32())
	p.If(emit.NotZero, func() {
		p.loadPart(n, reg.RAX, reg.RDX)
		p.Plus(reg.RAX, reg.RDX)
		p.Times()
	})
}

// loadPart loads n bytes, 1 to 15, from p and zeros behind them.
func (p *Sum) loadPart(n reg.GPVirtual, low, high reg.Register) {
	word, at, of := p.GP64(), p.GP64(), p.GP64()
	p.XORL(word.As32(), word.As32())
	p.MOVL(n.As32(), of.As32())
	p.ANDL(operand.Imm(8), of.As32())
	piece := func(size, below int, load func(m operand.Mem)) {
		p.TESTL(operand.U32(size), n.As32())
		p.If(emit.NotZero, func() {
			from := of
			if below > 0 {
				p.MOVL(n.As32(), at.As32())
				p.ANDL(operand.Imm(uint64(below)), at.As32())
				p.ADDQ(of, at)
				from = at
			}
			load(operand.Mem{Base: p.Next, Index: from, Scale: 1})
		})
	}
	// The pieces of the last 1 to 7 bytes from the end on, each below the ones before it.
	t := p.GP64()
	join := func(bits uint64) {
		p.SHLQ(operand.Imm(bits), word)
		p.ORQ(t, word)
	}
	piece(1, 6, func(m operand.Mem) { p.MOVBQZX(m, word) })
	piece(2, 4, func(m operand.Mem) { p.MOVWQZX(m, t); join(16) })
	piece(4, 0, func(m operand.Mem) { p.MOVL(m, t.As32()); join(32) })
	p.MOVQ(word, low)
	p.XORL(reg.EDX, reg.EDX)
	p.TESTL(operand.U32(8), n.As32())
	p.If(emit.NotZero, func() {
		p.MOVQ(operand.Mem{Base: p.Next}, low)
		p.MOVQ(word, high)
	})
}

// Tag reduces H, adds the two words at s, and stores the 16 bytes of the tag: poly1305.sum of algs/chacha. Clobbers H.
func (p *Sum) Tag(s operand.Mem, tag reg.Register) {
	p.Reduce()
	p.ADDQ(s, p.H[0])
	p.ADCQ(s.Offset(8), p.H[1])
	p.MOVQ(p.H[0], operand.Mem{Base: tag})
	p.MOVQ(p.H[1], operand.Mem{Base: tag, Disp: 8})
}

// Reduce takes H, of which only the two low words matter then, modulo 2^130 - 5. Clobbers three registers meanwhile.
func (p *Sum) Reduce() {
	p.Fold(func() {})
	g0, g1, g2 := p.GP64(), p.GP64(), p.GP64()
	p.MOVQ(p.H[0], g0)
	p.MOVQ(p.H[1], g1)
	p.MOVQ(p.H[2], g2)
	p.SUBQ(operand.I8(-5), g0)
	p.SBBQ(operand.I8(-1), g1)
	p.SBBQ(operand.Imm(3), g2)
	p.CMOVQCC(g0, p.H[0])
	p.CMOVQCC(g1, p.H[1])
}
