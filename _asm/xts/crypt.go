package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// units is what crypt knows of its data units, in general registers.
type units struct {
	whole  reg.Register // bytes of a unit that go through the main loop and the tail
	rest   reg.Register // bytes beyond the last whole block; if there are any, that block is not in whole either
	count  reg.Register // units left, this one included
	seams  reg.Register // how often the relay may go from a unit to the next
	tweaks reg.Register // address of the first tweak, encrypted
}

// crypt emits encrypt and decrypt(k, dst, src, size, count, iv, tweaks): count data units of size bytes each.
func (x *xts) crypt(decrypt bool) {
	x.decrypt = decrypt
	x.k, x.dst, x.src = x.Arg("k"), x.Arg("dst"), x.Arg("src")
	x.left, x.powers = x.GP64(), x.GP64()
	u := x.split()
	x.prepare()
	first := x.block.View(x.t[0])
	x.Comment("The first tweak.")
	begun := x.NewLabel("begun") // the loop over units is entered there with the first tweak made of iv
	iv := x.Arg("iv")
	x.TESTQ(iv, iv)
	x.If(emit.NotZero, func() {
		x.block.Load(operand.Mem{Base: iv}, first)
		k2 := x.schedule(x.block.V, "tweak", "enc")
		k2.White(first)
		k2.Encrypt([]vec.Reg{first}, nil)
		k2.EncryptLast(first)
		x.single(u, x.To(begun))
	})
	x.Loop(emit.NotZero, func() {
		x.block.Load(operand.Mem{Base: u.tweaks}, first)
		x.Place(begun)
		x.begin(first)
		x.MOVQ(u.whole, x.left)
		x.loops(u)
		x.tail()
		x.TESTQ(u.rest, u.rest)
		x.If(emit.NotZero, func() { x.steal(u.rest) })
		x.forward(16, u.tweaks)
		x.DECQ(u.count)
	})
	x.Return()
}

// single emits all of a message of one block, whose tweak needs no preparation, and leaves with any other one.
func (x *xts) single(u units, leave emit.Exit) {
	if x.chained() {
		leave(emit.Always)
		return
	}
	x.CMPQ(u.whole, operand.U8(16))
	leave(emit.NotEqual)
	x.TESTQ(u.rest, u.rest)
	leave(emit.NotZero)
	x.MOVQ(u.whole, x.left)
	x.under(x.block, x.block.views(x.d[:1]), x.block.views(x.t[:1]))
	x.Return()
}

// split takes the arguments that describe the units.
func (x *xts) split() units {
	u := units{whole: x.Arg("size"), rest: x.GP64(), count: x.Arg("count"), seams: x.GP64(), tweaks: x.Arg("tweaks")}
	x.MOVQ(u.whole, u.rest)
	x.ANDQ(operand.U8(15), u.rest)
	x.If(emit.NotZero, func() {
		x.SUBQ(u.rest, u.whole)
		x.SUBQ(operand.U8(16), u.whole)
	})
	if x.Encoding != vec.EVEX {
		return u
	}
	x.Comment("Units end with the relay if they are multiples of half of what it takes at a time.")
	none := x.GP64()
	x.XORL(none.As32(), none.As32())
	x.LEAQ(operand.Mem{Base: u.count, Disp: -1}, u.seams)
	odd := x.GP64()
	x.MOVQ(u.whole, odd)
	x.ANDQ(operand.U32(x.wide/2*x.Bytes-1), odd)
	x.ORQ(u.rest, odd)
	x.CMOVQNE(none, u.seams)
	return u
}

// prepare makes ready the round keys and what else stays in registers.
func (x *xts) prepare() {
	keys := "enc"
	if x.decrypt {
		keys = "dec"
	}
	x.keys = x.schedule(x.V, "data", keys, x.held[0])
	x.block = x.narrow(16)
	if r, ok := x.poly.(vec.Reg); ok {
		x.Load(x.polynomial(), r)
	}
}

// tail emits what is left of whole blocks after the main loop.
func (x *xts) tail() {
	for n := 4; n > 0; n /= 2 {
		if n == x.wide {
			continue // it goes through the loop
		}
		x.CMPQ(x.left, imm(n*x.Bytes))
		x.If(emit.NotBelow, func() { x.group(x.shape, n) })
	}
	for bytes := x.Bytes / 2; bytes >= 16; bytes /= 2 {
		x.TESTQ(operand.U32(bytes), x.left)
		x.If(emit.NotZero, func() { x.group(x.narrow(bytes), 1) })
	}
}

// group emits n registers of text of shape s under fresh tweaks, and goes on behind them.
func (x *xts) group(s shape, n int) {
	d, t := s.views(x.d[:n]), s.views(x.t[:n])
	x.fresh(s, t)
	if x.chained() {
		x.double(t[n-1], x.t2)
	}
	x.under(s, d, t)
	if x.chained() {
		x.Move(x.t2, x.t[0])
	} else {
		x.forward(n*s.Bytes, x.powers)
	}
}

// under emits the text that d takes under the tweaks t. Clobbers t.
func (x *xts) under(s shape, d, t []vec.Reg) {
	key := s.keys.First()
	for i := range d {
		s.Load(operand.Mem{Base: x.src, Disp: i * s.Bytes}, d[i])
		s.Xor3(t[i], key, d[i])
	}
	for _, t := range t {
		s.Xor(s.View(x.held[0]), t, t)
	}
	x.middle(s, d, nil)
	x.finish(s, d, t)
}

// views is these registers at the width of s.
func (s shape) views(regs []vec.Reg) (v []vec.Reg) {
	for _, r := range regs {
		v = append(v, s.View(r))
	}
	return v
}

// narrow is the shape of registers of so many bytes.
func (x *xts) narrow(bytes int) shape {
	w := x.Width
	w.Bytes = bytes
	return shape{x.As(w), x.keys.At(x.As(w))}
}

// middle emits the rounds between the first XOR and the last round.
func (x *xts) middle(s shape, d []vec.Reg, steps *vec.Steps) {
	if x.decrypt {
		s.keys.Decrypt(d, steps)
	} else {
		s.keys.Encrypt(d, steps)
	}
}

// finish emits the last round of d, with the tweaks t into which the last round key is XORed, and the output, and goes
// on behind it.
func (x *xts) finish(s shape, d, t []vec.Reg) {
	for i := range d {
		x.final(s, t[i], d[i])
	}
	for i := range d {
		s.Store(d[i], operand.Mem{Base: x.dst, Disp: i * s.Bytes})
	}
	n := len(d) * s.Bytes
	x.forward(n, x.src, x.dst)
	x.SUBQ(imm(n), x.left)
}

// final emits the last round of d with this key.
func (x *xts) final(s shape, key, d vec.Reg) {
	if x.decrypt {
		s.AESDecLast(key, d, d)
	} else {
		s.AESEncLast(key, d, d)
	}
}

// forward adds n to addresses.
func (x *xts) forward(n int, addresses ...reg.Register) {
	for _, a := range addresses {
		x.ADDQ(imm(n), a)
	}
}

// imm is n in the form that takes the fewest bytes.
func imm(n int) operand.Op {
	if n < 128 {
		return operand.U8(n)
	}
	return operand.U32(n)
}
