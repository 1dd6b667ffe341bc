package poly1305

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/lint"
	"kcrypto/_asm/vec"
)

// IFMA emits sumIFMA(m, aad, aadN, text, textN, tag, aadLen, textLen): Poly1305 of additional data in general registers
// and of text in vector registers. With a tag, the block of the two lengths follows, and the tag is what comes out.
//
// A number is three limbs of 44, 44 and 42 bits, one lane a block. VPMADD52 adds the low or the high 52 bits of a
// product of 52-bit limbs to an accumulator. Limb i times limb j belongs to column i+j; column 3 is 2^132 = 4*2^130,
// which is 20 modulo p, so what would come into columns 3 and 4 is multiplied by limbs taken 20 times instead. The high
// 52 bits weigh 2^52 = 2^8 * 2^44: they come into the next column with 8 bits more, and from column 2 with 20 * 2^8
// into column 0.
//
// A limb of h is below 2^44+2^16 and one of a block below 2^44, so a factor is below 2^45.1; a limb of a power is below
// 2^44+2^16 and 20 times it below 2^48.4, so both fit in 52 bits. A column is 6 low halves, below 2^54.6, and what
// comes with the 6 high halves: below 2^42 each where there are 20 times taken limbs, with 8 bits more 2^52.6 in all;
// column 2 has none of these, so its halves are below 2^37.2 and 5120 times their sum is below 2^52.2. That makes less
// than 2^55. One carry out of each column at the same time, of less than 2^11, 2^11 and 5*2^13, leaves limbs below
// 2^44+2^16 again.
//
// Sixteen blocks are added at a time, as h = (h + a)*r^16 + b*r^8 where a and b are eight blocks each, until 9 to 24
// are left; then eight if they are over 16. The last 8+n, with n from 1 to 8, are
//
//	(h + a) * (r^(8+n), ... r^(n+1)) + b * (r^n, ... r, 0 ...)
//
// lane by lane: two windows on a table of the powers from r^16 down. The sum of the lanes is the result. A text of up
// to eight blocks has b alone, and the sum so far comes with its first block.
//
//	Z0-15   powers, as long as they are made or the last blocks are added
//	Z16-18  h
//	Z19-24  columns, low and high
//	Z25-27  limbs of blocks
//	Z28-31  temporaries
type IFMA struct {
	vec.V
	H, low, high, BlockLimbs [3]vec.Reg
	Tmp                      [4]vec.Reg
	Next                     reg.GPVirtual
	r8, r16                  Power
	frame                    operand.Mem
}

// frameSize is a table of 5 numbers for each of sixteen powers, and what a window may reach behind it.
const frameSize = 5*tableStep + 64

// tableStep is how far apart the limbs of a power are.
const tableStep = 16 * 8

// Power is where the limbs of a power of r are: b[0], b[1], b[2], and 20 times b[1] and b[2].
type Power struct {
	B, S  [3]operand.Op
	words bool // one word in memory for all lanes
}

// NewIFMA assigns the registers. It emits nothing.
func NewIFMA(c *emit.Ctx) *IFMA {
	f := &IFMA{V: vec.V{Ctx: c, Width: vec.ZMM}}
	three := func(i int) [3]vec.Reg { return [3]vec.Reg(f.Range(i, 3)) }
	f.H, f.low, f.high, f.BlockLimbs = three(16), three(19), three(22), three(25)
	f.Tmp = [4]vec.Reg(f.Range(28, 4))
	return f
}

// SumIFMA emits sumIFMA, as IFMA says.
func SumIFMA(c *emit.Ctx) {
	f := NewIFMA(c)
	f.frame = f.AllocLocal(frameSize)
	f.r16, f.r8 = f.window(f.frame, true), f.window(f.frame.Offset(64), true)
	p := f.resume()
	p.padded("aad", "aadN")
	p.Fold(func() {})
	f.fillTable(p)
	for i, l := range f.SplitLimbs(p.H) {
		f.VMOVQ(l, f.H[i].AsX())
	}

	f.Next = f.Arg("text")
	left := f.Arg("textN")
	f.SUBQ(operand.U32(256+128), left)
	f.If(emit.Above, func() {
		f.Align(32)
		f.Loop(emit.Above, func() {
			f.sixteen()
			f.SUBQ(operand.U32(256), left)
		})
	})
	f.ADDQ(operand.U32(128), left)
	f.If(emit.Greater, func() {
		f.eight()
		f.SUBQ(operand.U32(128), left)
	})
	f.ADDQ(operand.U32(256), left)
	f.last(left)
	f.finish()
	f.Return()
}

