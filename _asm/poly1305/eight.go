package poly1305

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// Poly1305 of eight messages, each in a lane. ifma.go has the arithmetic and its bounds.
//
// One message in eight lanes needs eight or sixteen powers of r, each step of which waits for the one before, and in
// the end the sum of the lanes: 240 cycles and more. Eight messages need r and r^2 in each lane, and no sum. They take
// the blocks in pairs, a and b: h = (h + a)*r^2 + b*r. Whoever calls sees to it that there are pairs. 16 blocks take 70
// cycles: 36 multiplications, one a cycle, and 52 other instructions.
//
//	Z0-7    pairs of blocks as they are read, then their words
//	Z8-10   limbs of b
//	Z16-31  as in IFMA
type eight struct{ *IFMA }

// newEight finds the numbers where algs/chacha's type sums has them.
func newEight(c *emit.Ctx) (f eight, s reg.GPVirtual) {
	f = eight{NewIFMA(c)}
	s = f.Arg("s")
	f.r8, f.r16 = f.numbers("r", s), f.numbers("rr", s)
	return f, s
}

func (f eight) member(name string, i int, s reg.Register) operand.Mem {
	return f.Addr(f.Param("s").Dereference(s).Field(name).Index(i).Index(0))
}

// numbers is a number in each lane: three limbs, and two of them 20 times.
func (f eight) numbers(name string, s reg.Register) Power {
	var m [5]operand.Op
	for i := range m {
		m[i] = f.member(name, i, s)
	}
	return Power{B: [3]operand.Op{m[0], m[1], m[2]}, S: [3]operand.Op{nil, m[3], m[4]}}
}

// SquareEight emits squareEight(s): r^2 of r.
func SquareEight(c *emit.Ctx) {
	f, s := newEight(c)
	r := [3]vec.Reg(f.Range(0, 3))
	for i := range r {
		f.Load(f.member("r", i, s), r[i])
	}
	f.Multiply(r, r)
	f.StorePower(f.H, f.r16)
	f.Return()
}

// AddEight emits addEight(s, text, pairs): pairs of blocks from each address in text on.
func AddEight(c *emit.Ctx) {
	f, s := newEight(c)
	var p [8]reg.GPVirtual
	text, n := f.Arg("text"), f.Arg("pairs")
	for i := range p {
		p[i] = f.GP64()
		f.MOVQ(operand.Mem{Base: text, Disp: 8 * i}, p[i])
	}
	for i := range f.H {
		f.Load(f.member("h", i, s), f.H[i])
	}
	off := f.GP64()
	f.XORL(off.As32(), off.As32())
	a, b := f.BlockLimbs, [3]vec.Reg(f.Range(8, 3))
	f.Align(32)
	f.Loop(emit.NotZero, func() {
		f.pairs(p, off, a, b)
		f.ClearColumns()
		f.Limbs(b)
		f.VPORQ_BCST(f.Bit40(), b[2], b[2])
		f.AddProducts(b, f.r8)
		f.Limbs(a)
		f.VPORQ_BCST(f.Bit40(), a[2], a[2])
		f.AddBlocks(a)
		f.AddProducts(f.H, f.r16)
		f.Carry()
		f.ADDQ(operand.Imm(32), off)
		f.DECQ(n)
	})
	for i := range f.H {
		f.Store(f.H[i], f.member("h", i, s))
	}
	f.Return()
}

// pairs loads the next pair of blocks of each message: the low words of the first ones to a[0], their high words to
// a[2], and the second ones the same way to b.
func (f eight) pairs(p [8]reg.GPVirtual, off reg.GPVirtual, a, b [3]vec.Reg) {
	at := func(i int) operand.Mem { return operand.Mem{Base: p[i], Index: off, Scale: 1} }
	x, w := f.Range(0, 4), f.Range(4, 4)
	for i, lanes := range [4][2]int{{0, 2}, {1, 3}, {4, 6}, {5, 7}} {
		vec.V{Ctx: f.Ctx, Width: vec.YMMEVEX}.Load(at(lanes[0]), vec.YMMEVEX.View(x[i]))
		f.VINSERTI64X4(operand.U8(1), at(lanes[1]), x[i], x[i])
	}
	// x[0] and x[1] are 0 2 and 1 3, each with its a and b, x[2] and x[3] are 4 6 and 5 7.
	for i := range 2 {
		f.VPUNPCKLQDQ(x[2*i+1], x[2*i], w[2*i])
		f.VPUNPCKHQDQ(x[2*i+1], x[2*i], w[2*i+1])
	}
	f.VSHUFI64X2(operand.U8(0x88), w[2], w[0], a[0])
	f.VSHUFI64X2(operand.U8(0x88), w[3], w[1], a[2])
	f.VSHUFI64X2(operand.U8(0xdd), w[2], w[0], b[0])
	f.VSHUFI64X2(operand.U8(0xdd), w[3], w[1], b[2])
}
