package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// text is the message under way: addresses and bytes left. key, if it is not 0, is where the next block of keystream
// goes instead of being used on text.
type text struct{ dst, src, n, key reg.GPVirtual }

// A pass computes some blocks side by side: sixteen wide or none, groups of four in rows, or two blocks in one group of
// half the width.
type pass struct {
	wide, narrow bool
	rows         int
}

func (p pass) blocks() int {
	switch {
	case p.narrow:
		return 2
	case p.wide:
		return 16 + 4*p.rows
	}
	return 4 * p.rows
}

// passes are in the order of their sizes. 16 blocks and one group take 1.3 times as long as 16 blocks: to run the rest of
// a message beside the last sixteen blocks is cheaper than after them.
var passes = []pass{{narrow: true, rows: 1}, {rows: 1}, {rows: 2}, {rows: 3}, bulk, {wide: true, rows: 1}, {wide: true, rows: 2}}

// bulk is the pass for what is longer than all of them.
var bulk = pass{wide: true}

// xorMasked emits xor(st, dst, src, n, rounds, key): the stream for AVX-512.
//
//	Z0-15   words of sixteen blocks
//	Z16-27  rows of up to three groups of four blocks
//	Z28     spare for transpositions
//	Z29-31  temporaries
func xorMasked(c *chacha) {
	c.st = c.Arg("st")
	t := text{c.Arg("dst"), c.Arg("src"), c.Arg("n"), c.Arg("key")}
	rounds := c.Arg("rounds")
	before, last := c.GP64(), c.Reg(31)
	start, end, done := c.NewLabel("start"), c.NewLabel("end"), c.NewLabel("done")

	c.Comment("With a key, block 0 of the keystream stands before the text.")
	c.TESTQ(t.key, t.key)
	c.JEQ(start)
	c.advance(t, -64)
	c.Place(start)

	labels := make([]operand.LabelRef, len(passes))
	for i := range passes {
		labels[i] = c.NewLabel("pass")
	}
	for i, p := range passes {
		c.CMPQ(t.n, operand.U32(64*p.blocks()))
		c.JLS(labels[i])
	}
	// Every other pass is the last one: it is taken where the text fits in.
	for i, p := range passes {
		if p != bulk {
			c.after(func() {
				c.Place(labels[i])
				c.output(t, c.runPass(p, rounds), last, before, end)
				c.JMP(done)
			})
			continue
		}
		c.Place(labels[i])
		c.output(t, c.runPass(p, rounds), last, before, end)
	}
	c.TESTQ(t.n, t.n)
	c.JNE(start)
	c.Place(done)
	c.Return()

	c.flush()
	c.Place(end)
	c.ADDQ(before, t.dst)
	c.ADDQ(before, t.src)
	c.SUBQ(before, t.n)
	c.SHRL(operand.Imm(6), before.As32())
	c.ADDL(before.As32(), c.word(12))
	c.TESTQ(t.n, t.n)
	c.JEQ(done)
	c.Mask(t.n, reg.K1)
	c.LoadMasked(operand.Mem{Base: t.src}, reg.K1, c.Reg(30))
	c.Xor(c.Reg(30), last, last)
	c.StoreMasked(last, reg.K1, operand.Mem{Base: t.dst})
	c.ADDL(operand.Imm(1), c.word(12))
	c.Return()
}

// advance moves on by n bytes of text.
func (c *chacha) advance(t text, n int) {
	c.ADDQ(operand.I32(int32(n)), t.dst)
	c.ADDQ(operand.I32(int32(n)), t.src)
	c.SUBQ(operand.I32(int32(n)), t.n)
}

// runPass computes the blocks of a pass from st on and returns them in order.
func (c *chacha) runPass(p pass, rounds reg.Register) []vec.Reg {
	x := c.Range(0, 16)
	r := c
	if p.narrow {
		r = &chacha{V: c.As(vec.YMMEVEX), st: c.st}
	}
	gs := r.groups(p.rows, 16, p.blocks()-r.Blocks()*p.rows)
	if p.narrow {
		gs[0].tmp, gs[0].tmp2 = r.Reg(0), r.Reg(1)
	}
	if p.wide {
		c.loadWide(x)
	}
	if p.rows > 0 {
		r.loadRows(gs)
	}
	count := c.GP64()
	c.MOVQ(rounds, count)
	c.loopRounds(count, func() {
		var wide, rows vec.Steps
		if p.wide {
			c.wideRounds(&wide, x)
		}
		if p.rows > 0 {
			r.rowRounds(&rows, gs)
		}
		for places := len(wide); places > 0; places-- {
			wide.Next(1)
			rows.Share(places)
		}
		rows.Rest()
	})
	var blocks []vec.Reg
	spare := c.Reg(28)
	if p.wide {
		blocks = c.finishWide(x, spare)
		spare = c.Reg(29)
	}
	if p.rows > 0 {
		blocks = append(blocks, r.finishRows(gs, r.Reg(30), spare)...)
	}
	return blocks
}

// output XORs blocks into the text and moves on. Where the text ends before the last block does, it jumps to end with the
// block that it ends in (or before) in last, and with the bytes before that block in before.
func (c *chacha) output(t text, blocks []vec.Reg, last vec.Reg, before reg.GPVirtual, end operand.LabelRef) {
	ends := make([]operand.LabelRef, len(blocks))
	for i, b := range blocks {
		at := func(base reg.Register) operand.Mem { return operand.Mem{Base: base, Disp: 64 * i} }
		used := c.NewLabel("used")
		if i == 0 {
			isText := c.NewLabel("isText")
			c.TESTQ(t.key, t.key)
			c.JEQ(isText)
			c.Store(b, operand.Mem{Base: t.key})
			c.XORL(t.key.As32(), t.key.As32())
			c.JMP(used)
			c.Place(isText)
		}
		ends[i] = c.NewLabel("end")
		c.CMPQ(t.n, operand.U32(64*(i+1)))
		c.JCS(ends[i])
		c.Xor(at(t.src), b, b)
		c.Store(b, at(t.dst))
		c.Place(used)
	}
	c.advance(t, 64*len(blocks))
	c.ADDL(operand.U8(len(blocks)), c.word(12))
	c.after(func() {
		for i, b := range blocks {
			c.Place(ends[i])
			c.Move(b, last)
			c.MOVL(operand.U32(64*i), before.As32())
			c.JMP(end)
		}
	})
}