// window is eight powers of the table, or the first of them for all lanes.
func (f *IFMA) window(first operand.Mem, words bool) Power {
	m := func(i int) operand.Mem { return first.Offset(i * tableStep) }
	return Power{[3]operand.Op{m(0), m(1), m(2)}, [3]operand.Op{nil, m(3), m(4)}, words}
}

// Constant is a word in memory, to be broadcast where it is used.
func (f *IFMA) Constant(name string, x uint64) operand.Mem { return f.Data(name, x) }

func (f *IFMA) mask44() operand.Mem { return f.Constant("mask44", 1<<44-1) }
func (f *IFMA) mask42() operand.Mem { return f.Constant("mask42", 1<<42-1) }

// Bit40 is 2^128 in a block's last limb.
func (f *IFMA) Bit40() operand.Mem { return f.Constant("bit40", 1<<40) }

// AddProducts adds the products of a and a power to the columns.
func (f *IFMA) AddProducts(a [3]vec.Reg, by Power) {
	for k := range 3 {
		for column := range 3 {
			i := (k + column) % 3
			m := by.B[(column-i+3)%3]
			if i > column {
				m = by.S[column-i+3]
			}
			if by.words {
				f.VPMADD52LUQ_BCST(m, a[i], f.low[column])
				f.VPMADD52HUQ_BCST(m, a[i], f.high[column])
			} else {
				f.VPMADD52LUQ(m, a[i], f.low[column])
				f.VPMADD52HUQ(m, a[i], f.high[column])
			}
		}
	}
}

// ClearColumns zeroes all columns.
func (f *IFMA) ClearColumns() {
	for i := range 3 {
		f.Zero(f.low[i])
		f.Zero(f.high[i])
	}
}

// Carry makes H of the columns. Clobbers Tmp and the columns.
func (f *IFMA) Carry() {
	l, h, t := f.low, f.high, f.Tmp
	f.VPSLLQ(operand.Imm(8), h[0], h[0])
	f.VPSLLQ(operand.Imm(8), h[1], h[1])
	f.VPSLLQ(operand.Imm(10), h[2], t[0]) // 20 * 2^8 = 2^10 + 2^12
	f.VPSLLQ(operand.Imm(12), h[2], h[2])
	f.VPADDQ(h[0], l[1], l[1])
	f.VPADDQ(h[1], l[2], l[2])
	f.VPADDQ(t[0], l[0], l[0])
	f.VPADDQ(h[2], l[0], l[0])
	f.VPSRLQ(operand.Imm(42), l[2], t[2])
	f.VPSRLQ(operand.Imm(44), l[1], t[1])
	f.VPSRLQ(operand.Imm(44), l[0], t[0])
	f.VPANDQ_BCST(f.mask42(), l[2], f.H[2])
	f.VPANDQ_BCST(f.mask44(), l[1], f.H[1])
	f.VPANDQ_BCST(f.mask44(), l[0], f.H[0])
	f.VPSLLQ(operand.Imm(2), t[2], t[3])
	f.VPADDQ(t[1], f.H[2], f.H[2])
	f.VPADDQ(t[0], f.H[1], f.H[1])
	f.VPADDQ(t[2], t[3], t[3])
	f.VPADDQ(t[3], f.H[0], f.H[0])
}

// loadBlocks loads the eight blocks at byte at from p on, as limbs to x. Lane 2i gets block i, and lane
// 2i+1 block 4+i.
func (f *IFMA) loadBlocks(at int, x [3]vec.Reg) {
	a, b := f.Tmp[0], f.Tmp[1]
	f.Load(operand.Mem{Base: f.Next, Disp: at}, a)
	f.Load(operand.Mem{Base: f.Next, Disp: at + 64}, b)
	f.VPUNPCKLQDQ(b, a, x[0])
	f.VPUNPCKHQDQ(b, a, x[2])
	f.Limbs(x)
	f.VPORQ_BCST(f.Bit40(), x[2], x[2]) // 2^128
}

// Limbs makes three limbs of the low words in x[0] and the high ones in x[2]. Clobbers Tmp[0].
func (f *IFMA) Limbs(x [3]vec.Reg) {
	t := f.Tmp[0]
	f.VPSRLQ(operand.Imm(44), x[0], x[1])
	f.VPSLLQ(operand.Imm(20), x[2], t)
	f.VPANDQ_BCST(f.mask44(), x[0], x[0])
	f.VPSRLQ(operand.Imm(24), x[2], x[2])
	f.VPTERNLOGQ_BCST(operand.U8(0xa8), f.mask44(), t, x[1]) // (x[1] | t) & mask
}

