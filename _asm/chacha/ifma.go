package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/lint"
	"kcrypto/_asm/vec"
)

// ifma emits bulk(st, dst, src, n, m, poly, polyN): n bytes of ChaCha20, a multiple of 1024, and Poly1305 of polyN bytes,
// a multiple of 128 and at least n+128, in vector registers beside it.
//
// A number is three limbs of 44, 44 and 42 bits, one lane a block. VPMADD52 adds the low or the high 52 bits of a product
// of 52-bit limbs to an accumulator. Limb i times limb j belongs to column i+j; column 3 is 2^132 = 4*2^130, which is 20
// modulo p, so what would come into columns 3 and 4 is multiplied by limbs taken 20 times instead. The high 52 bits weigh
// 2^52 = 2^8 * 2^44: they come into the next column with 8 bits more, and from column 2 with 20 * 2^8 into column 0.
//
// A limb of h is below 2^44+2^16 and one of a block below 2^44, so a factor is below 2^45.1; a limb of a power is below
// 2^44+2^16 and 20 times it below 2^48.4, so both fit in 52 bits. A column is 6 low halves, below 2^54.6, and what comes
// with the 6 high halves: below 2^42 each where there are 20 times taken limbs, with 8 bits more 2^52.6 in all; column 2 has
// none of these, so its halves are below 2^37.2 and 5120 times their sum is below 2^52.2. That makes less than 2^55. One
// carry out of each column at the same time, of less than 2^11, 2^11 and 5*2^13, leaves limbs below 2^44+2^16 again.
//
// Sixteen blocks are added at a time, as h = (h + a)*r^16 + b*r^8 where a and b are eight blocks each; the last eight are
// h = (h + a) * (r^8, r^7, ... r), and the sum of the lanes is the result.
//
//	Z0-15   ChaCha
//	Z16-18  h
//	Z19-24  columns, low and high
//	Z25-27  limbs of blocks
//	Z28-31  temporaries
type ifma struct {
	*chacha
	h, low, high, block [3]vec.Reg
	tmp                 [4]vec.Reg
	p                   reg.GPVirtual
	r8, r16, lanes      power
	frame               operand.Mem
}

// frameSize is two powers of 5 words and one of 5 registers.
const frameSize = 2*64 + 5*64

// power is where the limbs of a power of r are: b[0], b[1], b[2], and 20 times b[1] and b[2].
type power struct {
	b, s  [3]operand.Op
	words bool // one word in memory for all lanes
}

func bulkIFMA(c *emit.Ctx) {
	f := &ifma{chacha: newChaCha(vec.V{Ctx: c, Width: vec.ZMM})}
	three := func(i int) [3]vec.Reg { return [3]vec.Reg(f.Range(i, 3)) }
	f.h, f.low, f.high, f.block = three(16), three(19), three(22), three(25)
	f.tmp = [4]vec.Reg(f.Range(28, 4))
	f.frame = f.AllocLocal(frameSize)
	f.r8, f.r16, f.lanes = f.power(0, 8), f.power(64, 8), f.power(128, 64)
	f.powers()
	f.loadSum()

	f.p = f.Arg("poly")
	left, n, dst, src := f.Arg("polyN"), f.Arg("n"), f.Arg("dst"), f.Arg("src")
	f.in = rowsAt(f.Arg("st"))
	pass, alone, last, one := f.NewLabel("pass"), f.NewLabel("alone"), f.NewLabel("last"), f.NewLabel("one")
	f.TESTQ(n, n)
	f.JEQ(alone)
	f.Align(32)
	f.Place(pass)
	f.pass(dst, src)
	f.SUBQ(operand.U32(1024), left)
	f.SUBQ(operand.U32(1024), n)
	f.JNE(pass)
	f.Place(alone)
	f.SUBQ(operand.U32(256+128), left)
	f.JCS(last)
	loop := f.NewLabel("sixteen")
	f.Place(loop)
	var s vec.Steps
	f.sixteen(&s)
	s.Rest()
	f.SUBQ(operand.U32(256), left)
	f.JCC(loop)
	f.Place(last)
	f.CMPQ(left, operand.I32(-256))
	f.JEQ(one)
	f.eight()
	f.Place(one)
	f.finish()
	f.Return()
}

// power is a place in the frame: limbs each step bytes after the one before.
func (f *ifma) power(at, step int) power {
	m := func(i int) operand.Mem { return f.frame.Offset(at + i*step) }
	return power{[3]operand.Op{m(0), m(1), m(2)}, [3]operand.Op{nil, m(3), m(4)}, step == 8}
}

