package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// Counter blocks. All but the last 32 bits of them are the same for a message; those are a big-endian number that
// wraps by itself when it is added to in a lane of 32 bits.
//
// By words: ctr holds numbers for four registers, that of block b of register i in word i of block b. One byte shuffle
// and one XOR with the last word of the first round key serve all four; what does not change, the nonce XORed with the
// first round key, is copied, and then takes its number as its last word: 1.75 operations a register. The nonce and the
// round key's word stay in registers (nonce, key) if there are 32, and else in s.nonce and s.key.
//
// vaes_avx2 has no instruction that inserts a word into each block of a register. There ctr holds the next counter
// blocks with their bytes reversed: an addition, a byte shuffle and an XOR a register.

// byWords reports whether this driver makes them by words.
func (g *gcm) byWords() bool { return g.Encoding == vec.EVEX || g.Bytes == 16 }

// spills reports whether this driver uses s.nonce and s.key.
func (g *gcm) spills() bool { return g.byWords() && !g.masks() }

// lastWords is the mask of the last word of each block.
var lastWords = reg.K2

// firstCounter puts a counter block into x and its number into the first word of d[1], for spread: s.counter, or that
// after J0 at the beginning of a message, when it also makes the mask of its tag, s.tag. If not by words, d[1] is all
// of the counter block with its bytes reversed.
func (g *gcm) firstCounter() {
	b := g.block()
	j, number, mask := b.View(g.x), b.View(g.d[1]), b.View(g.d[0])
	swap, keys := g.narrow(g.swap, b), g.keys.At(b)
	nonce := g.Arg("nonce")
	fromNonce := func() {
		g.Comment("J0 is a nonce of 12 bytes and the number 1.")
		g.loadNonce(nonce, j)
		if g.byWords() {
			b.Load(g.Data("one", 1, 0), number)
		} else {
			b.Shuffle(swap, j, number)
		}
	}
	g.Block(func(counting emit.Exit) {
		g.TESTQ(nonce, nonce)
		g.IfElse(emit.NotZero, fromNonce, func() {
			b.Load(g.field("s", g.s, "counter", true), number)
			b.Shuffle(swap, number, j)
			g.CMPQ(g.field("s", g.s, "begin", false), operand.Imm(0))
			counting(emit.Equal)
		})
		b.Move(j, mask)
		keys.White(mask)
		keys.Encrypt([]vec.Reg{mask}, nil)
		keys.EncryptLast(mask)
		b.Store(mask, g.field("s", g.s, "tag", true))
		b.AddD(g.Data("one", 1, 0), number, number)
	})
}

// spread makes ctr, and what goes with it, of what firstCounter left.
func (g *gcm) spread() {
	j, number := g.block().View(g.x), g.block().View(g.d[1])
	if !g.byWords() {
		g.InsertBlock(1, number, g.View(number), g.ctr)
		g.AddD(g.Data("lanes", 0, 0, 1, 0), g.ctr, g.ctr)
		return
	}
	var lanes []uint64
	n := uint64(g.Blocks())
	for b := range n {
		lanes = append(lanes, b|(b+n)<<32, (b+2*n)|(b+3*n)<<32)
	}
	first := g.keys.First()
	if g.Bytes == 16 {
		g.ShuffleD(0, number, g.ctr)
		g.Xor(first, j, j)
	} else {
		g.VPBROADCASTD(number, g.ctr)
		g.VSHUFI64X2(operand.Imm(0), g.View(j), g.View(j), g.nonce)
		g.Xor(first, g.nonce, g.nonce)
	}
	g.AddD(g.Data(fmt.Sprint("lanes", n), lanes...), g.ctr, g.ctr)
	if g.spills() {
		g.Store(j, g.field("s", g.s, "nonce", true))
		g.ShuffleD(0xff, first, j)
		g.Store(j, g.field("s", g.s, "key", true))
		return
	}
	if g.Bytes == 16 {
		g.Move(j, g.nonce)
	}
	g.ShuffleD(0xff, first, g.key)
	words := g.GP32()
	g.MOVL(operand.U32(0x8888), words)
	g.KMOVW(words, lastWords)
}