// AddBlocks adds limbs to H.
func (f *IFMA) AddBlocks(x [3]vec.Reg) {
	for i := range x {
		f.VPADDQ(x[i], f.H[i], f.H[i])
	}
}

// sixteen adds the next sixteen blocks: h = (h + a)*r^16 + b*r^8.
func (f *IFMA) sixteen() {
	f.ClearColumns()
	f.loadBlocks(128, f.BlockLimbs)
	f.AddProducts(f.BlockLimbs, f.r8)
	f.loadBlocks(0, f.BlockLimbs)
	f.AddBlocks(f.BlockLimbs)
	f.AddProducts(f.H, f.r16)
	f.Carry()
	f.ADDQ(operand.U32(256), f.Next)
}

// eight adds the next eight: h = (h + a)*r^8.
func (f *IFMA) eight() {
	f.ClearColumns()
	f.loadBlocks(0, f.BlockLimbs)
	f.AddBlocks(f.BlockLimbs)
	f.AddProducts(f.H, f.r8)
	f.Carry()
	f.ADDQ(operand.U32(128), f.Next)
}

// SplitLimbs makes limbs, in new registers, of a number of three words, below 2^132. Clobbers x.
func (f *IFMA) SplitLimbs(x [3]reg.GPVirtual) [3]reg.GPVirtual {
	l := [3]reg.GPVirtual{f.GP64(), f.GP64(), f.GP64()}
	mask := f.GP64()
	f.MOVQ(f.mask44(), mask)
	f.MOVQ(x[0], l[0])
	f.ANDQ(mask, l[0])
	f.SHRQ(operand.Imm(44), x[0])
	f.MOVQ(x[1], l[1])
	f.SHLQ(operand.Imm(20), l[1])
	f.ORQ(x[0], l[1])
	f.ANDQ(mask, l[1])
	f.SHRQ(operand.Imm(24), x[1])
	f.MOVQ(x[2], l[2])
	f.SHLQ(operand.Imm(40), l[2])
	f.ORQ(x[1], l[2])
	return l
}

// resume takes up the sum m in general registers.
func (f *IFMA) resume() *Sum {
	p, m := &Sum{V: f.V}, f.Arg("m")
	p.resume(m)
	return p
}

// fillTable fills the table. Each step multiplies all lanes:
//
//	r            in every lane
//	r^2          = r * r
//	r^4 ... r    = (r^2 r r^2 r) * (r^2 r^2 1 1)
//	r^8 ... r^5  = (r^4 ... r) * r^4
//	r^16 ... r^9 = (r^8 ... r) * r^8
//
// Four lanes as far as four do: YMM have two multipliers of 52 bits on Zen 4, ZMM one.
func (f *IFMA) fillTable(p *Sum) {
	y := f.View(vec.YMMEVEX)
	three := func(i int) [3]vec.Reg { return [3]vec.Reg(vec.YMMEVEX.Range(i, 3)) }
	r, one, a, b := three(0), three(3), three(6), three(9)
	zero := f.GP64()
	f.XORL(zero.As32(), zero.As32())
	r0, r1 := f.GP64(), f.GP64()
	f.MOVQ(p.R0, r0)
	f.MOVQ(p.R1, r1)
	for i, l := range f.SplitLimbs([3]reg.GPVirtual{r0, r1, zero}) {
		f.VPBROADCASTQ(l, r[i])
		f.Zero(one[i])
	}
	f.VPBROADCASTQ(f.Constant("one", 1), one[0])
	y.Multiply(r, r)
	f.SetLanes(0b1010, reg.K1)
	f.SetLanes(0b1100, reg.K2)
	for i, h := range y.H {
		f.Move(h, a[i])
		f.VMOVDQA64(r[i], reg.K1, a[i])
		f.Move(h, b[i])
		f.VMOVDQA64(one[i], reg.K2, b[i])
	}
	y.Multiply(a, b)
	for i, h := range y.H {
		f.Move(h, a[i])
		f.VPBROADCASTQ(h.AsX(), b[i])
	}
	y.Multiply(a, b)
	z := func(x [3]vec.Reg) [3]vec.Reg {
		return [3]vec.Reg{vec.ZMM.View(x[0]), vec.ZMM.View(x[1]), vec.ZMM.View(x[2])}
	}
	low, wide := z(r), z(b)
	for i, h := range f.H {
		f.VINSERTI64X4(operand.U8(1), a[i], h, low[i])
		f.VPBROADCASTQ(h.AsX(), wide[i])
	}
	f.StorePower(low, f.window(f.frame.Offset(64), false))
	f.Multiply(low, wide)
	f.StorePower(f.H, f.window(f.frame, false))
	for _, h := range f.H {
		f.Zero(h)
	}
}

