package poly1305

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/lint"
	"kcrypto/_asm/vec"
)

// lanes is Poly1305 in four lanes with AVX2: numbers are five limbs of 26 bits, a YMM register has one limb of four of
// them. With blocks a, b, c, d of 64 bytes the lanes have a, c, b, d, as unpacking leaves them. All lanes are
// multiplied by r^4 before the next blocks are added, and at last by r^4, r^2, r^3 and r; the sum of the lanes is the
// result.
//
// A limb of a power is below 2^26, the last one below 2^26.4, as h2 is 4 at most; five times that, which is where what
// is over 2^130 comes down, below 2^28.8. A limb of h is below 2^26 + 2^11 after carry and below 2^27 in the first
// blocks. VPMULUDQ takes 32 bits of each. A column is five products and below 2^58.2, so that four lanes of them stay
// below 2^61.
//
//	0-4    h
//	5-9    columns
//	10, 11 temporaries
//	12     2^26 - 1
//	13     2^24: 2^128 in a block's last limb
//	14, 15 blocks
type lanes struct {
	vec.V
	h, column       [5]vec.Reg
	tmp             [2]vec.Reg
	mask, bit       vec.Reg
	low, high       vec.Reg
	fourth, another operand.Mem // powers: five limbs, and four of them times five. r^4, and the one of each lane
}

// powerSize is what a power takes in the frame.
const powerSize = 9 * 32

// enoughForLanes is from how many bytes on SumAVX2 takes lanes, which are faster then than one block at a time: for 192
// both take 196 cycles.
const enoughForLanes = 256

// SumAVX2 emits sumAVX2(m, aad, aadN, text, textN, tag, aadLen, textLen): all of Poly1305, from the sum m on. Without a
// tag, m is what comes out.
func SumAVX2(c *emit.Ctx) {
	v := vec.V{Ctx: c, Width: vec.YMM}
	m, n, p := c.Arg("m"), c.GP64(), &Sum{V: v, Next: c.GP64()}
	p.resume(m)
	c.MOVQ(v.ArgAddr("aad"), p.Next)
	c.MOVQ(v.ArgAddr("aadN"), n)
	c.Block(func(end emit.Exit) {
		c.Loop(emit.Always, func() {
			c.CMPQ(n, operand.U32(enoughForLanes))
			c.If(emit.NotBelow, func() { newLanes(v).add(p, n) })
			p.AddBytes(n)
			c.Comment("Then the text; it is over when its length is -1.")
			c.MOVQ(v.ArgAddr("textN"), n)
			c.TESTQ(n, n)
			end(emit.Less)
			c.MOVQ(v.ArgAddr("text"), p.Next)
			c.MOVQ(operand.I32(-1), v.ArgAddr("textN"))
		})
	})
	tag := c.Arg("tag")
	m = c.Arg("m")
	c.TESTQ(tag, tag)
	c.If(emit.NotZero, func() {
		p.lengths()
		p.Tag(p.field(m, "s", 0), tag)
		v.Return()
	})
	p.store(m)
	v.Return()
}

func newLanes(v vec.V) *lanes {
	l := &lanes{V: v}
	l.h, l.column, l.tmp = [5]vec.Reg(v.Range(0, 5)), [5]vec.Reg(v.Range(5, 5)), [2]vec.Reg(v.Range(10, 2))
	l.mask, l.bit, l.low, l.high = v.Reg(12), v.Reg(13), v.Reg(14), v.Reg(15)
	frame := v.AllocLocal(2 * powerSize)
	l.fourth, l.another = frame, frame.Offset(powerSize)
	return l
}

// add adds n bytes of p, but for the last n%64, which it leaves.
func (l *lanes) add(p *Sum, n reg.GPVirtual) {
	rest := l.ArgAddr("aadN")
	l.MOVQ(n, rest)
	l.Load(l.Data("limb", 1<<26-1, 1<<26-1, 1<<26-1, 1<<26-1), l.mask)
	l.Load(l.Data("bit24", 1<<24, 1<<24, 1<<24, 1<<24), l.bit)
	l.powers(p)
	l.first(p)

	left, by, another := l.GP64(), l.address(l.fourth), l.address(l.another)
	l.MOVQ(rest, left)
	l.SHRQ(operand.Imm(6), left)
	l.DECQ(left)
	l.Align(32)
	l.While(func() {
		l.TESTQ(left, left)
		l.CMOVQEQ(another, by)
		l.multiply(by) // leaves the flags
	}, emit.NotZero, func() {
		l.load(p.Next)
		for i, c := range l.column {
			l.limb(i, l.tmp[0], l.tmp[1])
			l.AddQ(l.tmp[0], c, c)
		}
		l.AddQ(l.bit, l.column[4], l.column[4])
		l.carry()
		l.DECQ(left)
	})
	l.total(p)
	l.wipe()
	l.MOVQ(rest, n)
	l.ANDL(operand.Imm(63), n.As32())
}

