package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/vec"
)

// xmm is c for the low 16 bytes of its registers.
func (c *chacha) xmm() *chacha {
	return &chacha{V: c.As(vec.Width{Bytes: 16, Encoding: c.Encoding})}
}

// streamInput makes in the rows of the input: constants, key, and row, which beginStream makes. It returns where the number
// of rounds is.
func (c *chacha) streamInput(row operand.Mem) (rounds operand.Mem) {
	k := c.Dereference(c.Param("c"))
	key := func(i int) operand.Mem { return c.Addr(k.Field("key").Index(i)) }
	c.in = [4]operand.Mem{c.Data("constants", 0x3320646e61707865, 0x6b20657479622d32), key(0), key(4), row}
	return c.Addr(k.Field("rounds"))
}

// beginStream returns row d of the input: counter and nonce.
//
// The IV is read before any output is written, since it may lie there, and word by word: callers store into it just
// before, and a load of what more than one store wrote waits until those stores are done.
func (c *chacha) beginStream() (row operand.Mem) {
	row = c.AllocLocal(16)
	iv, counter := c.Arg("iv"), c.Arg("block")
	c.ADDL(operand.Mem{Base: iv}, counter.As32())
	x := c.xmm()
	w := x.Range(0, 4)
	x.loadD(counter.As32(), w[0])
	for i := 1; i < 4; i++ {
		x.loadD(operand.Mem{Base: iv, Disp: 4 * i}, w[i])
	}
	x.unpackLowD(w[0], w[1], w[0])
	x.unpackLowD(w[2], w[3], w[2])
	x.UnpackLowQ(w[2], w[0], w[0])
	x.Store(w[0], row)
	return row
}

// loadD puts a word into the lowest lane of r and clears the others. (Go's assembler takes MOVD for MOVQ: it would load eight
// bytes.)
func (c *chacha) loadD(word operand.Op, r vec.Reg) {
	switch {
	case c.Encoding != vec.Legacy:
		c.VMOVD(word, r)
	case operand.IsMem(word):
		c.MOVSS(word, r)
	default:
		c.MOVD(word, r)
	}
}

// count adds n to the counter. It takes the whole row, so that the whole row can be loaded next without waiting. Clobbers
// register 0.
func (c *chacha) count(n int) {
	x := c.xmm()
	r := x.Reg(0)
	x.Load(c.in[3], r)
	x.AddD(c.blocksConst(n), r, r)
	x.Store(r, c.in[3])
}

// blocksConst is n blocks for row d.
func (c *chacha) blocksConst(n int) operand.Mem { return c.Data(fmt.Sprint("blocks", n), uint64(n), 0) }

// xor XORs a register of keystream into the text at a distance. Clobbers r and, under SSE, tmp.
func (t text) xor(v vec.V, r, tmp vec.Reg, at int) {
	src, dst := operand.Mem{Base: t.src, Disp: at}, operand.Mem{Base: t.dst, Disp: at}
	if v.Encoding == vec.Legacy {
		v.Load(src, tmp) // SSE faults on operands that are not aligned
		v.Xor(tmp, r, r)
	} else {
		v.Xor(src, r, r)
	}
	v.Store(r, dst)
}