// SetLanes sets an opmask to some lanes, a bit each. Clobbers a general register.
func (f *IFMA) SetLanes(bits uint32, k reg.Register) {
	t := f.GP32()
	f.MOVL(operand.U32(bits), t)
	f.KMOVW(t, k)
}

// View is f with another view of its registers.
func (f *IFMA) View(w vec.Width) *IFMA {
	g := *f
	for i := range 3 {
		g.H[i], g.BlockLimbs[i] = w.View(f.H[i]), w.View(f.BlockLimbs[i])
		g.low[i], g.high[i] = w.View(f.low[i]), w.View(f.high[i])
	}
	for i, t := range f.Tmp {
		g.Tmp[i] = w.View(t)
	}
	return &g
}

// Multiply sets H to a*b. Clobbers BlockLimbs, Tmp and the columns.
func (f *IFMA) Multiply(a, b [3]vec.Reg) {
	by := Power{B: [3]operand.Op{b[0], b[1], b[2]}}
	f.ClearColumns()
	for i := 1; i < 3; i++ {
		f.twenty(b[i], f.BlockLimbs[i])
		by.S[i] = f.BlockLimbs[i]
	}
	f.AddProducts(a, by)
	f.Carry()
}

// twenty sets dst to 20 times x.
func (f *IFMA) twenty(x, dst vec.Reg) {
	f.VPSLLQ(operand.Imm(2), x, dst)
	f.VPSLLQ(operand.Imm(4), x, f.Tmp[0])
	f.VPADDQ(f.Tmp[0], dst, dst)
}

// StorePower puts a power for each lane, and 20 times two of its limbs, in its place. Clobbers Tmp.
func (f *IFMA) StorePower(b [3]vec.Reg, to Power) {
	for i, r := range b {
		f.Store(r, to.B[i].(operand.Mem))
		if i > 0 {
			f.twenty(r, f.Tmp[1])
			f.Store(f.Tmp[1], to.S[i].(operand.Mem))
		}
	}
}

// last adds the last left bytes, 1 to 256, and leaves lanes to sum up in h.
//
// The lanes of b have the blocks in order, since a window begins anywhere; those of a and h come into that order.
func (f *IFMA) last(left reg.GPVirtual) {
	window, n := f.GP64(), f.GP64()
	f.LEAQ(operand.Mem{Base: left, Disp: -1}, n)
	f.ANDL(operand.Imm(127), n.As32())
	f.SHRL(operand.Imm(4), n.As32()) // the blocks of b less one
	f.MOVL(operand.U32(7), window.As32())
	f.SUBL(n.As32(), window.As32())
	high, low := f.windows(window)
	f.ClearColumns()
	f.CMPQ(left, operand.U32(128))
	f.If(emit.Above, func() {
		f.loadBlocks(0, f.BlockLimbs)
		f.AddBlocks(f.BlockLimbs)
		f.Load(f.Data("inOrder", 0, 2, 4, 6, 1, 3, 5, 7), f.Tmp[0])
		for _, h := range f.H {
			f.VPERMQ(h, f.Tmp[0], h)
		}
		f.AddProducts(f.H, high)
		for _, h := range f.H {
			f.Zero(h)
		}
		f.ADDQ(operand.U32(128), f.Next)
		f.SUBQ(operand.U32(128), left)
	})
	f.loadLast(left, n)
	f.AddBlocks(f.BlockLimbs)
	f.AddProducts(f.H, low)
	f.Carry()
}

// windows returns in Z0-9 the powers from number at of the table on, and from number 8+at on. Loads from where several
// stores went would wait for those, so whole registers are loaded and permuted.
func (f *IFMA) windows(at reg.GPVirtual) (high, low Power) {
	order := f.Tmp[0]
	f.VPBROADCASTQ(at, order)
	f.VPADDQ(f.Data("lanes", 0, 1, 2, 3, 4, 5, 6, 7), order, order)
	all := func(first int) Power {
		x := f.Range(first, 5)
		return Power{B: [3]operand.Op{x[0], x[1], x[2]}, S: [3]operand.Op{nil, x[3], x[4]}}
	}
	for i, x := range f.Range(0, 5) {
		y, m := f.Reg(5+i), f.frame.Offset(i*tableStep)
		f.Load(m, x)
		f.Load(m.Offset(64), y)
		f.VPERMT2Q(y, order, x)
		f.VPERMQ(y, order, y)
	}
	return all(0), all(5)
}