// constant broadcasts a word from memory.
func (f *ifma) constant(name string, x uint64) operand.Mem { return f.Data(name, x) }

func (f *ifma) mask44() operand.Mem { return f.constant("mask44", 1<<44-1) }
func (f *ifma) mask42() operand.Mem { return f.constant("mask42", 1<<42-1) }

// madd adds to s the products of a and a power.
func (f *ifma) madd(s *vec.Steps, a [3]vec.Reg, by power) {
	for k := range 3 {
		for column := range 3 {
			i := (k + column) % 3
			m := by.b[(column-i+3)%3]
			if i > column {
				m = by.s[column-i+3]
			}
			if by.words {
				s.Add(func() { f.VPMADD52LUQ_BCST(m, a[i], f.low[column]) }, func() { f.VPMADD52HUQ_BCST(m, a[i], f.high[column]) })
			} else {
				s.Add(func() { f.VPMADD52LUQ(m, a[i], f.low[column]) }, func() { f.VPMADD52HUQ(m, a[i], f.high[column]) })
			}
		}
	}
}

// clearColumns adds to s the zeroing of all columns.
func (f *ifma) clearColumns(s *vec.Steps) {
	for i := range 3 {
		s.Add(func() { f.Zero(f.low[i]) }, func() { f.Zero(f.high[i]) })
	}
}

// carry adds to s what makes h of the columns.
func (f *ifma) carry(s *vec.Steps) {
	l, h, t := f.low, f.high, f.tmp
	s.Add(
		func() { f.VPSLLQ(operand.Imm(8), h[0], h[0]) },
		func() { f.VPSLLQ(operand.Imm(8), h[1], h[1]) },
		func() { f.VPSLLQ(operand.Imm(10), h[2], t[0]) }, // 20 * 2^8 = 2^10 + 2^12
		func() { f.VPSLLQ(operand.Imm(12), h[2], h[2]) },
		func() { f.VPADDQ(h[0], l[1], l[1]) },
		func() { f.VPADDQ(h[1], l[2], l[2]) },
		func() { f.VPADDQ(t[0], l[0], l[0]) },
		func() { f.VPADDQ(h[2], l[0], l[0]) },
		func() { f.VPSRLQ(operand.Imm(42), l[2], t[2]) },
		func() { f.VPSRLQ(operand.Imm(44), l[1], t[1]) },
		func() { f.VPSRLQ(operand.Imm(44), l[0], t[0]) },
		func() { f.VPANDQ_BCST(f.mask42(), l[2], f.h[2]) },
		func() { f.VPANDQ_BCST(f.mask44(), l[1], f.h[1]) },
		func() { f.VPANDQ_BCST(f.mask44(), l[0], f.h[0]) },
		func() { f.VPSLLQ(operand.Imm(2), t[2], t[3]) },
		func() { f.VPADDQ(t[1], f.h[2], f.h[2]) },
		func() { f.VPADDQ(t[0], f.h[1], f.h[1]) },
		func() { f.VPADDQ(t[2], t[3], t[3]) },
		func() { f.VPADDQ(t[3], f.h[0], f.h[0]) },
	)
}

// loadBlocks adds to s the loading of the eight blocks at byte at from p on, as limbs to x. Lane 2i gets block i, and lane
// 2i+1 block 4+i.
func (f *ifma) loadBlocks(s *vec.Steps, at int, x [3]vec.Reg) {
	a, b := f.tmp[0], f.tmp[1]
	s.Add(
		func() { f.Load(operand.Mem{Base: f.p, Disp: at}, a) },
		func() { f.Load(operand.Mem{Base: f.p, Disp: at + 64}, b) },
		func() { f.VPUNPCKLQDQ(b, a, x[0]) },
		func() { f.VPUNPCKHQDQ(b, a, x[2]) },
		func() { f.VPSRLQ(operand.Imm(44), x[0], x[1]) },
		func() { f.VPSLLQ(operand.Imm(20), x[2], a) },
		func() { f.VPANDQ_BCST(f.mask44(), x[0], x[0]) },
		func() { f.VPSRLQ(operand.Imm(24), x[2], x[2]) },
		func() { f.VPTERNLOGQ_BCST(operand.U8(0xa8), f.mask44(), a, x[1]) }, // (x[1] | a) & mask
		func() { f.VPORQ_BCST(f.constant("bit40", 1<<40), x[2], x[2]) },     // 2^128
	)
}