// address is where something in the frame is.
func (l *lanes) address(m operand.Mem) reg.GPVirtual {
	r := l.GP64()
	l.LEAQ(m, r)
	l.Allow(lint.Secret, "where the frame lies is public")
	return r
}

// wipe clears the powers.
func (l *lanes) wipe() {
	at, left := l.address(l.fourth), l.GP64()
	l.Zero(l.tmp[0])
	l.MOVL(operand.U32(powerSize/32), left.As32())
	l.Loop(emit.NotZero, func() {
		l.Store(l.tmp[0], operand.Mem{Base: at})
		l.Store(l.tmp[0], operand.Mem{Base: at, Disp: 32})
		l.ADDQ(operand.Imm(64), at)
		l.DECQ(left)
	})
}

// load loads four blocks and moves on.
func (l *lanes) load(p reg.GPVirtual) {
	l.Load(operand.Mem{Base: p}, l.low)
	l.Load(operand.Mem{Base: p, Disp: 32}, l.high)
	l.unpack()
	l.ADDQ(operand.Imm(64), p)
}

// unpack makes the low and the high words of four blocks.
func (l *lanes) unpack() {
	l.UnpackLowQ(l.high, l.low, l.tmp[0])
	l.UnpackHighQ(l.high, l.low, l.high)
	l.Move(l.tmp[0], l.low)
}

// limb sets dst to limb i of the numbers of two words.
func (l *lanes) limb(i int, dst, tmp vec.Reg) {
	switch i {
	case 0:
		l.And(l.mask, l.low, dst)
		return
	case 1:
		l.ShiftRightQ(26, l.low, dst)
	case 2:
		l.ShiftRightQ(52, l.low, dst)
		l.ShiftLeftQ(12, l.high, tmp)
		l.Or(tmp, dst, dst)
	case 3:
		l.ShiftRightQ(14, l.high, dst)
	case 4:
		l.ShiftRightQ(40, l.high, dst)
		return
	}
	l.And(l.mask, dst, dst)
}

// powers fills the tables. Clobbers all but mask and bit, and the argument aad.
func (l *lanes) powers(p *Sum) {
	q := &Sum{V: l.V, R0: p.R0, R1: p.R1, q1: p.q1, H: [3]reg.GPVirtual{l.GP64(), l.GP64(), l.GP64()}}
	l.MOVQ(p.R0, q.H[0])
	l.MOVQ(p.R1, q.H[1])
	l.XORL(q.H[2].As32(), q.H[2].As32())
	var power [4][3]vec.Reg // r, r^2, r^3, r^4 in the end
	x := l.As(vec.Width{Bytes: 16, Encoding: vec.VEX})
	for i := range power {
		for j := range power[i] {
			power[i][j] = x.Reg(3*i + j)
			x.Zero(power[i][j])
		}
	}
	put := func() {
		for j, h := range q.H {
			l.VMOVQ(h, power[3][j])
		}
	}
	put()
	count := l.ArgAddr("aad")
	l.MOVQ(operand.I32(3), count)
	l.Loop(emit.NotZero, func() {
		q.Times()
		q.Fold(func() {})
		for i := range 3 {
			for j := range 3 {
				x.Move(power[i+1][j], power[i][j])
			}
		}
		put()
		l.DECQ(count)
	})
	var lane [3]vec.Reg
	for j := range lane {
		lane[j] = l.Reg(9 + j)
		l.VPUNPCKLQDQ(power[1][j], power[3][j], power[3][j])
		l.VPUNPCKLQDQ(power[0][j], power[2][j], power[2][j])
		l.VINSERTI128(operand.Imm(1), power[2][j], lane[j], lane[j])
	}
	l.Move(lane[0], l.low)
	l.Move(lane[1], l.high)
	l.ShiftLeftQ(24, lane[2], lane[2])
	for i := range 5 {
		x, five, all := l.Reg(0), l.Reg(1), l.Reg(2)
		l.limb(i, x, five)
		if i == 4 {
			l.AddQ(lane[2], x, x)
		}
		put := func(x vec.Reg, at int) {
			l.Store(x, l.another.Offset(32*at))
			l.VPBROADCASTQ(x.AsX(), all)
			l.Store(all, l.fourth.Offset(32*at))
		}
		put(x, i)
		if i > 0 {
			l.ShiftLeftQ(2, x, five)
			l.AddQ(x, five, five)
			put(five, 4+i)
		}
	}
}