// next puts the next counter blocks, XORed with the first round key, into registers as v is wide, and takes the
// counters on by as many. Clobbers tmp and x.
func (g *gcm) next(v vec.V, regs ...vec.Reg) {
	ctr, swap := v.View(g.ctr), g.narrow(g.swap, v)
	if !g.byWords() {
		for _, d := range regs {
			v.Shuffle(swap, ctr, d)
			v.AddD(g.step(v, v.Blocks()), ctr, ctr)
		}
		g.keys.At(v).White(regs...)
		return
	}
	numbers, nonce, key := v.View(g.x), v.View(g.tmp), v.View(g.free[0])
	if g.masks() {
		nonce, key = v.View(g.nonce), v.View(g.key)
	} else {
		v.Load(g.field("s", g.s, "nonce", true), nonce)
		v.Load(g.field("s", g.s, "key", true), key)
	}
	for len(regs) > 0 {
		n := min(4, len(regs))
		v.Shuffle(g.constant("swapWords", 0x0405060700010203, 0x0c0d0e0f08090a0b), ctr, numbers)
		v.AddD(g.step(v, n*v.Blocks()), ctr, ctr)
		v.Xor(key, numbers, numbers)
		for i, d := range regs[:n] {
			g.insertLast(v, i, numbers, nonce, d)
		}
		regs = regs[n:]
	}
}

// insertLast sets dst to nonce with word i of numbers as the last word, in each block as v is wide.
func (g *gcm) insertLast(v vec.V, i int, numbers, nonce, dst vec.Reg) {
	const last = 3 << 4 // INSERTPS: the word to be written; above it, the word to be read
	switch v.Encoding {
	case vec.Legacy:
		v.Move(nonce, dst)
		v.INSERTPS(operand.U8(i<<6|last), numbers, dst)
	case vec.VEX:
		v.VINSERTPS(operand.U8(i<<6|last), numbers, nonce, dst)
	case vec.EVEX:
		v.Move(nonce, dst)
		v.VPSHUFD(operand.U8(i<<6), numbers, lastWords, dst)
	}
}

// step is what takes ctr on by n blocks.
func (g *gcm) step(v vec.V, n int) operand.Op {
	w := uint64(n)
	if g.byWords() {
		w |= w << 32
		return g.constant(fmt.Sprint("step", n, "x"), w, w)
	}
	return g.constant(fmt.Sprint("step", n, "x"), w, 0)
}

// saveCounter stores s.counter.
func (g *gcm) saveCounter() {
	b, to := g.block(), g.field("s", g.s, "counter", true)
	if !g.byWords() {
		b.Store(b.View(g.ctr), to)
		return
	}
	x, ctr := b.View(g.x), b.View(g.ctr)
	first := b.View(g.keys.First())
	if g.masks() {
		b.Xor(first, b.View(g.nonce), x)
	} else {
		b.Load(g.field("s", g.s, "nonce", true), x)
		b.Xor(first, x, x)
	}
	b.Shuffle(g.narrow(g.swap, b), x, x)
	b.Store(x, to)
	if g.Encoding == vec.Legacy {
		g.MOVSS(ctr, to)
	} else {
		g.VMOVD(ctr, to)
	}
}

// loadNonce joins 12 bytes and the big-endian number 1. Words of 4 bytes suit those who have just written the nonce in
// one piece, or 4 and 8 bytes apart, since a load from more than one store has to wait.
func (g *gcm) loadNonce(p reg.Register, x vec.Reg) {
	number := g.GP32()
	g.MOVL(operand.U32(1<<24), number)
	at := func(i int) operand.Mem { return operand.Mem{Base: p, Disp: i} }
	if g.Encoding == vec.Legacy {
		g.MOVSS(at(0), x) // Go's MOVD moves 8 bytes
		g.PINSRD(operand.Imm(1), at(4), x)
		g.PINSRD(operand.Imm(2), at(8), x)
		g.PINSRD(operand.Imm(3), number, x)
		return
	}
	g.VMOVD(at(0), x)
	g.VPINSRD(operand.Imm(1), at(4), x, x)
	g.VPINSRD(operand.Imm(2), at(8), x, x)
	g.VPINSRD(operand.Imm(3), number, x, x)
}