// addBlocks adds to s the addition of limbs to h.
func (f *ifma) addBlocks(s *vec.Steps, x [3]vec.Reg) {
	for i := range x {
		s.Add(func() { f.VPADDQ(x[i], f.h[i], f.h[i]) })
	}
}

// sixteen adds to s the next sixteen blocks: h = (h + a)*r^16 + b*r^8.
func (f *ifma) sixteen(s *vec.Steps) {
	f.clearColumns(s)
	f.loadBlocks(s, 128, f.block)
	f.madd(s, f.block, f.r8)
	f.loadBlocks(s, 0, f.block)
	f.addBlocks(s, f.block)
	f.madd(s, f.h, f.r16)
	f.carry(s)
	s.Add(func() { f.ADDQ(operand.U32(256), f.p) })
}

// eight emits the next eight: h = (h + a)*r^8.
func (f *ifma) eight() {
	var s vec.Steps
	f.clearColumns(&s)
	f.loadBlocks(&s, 0, f.block)
	f.addBlocks(&s, f.block)
	f.madd(&s, f.h, f.r8)
	f.carry(&s)
	s.Add(func() { f.ADDQ(operand.U32(128), f.p) })
	s.Rest()
}

// pass emits sixteen blocks of ChaCha20 with 64 blocks of Poly1305: four times sixteen in the first eight double rounds.
func (f *ifma) pass(dst, src reg.GPVirtual) {
	x := f.Range(0, 16)
	f.loadWide(x, 0)
	count := f.GP64()
	f.MOVL(operand.U32(8), count.As32())
	f.loopRounds(count, func() {
		var rounds, sum vec.Steps
		f.wideRounds(&rounds, x)
		f.wideRounds(&rounds, x)
		f.sixteen(&sum)
		for places := len(rounds) / 4; places > 0; places-- { // one to one would take 1.05 times as long
			rounds.Next(4)
			sum.Share(places)
		}
	})
	f.MOVL(operand.U32(4), count.As32())
	f.loopRounds(count, func() {
		var rounds vec.Steps
		f.wideRounds(&rounds, x)
		rounds.Rest()
	})
	for i, b := range f.finishWide(x, f.tmp[0]) {
		f.Xor(operand.Mem{Base: src, Disp: 64 * i}, b, b)
		f.Store(b, operand.Mem{Base: dst, Disp: 64 * i})
	}
	f.ADDQ(operand.U32(1024), dst)
	f.ADDQ(operand.U32(1024), src)
	f.ADDL(operand.U8(16), f.word(12))
}

