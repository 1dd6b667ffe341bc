package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// Seal and open for the driver with opmasks and 32 registers. What they have that crypt.go has not:
//
//   - with s nil a call is a whole message, and there is no state: all it needs is in registers or, for a long message,
//     where its tag goes;
//   - the end of a message, up to a stride, goes through the cipher at once (a pass), with the products of all of it,
//     of what GHASH has from before and of the lengths in one sum: one reduction;
//   - a short message is no more than that. Its counter blocks are constants, XORed into nonce and first round key.

// passes are the numbers of registers that there are passes of, in ascending order, one or two apart.
var passes = []int{1, 2, 4, 6, 7, 8}

// pre is, before a pass, the block that GHASH has from before.
func (g *gcm) pre() vec.Reg { return g.d[0] }

// mask is, when the last counter blocks are made, the encryption of J0.
func (g *gcm) mask() vec.Reg { return g.key }

// cryptMasked emits seal and open(k, s, nonce, aad, aadLen, dst, src, n, tag).
func (g *gcm) cryptMasked(open bool) {
	g.s = g.Arg("s")
	g.wholeNonce()
	g.arguments()
	g.schedule()
	t := text{dst: g.Arg("dst"), src: g.Arg("src"), n: g.Arg("n"), p: g.GP64(), open: open}
	tag := g.Arg("tag")
	g.oneBlock(t, tag)
	g.loadSwap()
	long, sum := g.NewLabel("long"), g.NewLabel("sum")
	var enter []operand.LabelRef
	for range passes {
		enter = append(enter, g.NewLabel("pass"))
	}

	g.TESTQ(g.s, g.s)
	g.If(emit.Zero, func() {
		g.whiten()
		g.short(t, long, sum, enter)
	})
	g.Block(func(ready emit.Exit) {
		g.hold()
		g.firstCounter()
		g.loadState()
		ready(emit.Always)
		g.Place(long)
		g.wholeCounter(tag)
	})
	g.spread()
	g.additional(func() {})
	least := g.GP64() // what there must be for a stride: the message's last one is left to the pass
	g.XORL(least.As32(), least.As32())
	g.TESTQ(tag, tag)
	g.SETNE(least.As8())
	g.ADDQ(operand.U32(wide*g.Bytes), least)
	g.beginHalves(t, least)
	g.loop(t, least, func(last operand.Mem) { g.emit(g.hashHalf(last, true)) })
	g.TESTQ(tag, tag)
	g.If(emit.NotZero, func() {
		g.Comment("The rest, the lengths and the tag.")
		g.beginLast(t)
		g.Block(func(none emit.Exit) {
			g.choose(t, none, func(i int) {
				g.next(g.V, g.d[:passes[i]]...)
				g.block().Load(operand.Mem{Base: tag}, g.block().View(g.mask()))
				g.Place(enter[i])
				g.pass(t, i)
				g.JMP(sum)
			})
		})
		g.block().Load(operand.Mem{Base: tag}, g.block().View(g.mask()))
		g.Place(sum)
		g.emit(g.reduce(true))
		g.maskedTag(tag)
		g.Return()
	})
	g.save()
}

// wholeNonce puts J0 into x before all else, as the rest waits for it, if a call is a whole message.
func (g *gcm) wholeNonce() {
	b := g.block()
	b.Zero(b.View(g.x))
	g.TESTQ(g.s, g.s)
	g.If(emit.Zero, func() { g.loadNonce(g.Arg("nonce"), b.View(g.x)) })
}

// whiten makes of J0, in x, nonce of counter.go, and mask as it is before the first round, and loads round keys.
func (g *gcm) whiten() {
	b := g.block()
	mask := b.View(g.mask())
	first := g.keys.First()
	g.VSHUFI64X2(operand.Imm(0), g.x, g.x, g.nonce)
	g.Xor(first, g.nonce, g.nonce)
	b.Xor(b.View(first), b.View(g.x), mask)
	g.hold()
}

// encryptMask makes the encryption of J0 of what whiten left.
func (g *gcm) encryptMask() {
	b := g.block()
	mask := b.View(g.mask())
	keys := g.keys.At(b)
	keys.Encrypt([]vec.Reg{mask}, nil)
	keys.EncryptLast(mask)
}

// short emits what a message needs that is one pass and a block of additional data at most, and goes to enter[i] for
// passes[i], or to sum if there is no text. Other messages go to long.
func (g *gcm) short(t text, long, sum operand.LabelRef, enter []operand.LabelRef) {
	b := g.block()
	aad, aadLen := g.Arg("aad"), g.Arg("aadLen")
	g.CMPQ(t.n, operand.U32(wide*g.Bytes))
	g.JHI(long)
	g.CMPQ(aadLen, operand.Imm(16))
	g.JHI(long)
	pre := b.View(g.pre())
	b.Zero(pre)
	g.TESTQ(aadLen, aadLen)
	g.If(emit.NotZero, func() {
		g.Mask(aadLen, reg.K1)
		b.LoadMasked(operand.Mem{Base: aad}, reg.K1, pre)
		b.Shuffle(b.View(g.swap.(vec.Reg)), pre, pre)
	})
	g.lengths(t.n, aadLen)
	g.align(t.n, 2, t.p)
	g.sumFirst(t.p)
	g.ADDQ(operand.Imm(16), t.p)
	g.encryptMask() // not before the sums: 256 bytes, AES-256, opening, 41.2 ns so and 39.4 here
	g.choose(t, g.To(sum), func(i int) {
		for j, d := range g.d[:passes[i]] {
			g.Xor(g.counters(j), g.nonce, d)
		}
		g.JMP(enter[i])
	})
}

