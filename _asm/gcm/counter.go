package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// Counter blocks. All but the last 32 bits of them are the same for a message; those are a big-endian number that
// wraps by itself when it is added to in a lane of 32 bits.
//
// With 16 registers, ctr holds the next counter blocks with their bytes reversed: an addition, a byte shuffle and the
// XOR with the first round key for each register.
//
// With 32 registers, ctr holds the next 16 numbers, that of block 4i+l in word i of block l. One byte shuffle and one XOR
// with the last word of the first round key (key, in all words) serve four registers; nonce is the counter block
// XORed with the first round key, in all blocks, and each register takes it over, and then by a masked shuffle its numbers as
// the last words: 1.75 operations a register and not 3.

// words is the mask of the last word of each block.
var words = reg.K2

// firstCounter puts a counter block into x and its number into the first word of d[1], for spread: s.counter, or that
// after J0 at the beginning of a message, when it also makes the mask of its tag, s.tag. With 16 registers d[1] is all
// of the counter block with its bytes reversed.
func (g *gcm) firstCounter() {
	b := g.block()
	j, number, mask := b.View(g.x), b.View(g.d[1]), b.View(g.d[0])
	swap, keys := g.narrow(g.swap, b), g.keys.At(b)
	nonce, flags := g.Arg("nonce"), g.Arg("flags")
	given, begin, done := g.NewLabel("given"), g.NewLabel("begin"), g.NewLabel("counting")
	g.TESTQ(nonce, nonce)
	g.JEQ(given)
	g.Comment("J0 is a nonce of 12 bytes and the number 1.")
	g.loadNonce(nonce, j)
	if g.masks() {
		b.Load(g.Data("one", 1, 0), number)
	} else {
		b.Shuffle(swap, j, number)
	}
	g.JMP(begin)
	g.Place(given)
	b.Load(g.field("s", g.s, "counter", true), number)
	b.Shuffle(swap, number, j)
	g.TESTQ(operand.U32(first), flags)
	g.JEQ(done)
	g.Place(begin)
	b.Move(j, mask)
	keys.White(mask)
	keys.Encrypt([]vec.Reg{mask}, nil)
	keys.EncryptLast(mask)
	b.Store(mask, g.field("s", g.s, "tag", true))
	b.AddD(g.Data("one", 1, 0), number, number)
	g.Place(done)
}

// spread makes ctr, and what goes with it, of what firstCounter left.
func (g *gcm) spread() {
	j, number := g.block().View(g.x), g.block().View(g.d[1])
	if !g.masks() {
		if g.Bytes == 16 {
			g.Move(number, g.ctr)
			return
		}
		g.InsertBlock(1, number, g.View(number), g.ctr)
		g.AddD(g.Data("lanes", 0, 0, 1, 0), g.ctr, g.ctr)
		return
	}
	key := g.keys.First()
	g.ShuffleD(0xff, key, g.key)
	if g.Bytes == 16 {
		g.Xor(key, j, g.nonce)
	} else {
		g.VSHUFI64X2(operand.Imm(0), g.View(j), g.View(j), g.nonce)
		g.Xor(key, g.nonce, g.nonce)
	}
	g.VPBROADCASTD(number, g.ctr)
	var lanes []uint64
	for l := range uint64(g.Blocks()) {
		lanes = append(lanes, l|(l+4)<<32, (l+8)|(l+12)<<32)
	}
	g.AddD(g.Data(fmt.Sprint("lanes", g.Blocks()), lanes...), g.ctr, g.ctr)
	last := g.GP32()
	g.MOVL(operand.U32(0x8888), last)
	g.KMOVW(last, words)
}

// next puts the next counter blocks, XORed with the first round key, into registers as v is wide, and takes the
// counters on by as many. Clobbers tmp, and x with 32 registers.
func (g *gcm) next(v vec.V, regs ...vec.Reg) {
	ctr, swap := v.View(g.ctr), g.narrow(g.swap, v)
	if !g.masks() {
		for _, d := range regs {
			v.Shuffle(swap, ctr, d)
			v.AddD(g.step(v, v.Blocks()), ctr, ctr)
		}
		g.keys.At(v).White(regs...)
		return
	}
	numbers, nonce, key := v.View(g.x), v.View(g.nonce), v.View(g.key)
	for len(regs) > 0 {
		n := min(4, len(regs))
		v.Shuffle(g.constant("swapWords", 0x0405060700010203, 0x0c0d0e0f08090a0b), ctr, numbers)
		v.AddD(g.step(v, n*v.Blocks()), ctr, ctr)
		v.Xor(key, numbers, numbers)
		for i, d := range regs[:n] {
			v.Move(nonce, d)
			v.VPSHUFD(operand.U8(i<<6), numbers, words, d)
		}
		regs = regs[n:]
	}
}

// step is what takes ctr on by n blocks.
func (g *gcm) step(v vec.V, n int) operand.Op {
	w := uint64(n)
	if g.masks() {
		w |= w << 32
		return g.constant(fmt.Sprint("step", n, "x"), w, w)
	}
	return g.constant(fmt.Sprint("step", n, "x"), w, 0)
}

// saveCounter stores s.counter.
func (g *gcm) saveCounter() {
	b, to := g.block(), g.field("s", g.s, "counter", true)
	if !g.masks() {
		b.Store(b.View(g.ctr), to)
		return
	}
	x := b.View(g.x)
	b.Xor(b.View(g.keys.First()), b.View(g.nonce), x)
	b.Shuffle(g.narrow(g.swap, b), x, x)
	b.Store(x, to)
	g.VMOVD(b.View(g.ctr), to)
}

// loadNonce joins 12 bytes and the big-endian number 1. Words of 4 bytes suit those who have just written the nonce in
// one piece, or 4 and 8 bytes apart, since a load from more than one store has to wait.
func (g *gcm) loadNonce(p reg.Register, x vec.Reg) {
	number := g.GP32()
	g.MOVL(operand.U32(1<<24), number)
	at := func(i int) operand.Mem { return operand.Mem{Base: p, Disp: i} }
	if g.Encoding == vec.Legacy {
		g.MOVD(at(0), x)
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