// split makes limbs of a number of three words: below 2^132.
func (f *ifma) split(x [3]reg.GPVirtual) [3]reg.GPVirtual {
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

// loadSum sets lane 0 of h to the sum so far, and the others to 0.
func (f *ifma) loadSum() {
	m := f.Arg("m")
	x := [3]reg.GPVirtual{f.GP64(), f.GP64(), f.GP64()}
	for i := range x {
		f.MOVQ(operand.Mem{Base: m, Disp: 8 * i}, x[i])
	}
	for i, l := range f.split(x) {
		f.VMOVQ(l, f.h[i].AsX())
	}
}

// powers fills the frame. Each step multiplies all lanes:
//
//	r            in every lane
//	r^2          = r * r
//	r^4 ... r    = (r^2 r r^2 r) * (r^2 r^2 1 1), pairs of lanes as the blocks lie
//	r^8 ... r    = that * (r^4 in even lanes, 1 in odd ones)
//	r^16         = r^8 * r^8
func (f *ifma) powers() {
	m := f.Arg("m")
	x := [3]reg.GPVirtual{f.GP64(), f.GP64(), f.GP64()}
	f.MOVQ(operand.Mem{Base: m, Disp: 24}, x[0])
	f.MOVQ(operand.Mem{Base: m, Disp: 32}, x[1])
	f.XORL(x[2].As32(), x[2].As32())
	r, one := [3]vec.Reg(f.Range(0, 3)), [3]vec.Reg(f.Range(3, 3))
	for i, l := range f.split(x) {
		f.VPBROADCASTQ(l, r[i])
		f.Zero(one[i])
	}
	f.VPBROADCASTQ(f.constant("one", 1), one[0])
	a, b := [3]vec.Reg(f.Range(6, 3)), [3]vec.Reg(f.Range(9, 3))
	mask := func(bits uint32, k reg.Register) {
		t := f.GP32()
		f.MOVL(operand.U32(bits), t)
		f.KMOVW(t, k)
	}
	// mix sets dst, another register, to x in the lanes of k and to y in the others.
	mix := func(k reg.Register, x, y, dst [3]vec.Reg) {
		for i := range dst {
			f.Move(y[i], dst[i])
			f.VMOVDQA64(x[i], k, dst[i])
		}
	}
	mask(0x33, reg.K1)
	mask(0x0f, reg.K2)
	mask(0x55, reg.K3)
	f.multiply(r, r)
	mix(reg.K1, f.h, r, a)
	mix(reg.K2, f.h, one, b)
	f.multiply(a, b)
	for i := range a {
		f.Move(f.h[i], a[i])
		f.VPBROADCASTQ(a[i].AsX(), b[i])
	}
	mix(reg.K3, b, one, r)
	f.multiply(a, r)
	for i := range a {
		f.Move(f.h[i], b[i])
		f.VPBROADCASTQ(f.h[i].AsX(), a[i])
	}
	f.store(a, f.r8)
	f.multiply(a, a)
	f.store(f.h, f.r16)
	f.store(b, f.lanes)
}

// multiply sets h to a*b. Clobbers block.
func (f *ifma) multiply(a, b [3]vec.Reg) {
	by := power{b: [3]operand.Op{b[0], b[1], b[2]}}
	for i := 1; i < 3; i++ {
		f.twenty(b[i], f.block[i])
		by.s[i] = f.block[i]
	}
	var s vec.Steps
	f.clearColumns(&s)
	f.madd(&s, a, by)
	f.carry(&s)
	s.Rest()
}

// twenty sets dst to 20 times x.
func (f *ifma) twenty(x, dst vec.Reg) {
	f.VPSLLQ(operand.Imm(2), x, dst)
	f.VPSLLQ(operand.Imm(4), x, f.tmp[0])
	f.VPADDQ(f.tmp[0], dst, dst)
}

// store puts a power, and 20 times two of its limbs, in its place.
func (f *ifma) store(b [3]vec.Reg, to power) {
	put := func(r vec.Reg, m operand.Op) {
		if to.words {
			f.VMOVQ(r.AsX(), m)
			return
		}
		f.VMOVDQU64(r, m)
	}
	for i, r := range b {
		put(r, to.b[i])
		if i > 0 {
			f.twenty(r, f.tmp[1])
			put(f.tmp[1], to.s[i])
		}
	}
}

// finish adds the last eight blocks, and stores the sum.
func (f *ifma) finish() {
	var s vec.Steps
	f.clearColumns(&s)
	f.loadBlocks(&s, 0, f.block)
	f.addBlocks(&s, f.block)
	f.madd(&s, f.h, f.lanes)
	f.carry(&s)
	s.Rest()
	y := f.As(vec.YMMEVEX)
	var l [3]reg.GPVirtual
	for i, r := range f.h {
		t := f.tmp[0]
		f.VEXTRACTI64X4(operand.Imm(1), r, y.View(t))
		y.VPADDQ(y.View(t), y.View(r), y.View(r))
		f.VEXTRACTI64X2(operand.Imm(1), y.View(r), t.AsX())
		f.VPADDQ(t.AsX(), r.AsX(), r.AsX())
		f.VPSHUFD(operand.Imm(0x4e), r.AsX(), t.AsX())
		f.VPADDQ(t.AsX(), r.AsX(), r.AsX())
		l[i] = f.GP64()
		f.VMOVQ(r.AsX(), l[i])
	}
	f.join(l)
	f.Zero(f.tmp[0])
	for i := 0; i < frameSize; i += 64 {
		f.Store(f.tmp[0], f.frame.Offset(i))
	}
}

// join makes three words of limbs, sums of eight lanes and so below 2^47.1, and stores them as the sum. It is below 2^130 +
// 2^92: the third word is at most 4 and all of it less than 2p, which is what poly1305.blocks and sum need.
//
// With l0 + l1*2^44 + l2*2^88, what of l2 lies above 2^130 comes back as 5 times that.
func (f *ifma) join(l [3]reg.GPVirtual) {
	m, t, top, h1, h2 := f.Arg("m"), f.GP64(), f.GP64(), f.GP64(), f.GP64()
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
	f.MOVQ(l[0], operand.Mem{Base: m})
	f.MOVQ(h1, operand.Mem{Base: m, Disp: 8})
	f.MOVQ(h2, operand.Mem{Base: m, Disp: 16})
}
