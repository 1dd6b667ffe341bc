package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// hash emits hash(k, s, data, n): s.y goes over n bytes.
func (g *gcm) hash() {
	g.start()
	s, data, n := g.Arg("s"), g.Arg("data"), g.Arg("n")
	y := g.field("s", s, "y", true)
	b := g.block()
	b.Load(y, b.View(g.lo.reg))
	g.absorb(data, n)
	b.Store(b.View(g.lo.reg), y)
	g.Return()
}

// crypt emits seal and open(k, s, nonce, aad, aadLen, dst, src, n, tag).
func (g *gcm) crypt(open bool) {
	g.start()
	g.s = g.Arg("s")
	g.schedule()
	g.firstCounter()
	t := text{dst: g.Arg("dst"), src: g.Arg("src"), n: g.Arg("n"), p: g.GP64(), open: open}
	g.spread()
	g.loadState()
	size := operand.U32(wide * g.Bytes)
	if open || g.Bytes > 16 {
		g.additional(func() {})
		g.beginHalves(t, size)
		g.loop(t, size, func(last operand.Mem) { g.emit(g.hashHalf(last, true)) })
	} else {
		g.loopTwice(t, size)
	}
	tag := g.Arg("tag")
	g.TESTQ(tag, tag)
	g.If(emit.NotZero, func() {
		g.tail(t)
		g.tag(tag)
		g.Return()
	})
	g.save()
}

// save stores what the next call needs, and returns.
func (g *gcm) save() {
	b := g.block()
	g.saveCounter()
	b.Store(b.View(g.lo.reg), g.field("s", g.s, "y", true))
	g.Return()
}

// loadState takes y from s.y.
func (g *gcm) loadState() {
	b := g.block()
	b.Load(g.field("s", g.s, "y", true), b.View(g.lo.reg))
}

// additional takes y over the additional data, and does then. Whoever jumps to absorb has it do both with n bytes at
// data.
func (g *gcm) additional(then func()) (absorb operand.LabelRef, data, n reg.Register) {
	g.Comment("Additional data.")
	data, n = g.Arg("aad"), g.Arg("aadLen")
	absorb = g.NewLabel("absorb")
	g.TESTQ(n, n)
	g.If(emit.NotZero, func() {
		g.Place(absorb)
		g.absorb(data, n)
		then()
	})
	return absorb, data, n
}

// loopTwice emits additional and loop for sealing in single blocks with 700 bytes less of code: the message's last
// stride goes through what was for additional data. (In pairs of blocks that would make 6 ns of 90.)
func (g *gcm) loopTwice(t text, size operand.Op) {
	back, drained := g.GP64(), g.NewLabel("drained")
	g.XORL(back.As32(), back.As32())
	absorb, data, n := g.additional(func() {
		g.TESTQ(back, back)
		g.JNE(drained)
	})
	g.beginHalves(t, operand.U32(2*wide*g.Bytes))
	g.loop(t, size, func(last operand.Mem) {
		g.LEAQ(last, data)
		g.MOVQ(size, n)
		g.INCQ(back)
		g.JMP(absorb)
	})
	g.Place(drained)
}

// text is what is left of the message.
type text struct {
	dst, src, n reg.Register
	p           reg.Register // address of the powers for the next block of the tail
	open        bool
}

// loop emits the main loop, for whole strides, as long as there are least bytes.
func (g *gcm) loop(t text, least operand.Op, drain func(last operand.Mem)) {
	size := wide * g.Bytes
	loop := func(hashed operand.Mem) {
		g.Align(32)
		g.Loop(emit.NotBelow, func() {
			g.stride(t, g.hashHalf(hashed, false))
			g.CMPQ(t.n, least)
		})
	}
	g.Comment("Whole strides.")
	g.CMPQ(t.n, least)
	g.If(emit.NotBelow, func() {
		if t.open {
			loop(operand.Mem{Base: t.src})
			return
		}
		before := operand.Mem{Base: t.dst, Disp: -size}
		g.stride(t, nil)
		g.CMPQ(t.n, least)
		g.If(emit.NotBelow, func() { loop(before) })
		drain(before)
	})
}

// stride encrypts the text of one stride while the steps run, and goes on to the next.
func (g *gcm) stride(t text, steps vec.Steps) {
	g.encrypt(g.V, t, wide, false, steps)
	size := operand.U32(uint32(wide * g.Bytes))
	g.ADDQ(size, t.src)
	g.ADDQ(size, t.dst)
	g.SUBQ(size, t.n)
}

// xorInto sets dst = m ^ key.
func xorInto(v vec.V, m operand.Mem, key operand.Op, dst vec.Reg) {
	if r, ok := key.(vec.Reg); ok && v.Encoding != vec.Legacy {
		v.Xor(m, r, dst)
		return
	}
	v.Load(m, dst)
	v.Xor(key, dst, dst)
}

// tail emits what follows: at most a stride of text. Two blocks side by side gain nothing with narrow registers over
// one after the other.
func (g *gcm) tail(t text) {
	g.Comment("The rest, the lengths and the tag.")
	g.beginTail(t)
	const n = wide / 2
	g.whole(t.n, operand.U32(n*g.Bytes), func() { g.some(g.V, t, n, false) })
	g.walk(t.n, func(v vec.V, part bool) { g.some(v, t, 1, part) })
}

// beginTail moves y out of the sums and finds the powers for what is left and the lengths.
func (g *gcm) beginTail(t text) {
	g.Move(g.lo.reg, g.y())
	g.clearSums()
	g.align(t.n, 1, t.p)
}

// y is where GHASH's state is while sums are added up.
func (g *gcm) y() vec.Reg { return g.d[wide-1] }