// loadLast loads left bytes, 1 to 128, as the limbs of n+1 blocks and zeros. left and n are used up.
func (f *IFMA) loadLast(left, n reg.GPVirtual) {
	zero := f.GP64()
	f.Mask(left, reg.K1)
	f.XORL(zero.As32(), zero.As32())
	f.SUBQ(operand.Imm(64), left)
	f.CMOVQCS(zero, left)
	f.Mask(left, reg.K2)
	f.INCQ(n)
	f.Mask(n, reg.K3)
	x, b, order := f.BlockLimbs, f.Tmp[1], f.Tmp[2]
	f.LoadMasked(operand.Mem{Base: f.Next}, reg.K1, x[0])
	f.LoadMasked(operand.Mem{Base: f.Next, Disp: 64}, reg.K2, b)
	f.Move(x[0], x[2])
	f.Load(f.Data("evenWords", 0, 2, 4, 6, 8, 10, 12, 14), order)
	f.VPERMT2Q(b, order, x[0])
	f.Load(f.Data("oddWords", 1, 3, 5, 7, 9, 11, 13, 15), order)
	f.VPERMT2Q(b, order, x[2])
	f.Limbs(x)
	f.VPORQ_BCST(f.Bit40(), x[2], reg.K3, x[2])
}

// finish sums up the lanes of h, and stores the sum or, with the lengths added, the tag.
func (f *IFMA) finish() {
	y := f.As(vec.YMMEVEX)
	var l [3]reg.GPVirtual
	for i, r := range f.H {
		t := f.Tmp[i]
		f.VEXTRACTI64X4(operand.Imm(1), r, y.View(t))
		y.VPADDQ(y.View(t), y.View(r), y.View(r))
		f.VEXTRACTI64X2(operand.Imm(1), y.View(r), t.AsX())
		f.VPADDQ(t.AsX(), r.AsX(), r.AsX())
		f.VPSHUFD(operand.Imm(0x4e), r.AsX(), t.AsX())
		f.VPADDQ(t.AsX(), r.AsX(), r.AsX())
		l[i] = f.GP64()
		f.VMOVQ(r.AsX(), l[i])
	}
	f.Zero(f.Tmp[0])
	for i := 0; i < frameSize; i += 64 {
		f.Store(f.Tmp[0], f.frame.Offset(i))
	}
	p := &Sum{V: f.V, H: f.JoinLimbs(l)}
	m, tag := f.Arg("m"), f.Arg("tag")
	f.TESTQ(tag, tag)
	f.IfElse(emit.NotZero, func() {
		p.resumeR(m)
		p.lengths()
		p.Tag(p.field(m, "s", 0), tag)
	}, func() { p.store(m) })
}

// JoinLimbs makes three words of limbs, sums of eight lanes and so below 2^47.1. Their number is below 2^130 + 2^92:
// the third word is at most 4 and all of it less than 2p, which is what poly1305.blocks and sum need.
//
// With l0 + l1*2^44 + l2*2^88, what of l2 lies above 2^130 comes back as 5 times that.
func (f *IFMA) JoinLimbs(l [3]reg.GPVirtual) [3]reg.GPVirtual {
	t, top, h1, h2 := f.GP64(), f.GP64(), f.GP64(), f.GP64()
	f.MOVQ(l[2], top)
	f.SHRQ(operand.Imm(42), top)
	f.MOVQ(f.mask42(), t)
	f.ANDQ(t, l[2])
	f.LEAQ(operand.Mem{Base: top, Index: top, Scale: 4}, top)
	f.Allow(lint.Secret, "an address that is not used: 5 times top")
	f.ADDQ(top, l[0])
	f.XORL(h2.As32(), h2.As32())
	f.MOVQ(l[1], t)
	f.SHLQ(operand.Imm(44), t)
	f.SHRQ(operand.Imm(20), l[1])
	f.MOVQ(l[2], h1)
	f.SHLQ(operand.Imm(24), h1)
	f.SHRQ(operand.Imm(40), l[2])
	f.ADDQ(t, l[0])
	f.ADCQ(l[1], h1)
	f.ADCQ(l[2], h2)
	return [3]reg.GPVirtual{l[0], h1, h2}
}
