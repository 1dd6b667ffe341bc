package chacha20

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/vec"
)

// Xmm is c for the low 16 bytes of its registers.
func (c *ChaCha) Xmm() *ChaCha {
	return &ChaCha{V: c.As(vec.Width{Bytes: 16, Encoding: c.Encoding})}
}

// StreamInput makes in the rows of the input: constants, key, and row, which BeginStream makes. It returns where the
// number of rounds is.
func (c *ChaCha) StreamInput(row operand.Mem) (rounds operand.Mem) {
	k := c.Dereference(c.Param("c"))
	key := func(i int) operand.Mem { return c.Addr(k.Field("key").Index(i)) }
	c.In = [4]operand.Mem{c.Data("constants", 0x3320646e61707865, 0x6b20657479622d32), key(0), key(4), row}
	return c.Addr(k.Field("rounds"))
}

// BeginStream returns row d of the input: counter and nonce.
//
// The IV is read before any output is written, since it may lie there, and word by word: callers store into it just
// before, and a load of what more than one store wrote waits until those stores are done.
func (c *ChaCha) BeginStream() (row operand.Mem) {
	row = c.AllocLocal(16)
	iv, counter := c.Arg("iv"), c.Arg("block")
	c.ADDL(operand.Mem{Base: iv}, counter.As32())
	x := c.Xmm()
	w := x.Range(0, 4)
	x.LoadD(counter.As32(), w[0])
	for i := 1; i < 4; i++ {
		x.LoadD(operand.Mem{Base: iv, Disp: 4 * i}, w[i])
	}
	x.UnpackLowD(w[0], w[1], w[0])
	x.UnpackLowD(w[2], w[3], w[2])
	x.UnpackLowQ(w[2], w[0], w[0])
	x.Store(w[0], row)
	return row
}

// NonceRow puts a counter of 0 and the nonce, an argument, into w[0]. It is read word by word, for the reason that
// BeginStream has. For registers of 16 bytes; clobbers w[1] and w[2].
func (c *ChaCha) NonceRow(w []vec.Reg) {
	nonce := c.Arg("nonce")
	for i := range w {
		c.LoadD(operand.Mem{Base: nonce, Disp: 4 * i}, w[i])
	}
	c.ShiftLeftQ(32, w[0], w[0])
	c.UnpackLowD(w[1], w[2], w[1])
	c.UnpackLowQ(w[1], w[0], w[0])
}

// LoadD puts a word into the lowest lane of r and clears the others. (Go's assembler takes MOVD for MOVQ: it would load
// eight bytes.)
func (c *ChaCha) LoadD(word operand.Op, r vec.Reg) {
	switch {
	case c.Encoding != vec.Legacy:
		c.VMOVD(word, r)
	case operand.IsMem(word):
		c.MOVSS(word, r)
	default:
		c.MOVD(word, r)
	}
}

// Count adds n to the counter. It takes the whole row, so that the whole row can be loaded next without waiting.
// Clobbers register 0.
func (c *ChaCha) Count(n int) {
	x := c.Xmm()
	r := x.Reg(0)
	x.Load(c.In[3], r)
	x.AddD(c.blocksConst(n), r, r)
	x.Store(r, c.In[3])
}

// blocksConst is n blocks for row d.
func (c *ChaCha) blocksConst(n int) operand.Mem { return c.Data(fmt.Sprint("blocks", n), uint64(n), 0) }

// XOR XORs a register of keystream into the text at a distance. Clobbers r and, under SSE, tmp.
func (t Text) XOR(v vec.V, r, tmp vec.Reg, at int) {
	src, dst := operand.Mem{Base: t.Src, Disp: at}, operand.Mem{Base: t.Dst, Disp: at}
	if v.Encoding == vec.Legacy {
		v.Load(src, tmp) // SSE faults on operands that are not aligned
		v.Xor(tmp, r, r)
	} else {
		v.Xor(src, r, r)
	}
	v.Store(r, dst)
}