// counters is what register i of a message's first counter blocks has where J0, which has the number 1, has 0.
func (g *gcm) counters(i int) operand.Mem {
	var words []uint64
	for b := range uint64(g.Blocks()) {
		number := (2 + uint64(i*g.Blocks()) + b) ^ 1
		words = append(words, 0, number<<56)
	}
	return g.Data(fmt.Sprint("counters", i), words...)
}

// choose emits do for the smallest pass that is enough for what is left, and leaves if nothing is. do does not come
// back.
func (g *gcm) choose(t text, none emit.Exit, do func(i int)) {
	g.TESTQ(t.n, t.n)
	none(emit.Zero)
	for i, n := range passes {
		if n == wide {
			do(i)
			return
		}
		g.CMPQ(t.n, operand.U32(n*g.Bytes))
		g.If(emit.NotAbove, func() { do(i) })
	}
}

// wholeCounter leaves what firstCounter and loadState do, but the encryption of J0 where the tag goes.
func (g *gcm) wholeCounter(tag reg.Register) {
	g.encryptMask()
	b := g.block()
	b.Store(b.View(g.mask()), operand.Mem{Base: tag})
	b.Load(g.Data("two", 2, 0), b.View(g.d[1]))
	g.Zero(g.lo.reg)
}

// lengths sets the first block of x to the lengths in bits.
func (g *gcm) lengths(n, aadLen reg.Register) {
	b := g.block()
	x := b.View(g.x)
	g.VMOVQ(n, x)
	g.VPINSRQ(operand.Imm(1), aadLen, x, x)
	b.ShiftLeftQ(3, x, x)
}

// beginLast makes ready for the last pass of a message that is long or in parts.
func (g *gcm) beginLast(t text) {
	g.Move(g.lo.reg, g.pre())
	g.TESTQ(g.s, g.s)
	g.IfElse(emit.Zero,
		func() { g.lengths(g.Arg("n"), g.Arg("aadLen")) },
		func() { g.join(g.field("s", g.s, "lengths", true), g.block().View(g.x)) })
	g.align(t.n, 1, t.p)
	g.sumFirst(t.p)
}

// sumFirst begins the sums: pre with the power at p, the lengths in x with H.
func (g *gcm) sumFirst(p reg.Register) {
	b, two := g.block(), g.As(vec.YMMEVEX)
	x, h := two.View(g.x), two.View(g.h)
	two.InsertBlock(1, b.View(g.x), two.View(g.pre()), x)
	b.Load(operand.Mem{Base: p}, b.View(g.h))
	two.InsertBlock(1, g.at(1), h, h)
	g.emit(g.multiplyBy(two, h))
	g.settle()
}

// pass encrypts what is left, passes[i] registers or one less, and adds its products to the sums.
func (g *gcm) pass(t text, i int) {
	n := passes[i]
	d := g.d[:n]
	masks := g.lastMasks(t, i)
	load := func(j int, dst vec.Reg) {
		if m := (operand.Mem{Base: t.src, Disp: j * g.Bytes}); masks[j] != nil {
			g.LoadMasked(m, masks[j], dst)
		} else {
			g.Load(m, dst)
		}
	}
	products := func(j int) vec.Steps { return g.multiply(g.V, operand.Mem{Base: t.p, Disp: j * g.Bytes}) }
	var steps vec.Steps
	if t.open {
		for j := range d {
			steps.Add(func() { load(j, g.x); g.Shuffle(g.swap, g.x, g.x) })
			steps.Add(products(j)...)
		}
		steps.Add(g.settle)
	}
	g.keys.Small().Encrypt(d, &steps)
	for j, d := range d {
		if masks[j] != nil {
			load(j, g.x)
			g.Xor(g.keys.Last(n), g.x, g.x)
		} else {
			xorInto(g.V, operand.Mem{Base: t.src, Disp: j * g.Bytes}, g.keys.Last(n), g.x)
		}
		g.AESEncLast(g.x, d, d)
	}
	for j, d := range d {
		if m := (operand.Mem{Base: t.dst, Disp: j * g.Bytes}); masks[j] != nil {
			g.StoreMasked(d, masks[j], m)
		} else {
			g.Store(d, m)
		}
	}
	if t.open {
		return
	}
	for j, d := range d {
		if masks[j] != nil {
			g.VMOVDQU8_Z(d, masks[j], d)
		}
		g.Shuffle(g.swap, d, g.x)
		g.emit(products(j))
	}
	g.settle()
}

// lastMasks returns the opmasks of the registers of a pass: nil for those that are whole.
func (g *gcm) lastMasks(t text, i int) []reg.Register {
	n := passes[i]
	masks := make([]reg.Register, n)
	left := g.GP64()
	if masks[n-1] = reg.K1; n > 1 && passes[i-1] < n-1 {
		masks[n-2] = reg.K3
		g.LEAQ(operand.Mem{Base: t.n, Disp: -(n - 2) * g.Bytes}, left)
		g.Mask(left, masks[n-2])
		zero := g.GP64()
		g.XORL(zero.As32(), zero.As32())
		g.SUBQ(operand.Imm(uint64(g.Bytes)), left)
		g.CMOVQCS(zero, left)
	} else {
		g.LEAQ(operand.Mem{Base: t.n, Disp: -(n - 1) * g.Bytes}, left)
	}
	g.Mask(left, masks[n-1])
	return masks
}

// maskedTag makes the tag, and clears what of the state could give the key away.
func (g *gcm) maskedTag(to reg.Register) {
	b := g.block()
	x := b.View(g.x)
	b.Shuffle(b.View(g.swap.(vec.Reg)), b.View(g.lo.reg), x)
	b.Xor(b.View(g.mask()), x, x)
	b.Store(x, operand.Mem{Base: to})
	g.TESTQ(g.s, g.s)
	g.If(emit.NotZero, g.forget)
}
