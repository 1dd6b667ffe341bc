package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// Bits of the argument flags; algs/gcm has the same.
const (
	first = 1 // this call begins the message
	last  = 2 // this call ends it
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

// crypt emits seal and open(k, s, nonce, aad, aadLen, dst, src, n, flags).
func (g *gcm) crypt(open bool) {
	g.start()
	g.s = g.Arg("s")
	g.schedule()
	g.counters()
	g.Comment("Additional data.")
	b := g.block()
	b.Load(g.field("s", g.s, "y", true), b.View(g.lo.reg))
	data, n := g.Arg("aad"), g.Arg("aadLen")
	none := g.NewLabel("noAAD")
	g.TESTQ(n, n)
	g.JEQ(none)
	g.absorb(data, n)
	g.Place(none)

	t := text{dst: g.Arg("dst"), src: g.Arg("src"), n: g.Arg("n"), open: open}
	g.batches(t)
	save := g.NewLabel("save")
	flags := g.Arg("flags")
	g.TESTQ(operand.U32(last), flags)
	g.JEQ(save)
	g.tail(t)
	g.Return()

	g.Place(save)
	g.saveCounter()
	b.Store(b.View(g.lo.reg), g.field("s", g.s, "y", true))
	g.Return()
}

// text is what is left of the message.
type text struct {
	dst, src, n reg.Register
	open        bool
}

// batches emits the main loop, for as many whole batches as there are.
func (g *gcm) batches(t text) {
	size := batch * g.Bytes
	loop, drain, tail := g.NewLabel("batch"), g.NewLabel("drain"), g.NewLabel("tail")
	more := func(if_ func(operand.Op), to operand.LabelRef) {
		g.CMPQ(t.n, operand.U32(uint32(size)))
		if_(to)
	}
	g.Comment("Whole batches.")
	more(g.JCS, tail)
	if t.open {
		g.Align(32)
		g.Place(loop)
		g.batch(t, g.hashBatch(operand.Mem{Base: t.src}))
		more(g.JCC, loop)
	} else {
		g.batch(t, nil)
		more(g.JCS, drain)
		g.Align(32)
		g.Place(loop)
		g.batch(t, g.hashBatch(operand.Mem{Base: t.dst, Disp: -size}))
		more(g.JCC, loop)
		g.Place(drain)
		g.emit(g.hashBatch(operand.Mem{Base: t.dst, Disp: -size}))
	}
	g.Place(tail)
}

// batch encrypts the text of one batch while the steps run, and goes on to the next.
func (g *gcm) batch(t text, steps vec.Steps) {
	g.next(g.V, g.d...)
	g.keys.Encrypt(g.d, &steps)
	key := g.keys.Last(batch)
	for i, d := range g.d {
		g.xorInto(operand.Mem{Base: t.src, Disp: i * g.Bytes}, key, g.x)
		g.AESEncLast(g.x, d, d)
	}
	for i, d := range g.d {
		g.Store(d, operand.Mem{Base: t.dst, Disp: i * g.Bytes})
	}
	size := operand.U32(uint32(batch * g.Bytes))
	g.ADDQ(size, t.src)
	g.ADDQ(size, t.dst)
	g.SUBQ(size, t.n)
}

// xorInto sets dst = m ^ key.
func (g *gcm) xorInto(m operand.Mem, key operand.Op, dst vec.Reg) {
	if g.Encoding == vec.Legacy {
		g.Load(m, dst)
		g.Xor(key, dst, dst)
		return
	}
	g.Xor(m, key.(vec.Reg), dst)
}

// hashBatch returns the steps that take y over the batch of ciphertext at m.
func (g *gcm) hashBatch(m operand.Mem) vec.Steps {
	var s vec.Steps
	for i := range batch {
		s.Add(func() {
			g.Load(m.Offset(i*g.Bytes), g.x)
			g.Shuffle(g.swap, g.x, g.x)
			if i == 0 {
				g.Xor(g.lo.reg, g.x, g.x)
			}
		})
		s.Add(g.multiply(g.V, operand.Mem{Base: g.powers, Disp: i * g.Bytes})...)
	}
	s.Add(g.reduce(true)...)
	return s
}

// tail emits what follows the last whole batch: less than a batch of text, the lengths, the tag.
func (g *gcm) tail(t text) {
	y, d, text := g.d[7], g.d[0], g.d[1]
	p := g.GP64()
	g.Comment("The rest, the lengths and the tag.")
	g.Move(g.lo.reg, y)
	g.clearSums()
	g.align(t.n, 1, p)
	g.walk(t.n, func(v vec.V, part bool) {
		keys := g.keys.At(v)
		d, text, x := v.View(d), v.View(text), v.View(g.x)
		g.next(v, d)
		keys.Encrypt([]vec.Reg{d}, nil)
		src, dst := operand.Mem{Base: t.src}, operand.Mem{Base: t.dst}
		switch {
		case !part:
			v.Load(src, text)
		case g.masks():
			v.LoadMasked(src, reg.K1, text)
		default:
			v.LoadPart(t.src, t.n, text)
		}
		v.Xor(keys.Last(1), text, x)
		v.AESEncLast(x, d, d)
		switch {
		case !part:
			v.Store(d, dst)
		case g.masks():
			v.StoreMasked(d, reg.K1, dst)
		default:
			v.StorePart(d, t.dst, t.n)
		}
		if t.open {
			d = text
		} else if part {
			g.cut(v, d, t.n)
		}
		v.Shuffle(g.narrow(g.swap, v), d, x)
		g.mix(v, y, p)
		if !part {
			for _, r := range []reg.Register{t.src, t.dst, p} {
				g.ADDQ(operand.Imm(uint64(v.Bytes)), r)
			}
		}
	})
	b := g.block()
	x, tag := b.View(g.x), b.View(d)
	lengths := g.field("s", g.s, "lengths", true)
	g.join(lengths, x)
	g.LEAQ(operand.Mem{Base: g.powers, Disp: 16 * (g.table - 1)}, p)
	g.mix(b, y, p)
	g.emit(g.reduce(true))
	mask := g.field("s", g.s, "tag", true)
	b.Load(mask, tag)
	b.Shuffle(g.narrow(g.swap, b), b.View(g.lo.reg), x)
	b.Xor(x, tag, tag)
	b.Store(tag, mask)
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
	if g.masks() {
		v.VMOVDQU8_Z(x, reg.K1, x)
		return
	}
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