// tag ends the sums with the lengths, to which y goes if nothing came before, reduces them, and makes the tag.
func (g *gcm) tag(to reg.Register) {
	b := g.block()
	x, tag := b.View(g.x), b.View(g.d[0])
	g.forget()
	g.join(g.field("s", g.s, "lengths", true), x)
	g.Xor(g.y(), g.x, g.x)
	g.emit(g.multiply(b, g.at(1)))
	g.settle()
	g.emit(g.reduce(true))
	b.Load(operand.Mem{Base: to}, tag)
	b.Shuffle(g.narrow(g.swap, b), b.View(g.lo.reg), x)
	b.Xor(x, tag, tag)
	b.Store(tag, operand.Mem{Base: to})
}

// forget clears what of the state could give the key away: the first round key in s.key and s.nonce, and H, which s.y
// and a J0 that GHASH made in s.counter are polynomials in. Clobbers x.
func (g *gcm) forget() {
	b := g.block()
	zero := b.View(g.x)
	b.Zero(zero)
	fields := []string{"counter", "y"}
	if g.spills() {
		fields = append(fields, "nonce", "key")
	}
	for _, name := range fields {
		b.Store(zero, g.field("s", g.s, name, true))
	}
}

// some encrypts n registers of text as v is wide, or the part of one, adds their products with the powers at t.p to the
// sums, y with the first of them, and goes on to what follows.
func (g *gcm) some(v vec.V, t text, n int, part bool) {
	input := v.View(g.d[wide-2])
	if part {
		v.LoadPart(t.src, t.n, input)
	}
	var steps vec.Steps
	if t.open {
		for i := range n {
			steps.Add(func() {
				if !part {
					v.Load(operand.Mem{Base: t.src, Disp: i * v.Bytes}, input)
				}
				v.Shuffle(g.narrow(g.swap, v), input, v.View(g.x))
				g.addState(i)
			})
			steps.Add(g.multiply(v, operand.Mem{Base: t.p, Disp: i * v.Bytes})...)
		}
		steps.Add(g.settle)
	}
	g.encrypt(v, t, n, part, steps)
	if !t.open {
		g.hashOutput(v, t, n, part)
	}
	if !part {
		g.advance(v, t, n)
	}
}

// hashOutput adds the products of what is in the first n registers of d to the sums.
func (g *gcm) hashOutput(v vec.V, t text, n int, part bool) {
	for i := range n {
		d := v.View(g.d[i])
		if part {
			g.cut(v, d, t.n)
		}
		v.Shuffle(g.narrow(g.swap, v), d, v.View(g.x))
		g.addState(i)
		g.emit(g.multiply(v, operand.Mem{Base: t.p, Disp: i * v.Bytes}))
	}
	g.settle()
}

// advance goes on by n registers as v is wide.
func (g *gcm) advance(v vec.V, t text, n int) {
	for _, r := range []reg.Register{t.src, t.dst, t.p} {
		g.ADDQ(operand.U32(n*v.Bytes), r)
	}
}

// encrypt puts n registers of text as v is wide, or the part of one that is in d[wide-2], through the cipher while the
// steps run. The output is also in the first n registers of d. Clobbers x.
func (g *gcm) encrypt(v vec.V, t text, n int, part bool, steps vec.Steps) {
	var d []vec.Reg
	for _, r := range g.d[:n] {
		d = append(d, v.View(r))
	}
	x, keys := v.View(g.x), g.keys.At(v)
	g.next(v, d...)
	if n > 1 && !g.masks() && (n < wide || steps == nil) { // not the main loop
		keys = keys.Small()
	}
	keys.Encrypt(d, &steps)
	key := keys.Last(n)
	for i, d := range d {
		if part {
			v.Xor(key, v.View(g.d[wide-2]), x)
		} else {
			xorInto(v, operand.Mem{Base: t.src, Disp: i * v.Bytes}, key, x)
		}
		v.AESEncLast(x, d, d)
	}
	for i, d := range d {
		if part {
			v.StorePart(d, t.dst, t.n)
		} else {
			v.Store(d, operand.Mem{Base: t.dst, Disp: i * v.Bytes})
		}
	}
}

// addState adds y to x if that is the first, and clears y.
func (g *gcm) addState(i int) {
	if i == 0 {
		g.Xor(g.y(), g.x, g.x)
		g.Zero(g.y())
	}
}

// loadRest loads the last n bytes of something, fewer than a register has, and clears the rest of x.
func (g *gcm) loadRest(v vec.V, p, n reg.Register, x vec.Reg) {
	if g.masks() {
		v.LoadMasked(operand.Mem{Base: p}, reg.K1, x)
		return
	}
	v.LoadPart(p, n, x)
}

// narrow is the constant c for use at the width of v.
func (g *gcm) narrow(c operand.Op, v vec.V) operand.Op {
	if r, ok := c.(vec.Reg); ok {
		return v.View(r)
	}
	return c
}

// cut clears what is behind the first n bytes of x.
func (g *gcm) cut(v vec.V, x vec.Reg, n reg.Register) {
	at, mask := g.GP64(), v.View(g.x)
	g.LEAQ(g.Data("bytes", ^uint64(0), ^uint64(0), 0, 0), at)
	g.SUBQ(n, at)
	v.Load(operand.Mem{Base: at, Disp: 16}, mask)
	v.And(mask, x, x)
}

// join loads two words of 8 bytes.
func (g *gcm) join(m operand.Mem, x vec.Reg) {
	if g.Encoding == vec.Legacy {
		g.MOVQ(m, x)
		g.PINSRQ(operand.Imm(1), m.Offset(8), x)
		return
	}
	g.VMOVQ(m, x)
	g.VPINSRQ(operand.Imm(1), m.Offset(8), x, x)
}