// first sets h to the first four blocks, with the sum so far added to the first of them.
func (l *lanes) first(p *Sum) {
	p.Plus(operand.Mem{Base: p.Next}, operand.Mem{Base: p.Next, Disp: 8})
	l.Load(operand.Mem{Base: p.Next}, l.low)
	l.Load(operand.Mem{Base: p.Next, Disp: 32}, l.high)
	x := l.tmp[0]
	l.VMOVQ(p.H[0], x.AsX())
	l.VPINSRQ(operand.Imm(1), p.H[1], x.AsX(), x.AsX())
	l.VPBLENDD(operand.Imm(0x0f), x, l.low, l.low)
	l.unpack()
	l.ADDQ(operand.Imm(64), p.Next)
	for i, h := range l.h {
		l.limb(i, h, l.tmp[0])
	}
	l.SHLQ(operand.Imm(24), p.H[2])
	l.VMOVQ(p.H[2], x.AsX())
	l.VPBLENDD(operand.Imm(0x03), x, l.bit, x)
	l.AddQ(x, l.h[4], l.h[4])
}

// multiply sets the columns to h times the power at an address. It takes the limbs as carry makes them.
func (l *lanes) multiply(by reg.GPVirtual) {
	for turn, i := range []int{2, 0, 3, 1, 4} {
		for k, c := range l.column {
			at := k - i
			if at < 0 {
				at += 5 + 4
			}
			m := operand.Mem{Base: by, Disp: 32 * at}
			if turn == 0 {
				l.VPMULUDQ(m, l.h[i], c)
				continue
			}
			t := l.tmp[k%2]
			l.VPMULUDQ(m, l.h[i], t)
			l.AddQ(t, c, c)
		}
	}
}

// carry makes h of the columns, in two chains at a time. What a column has above 26 bits is below 2^33, and five times
// that into the first one below 2^35, so that its second carry is below 2^10.
func (l *lanes) carry() {
	c, t, u := l.column, l.tmp[0], l.low
	up := func(i int, dst, t vec.Reg) { // from column i, of which dst is what is left
		l.ShiftRightQ(26, c[i], t)
		l.And(l.mask, c[i], dst)
		if i == 4 {
			l.AddQ(t, c[0], c[0])
			l.ShiftLeftQ(2, t, t)
		}
	}
	add := func(t vec.Reg, i int, dst vec.Reg) { l.AddQ(t, c[i], dst) }
	up(0, c[0], t)
	up(3, c[3], u)
	add(t, 1, c[1])
	add(u, 4, c[4])
	up(1, c[1], t)
	up(4, c[4], u)
	add(t, 2, c[2])
	add(u, 0, c[0])
	up(2, l.h[2], t)
	up(0, l.h[0], u)
	add(t, 3, c[3])
	add(u, 1, l.h[1])
	up(3, l.h[3], t)
	add(t, 4, l.h[4])
}

// total makes the sum in p of the lanes of the columns.
func (l *lanes) total(p *Sum) {
	var d [5]reg.GPVirtual
	for i, c := range l.column {
		x, t := c.AsX(), l.tmp[i%2].AsX()
		l.VEXTRACTI128(operand.Imm(1), c, t)
		l.VPADDQ(t, x, x)
		l.VPSRLDQ(operand.Imm(8), x, t)
		l.VPADDQ(t, x, x)
		d[i] = l.GP64()
		l.VMOVQ(x, d[i])
	}
	t := l.GP64()
	for i := range 4 {
		l.MOVQ(d[i], t)
		l.SHRQ(operand.Imm(26), t)
		l.ADDQ(t, d[i+1])
		l.ANDL(operand.U32(1<<26-1), d[i].As32())
	}
	l.SHLQ(operand.Imm(26), d[1])
	l.ORQ(d[1], d[0])
	l.MOVQ(d[2], p.H[0])
	l.SHLQ(operand.Imm(52), p.H[0])
	l.ORQ(d[0], p.H[0])
	l.SHRQ(operand.Imm(12), d[2])
	l.SHLQ(operand.Imm(14), d[3])
	l.ORQ(d[2], d[3])
	l.MOVQ(d[4], p.H[1])
	l.SHLQ(operand.Imm(40), p.H[1])
	l.ORQ(d[3], p.H[1])
	l.MOVQ(d[4], p.H[2])
	l.SHRQ(operand.Imm(24), p.H[2])
}
