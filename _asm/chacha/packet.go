package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/chacha20"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/lint"
	"kcrypto/_asm/poly1305"
	"kcrypto/_asm/vec"
)

// packet emits packetIFMA(c, dst, src, n, nonce, aad, aadN, tag, open): ChaCha20-Poly1305 of 193 to 512 bytes in one
// call.
//
// The block that keys Poly1305 is in general registers, beside four blocks of text in rows or eight wide ones, whose
// rounds leave those idle. Nothing hides the sum: from the key to the tag everything is one chain of dependent
// instructions. It is short with four lanes in YMM: the first powers of r are had early, r^2 from general registers
// (13.5 cycles, against 22 for a multiplication in vector registers). Eight blocks then take 32 cycles, in which two
// times 18 multiplications run.
//
// In cycles on Zen 4, from call to return through the public API, 574 for 256 bytes and 727 for 512. Of 256 bytes, the
// rounds take 320, powers and additional data 73, the sum and what is left of the text 84, the lengths and the tag 18.
// In steps of four blocks, with powers up to r^4 alone, it was 19 more for 256 bytes and 41 more for 512, for 0.8 KB
// less.
//
//	Y0-15   ChaCha, and then the blocks of keystream
//	Y16-31  as poly1305.IFMA has them
type packet struct {
	*poly1305.IFMA
	y      *chacha20.ChaCha
	key    *chacha20.Scalar
	poly   *poly1305.Sum
	blocks []vec.Reg
	full   int         // blocks that the shortest text fills
	row    operand.Mem // row d of the input
	s      operand.Mem // what is added to the sum at the end
	powers operand.Mem // r^8 in all lanes, r^4 in all lanes, r^8 to r^5, r^4 to r
	count  operand.Mem // rounds to do, before there are powers
}

// numberSize is five limbs for each of four lanes.
const numberSize = 5 * 32

func packetIFMA(c *emit.Ctx) {
	f := poly1305.NewIFMA(c)
	p := &packet{IFMA: f.View(vec.YMMEVEX), poly: &poly1305.Sum{V: f.V, H: [3]reg.GPVirtual{f.GP64(), f.GP64(), f.GP64()}}}
	p.y = &chacha20.ChaCha{V: p.As(vec.YMMEVEX)}
	p.Expect("packetMax", 8*64) // what wide makes
	p.full = p.Const("packetMin") / 64
	p.powers, p.s, p.row = p.AllocLocal(4*numberSize), p.AllocLocal(16), p.AllocLocal(16)
	p.key, p.count = chacha20.NewScalar(p.V, p.powers, chacha20.TwoWords), p.powers.Offset(64)
	x := p.y.Xmm()
	x.NonceRow(x.Range(0, 3))
	x.Store(x.Reg(0), p.row)
	p.input()
	p.CMPQ(p.ArgAddr("n"), operand.U32(256))
	p.IfElse(emit.NotAbove, p.inRows, func() {
		p.input()
		p.wide()
	})
	p.keyed()
	p.makePowers()
	p.additional()
	p.direction()
	p.poly.Plus(p.ArgAddr("aadN"), p.ArgAddr("n"))
	p.poly.Times()
	p.poly.Tag(p.s, p.Arg("tag"))
	x.Zero(x.Reg(0))
	x.Store(x.Reg(0), p.s)
	p.Return()
}

// input makes in the rows of the input.
func (p *packet) input() { p.y.StreamInput(p.row) }

// inRows makes four blocks of keystream.
func (p *packet) inRows() {
	gs := p.y.Groups(2, 0, 1)
	p.blocks = []vec.Reg{vec.ZMM.Reg(1), vec.ZMM.Reg(3), vec.ZMM.Reg(5), vec.ZMM.Reg(7)}
	p.y.LoadRows(gs)
	p.rounds(func(s *vec.Steps) { p.y.RowRounds(s, gs) })
	p.input()
	p.y.FinishRows(gs, p.y.Reg(31))
	for _, r := range []int{10, 15, 12, 13} {
		p.Zero(p.Reg(r))
	}
}

// wide makes eight blocks. The order of the registers makes the first four those of inRows.
func (p *packet) wide() {
	order := []int{0, 2, 1, 4, 5, 7, 6, 3, 8, 9, 10, 11, 12, 13, 14, 15}
	words := make([]vec.Reg, 16)
	for i, r := range order {
		words[i] = p.y.Reg(r)
	}
	p.y.LoadWide(words, 1)
	p.rounds(func(s *vec.Steps) { p.y.WideRounds(s, words) })
	p.VPADDD_BCST(p.Constant("one", 1), words[12], words[12]) // the counter's start, which FinishWide takes for 0
	p.input()
	blocks := p.y.FinishWide(words, p.y.Reg(31))
	for i, b := range p.blocks {
		if blocks[i] != b {
			panic("packet: the blocks come out elsewhere")
		}
	}
	p.blocks = blocks
}

// rounds emits all rounds of the text, of which text gives two, and of the block for the key.
func (p *packet) rounds(text func(s *vec.Steps)) {
	p.key.Begin(p.y, nil)
	p.MOVQ(operand.I32(20), p.count)
	p.y.LoopRounds(p.count, func() {
		var work vec.Steps
		text(&work)
		key := p.key.TwoRounds()
		for places := len(work); places > 0; places-- {
			work.Next(1)
			key.Share(places)
		}
	})
	p.Allow(lint.Secret, "the number of rounds is public, though row d lies in the frame, too")
}

// keyed takes the key out of its block: r into registers, s into memory.
func (p *packet) keyed() {
	p.input()
	word := func(i int) reg.GPVirtual { return p.key.Words[i].(reg.GPVirtual) }
	for i := range 8 {
		p.ADDL(p.y.Word(i), word(i))
	}
	for i := range 4 {
		p.MOVL(word(4+i), p.s.Offset(4*i))
	}
	var r [2]reg.GPVirtual
	for i, clamp := range []uint64{0x0ffffffc0fffffff, 0x0ffffffc0ffffffc} {
		low, mask := word(2*i).As64(), p.GP64()
		r[i] = word(2*i + 1).As64().(reg.GPVirtual)
		p.SHLQ(operand.Imm(32), r[i])
		p.ORQ(low, r[i])
		p.MOVQ(operand.U64(clamp), mask)
		p.ANDQ(mask, r[i])
	}
	p.poly.SetR(r[0], r[1])
}

// additional adds the additional data, up to 255 bytes, in general registers.
func (p *packet) additional() {
	aad, n := p.Arg("aad"), p.Arg("aadN")
	x := p.As(vec.XMMEVEX)
	for _, h := range p.poly.H {
		p.XORL(h.As32(), h.As32())
	}
	block := x.View(p.Tmp[0])
	p.TESTQ(n, n)
	p.If(emit.NotZero, func() {
		p.Loop(emit.Above, func() {
			p.Mask(n, reg.K1)
			p.LoadMasked(operand.Mem{Base: aad}, reg.K1, block)
			p.VMOVQ(block, reg.RAX)
			p.VPEXTRQ(operand.Imm(1), block, reg.RDX)
			p.poly.Plus(reg.RAX, reg.RDX)
			p.poly.Times()
			p.ADDQ(operand.Imm(16), aad)
			p.SUBQ(operand.Imm(16), n)
		})
		p.poly.Fold(func() {})
	})
}

// makePowers leaves the powers in the frame, in the order in which load has blocks. With r^2 from general registers,
//
//	r^4 r^2 r^3 r     = (r^2 r^2 r r) * (r^2 1 r^2 1)
//	r^8 r^6 r^7 r^5   = (r^4 r^2 r^3 r) * r^4
func (p *packet) makePowers() {
	h, zero := p.poly.H, p.GP64()
	p.XORL(zero.As32(), zero.As32())
	p.MOVQ(p.poly.R0, h[0])
	p.MOVQ(p.poly.R1, h[1])
	p.MOVQ(zero, h[2])
	p.poly.Times()
	p.poly.Fold(func() {})
	square := p.SplitLimbs(h)
	p.MOVQ(p.poly.R0, h[0])
	p.MOVQ(p.poly.R1, h[1])
	p.MOVQ(zero, h[2])
	r := p.SplitLimbs(h)
	p.SetLanes(0b1100, reg.K1)
	p.SetLanes(0b0101, reg.K2)
	by := [3]vec.Reg{p.BlockLimbs[0], p.Tmp[1], p.Tmp[2]}
	p.VPBROADCASTQ(p.Constant("one", 1), by[0])
	for i, h := range p.H {
		p.VPBROADCASTQ(square[i], h)
		p.VPBROADCASTQ(r[i], reg.K1, h)
		if i == 0 {
			p.VPBROADCASTQ(square[i], reg.K2, by[i])
		} else {
			p.VPBROADCASTQ_Z(square[i], reg.K2, by[i])
		}
	}
	p.Multiply(p.H, by)
	p.StorePower(p.H, p.number(p.powers.Offset(3*numberSize)))
	four := p.number(p.powers.Offset(numberSize))
	for i, h := range p.H {
		p.VPBROADCASTQ(h.AsX(), by[i])
		p.Store(by[i], four.B[i].(operand.Mem))
	}
	p.Multiply(p.H, by)
	for i := 1; i < 3; i++ {
		p.Store(p.BlockLimbs[i], four.S[i].(operand.Mem)) // multiply has taken these limbs 20 times
	}
	p.StorePower(p.H, p.number(p.powers.Offset(2*numberSize)))
	for _, h := range p.H {
		p.VPBROADCASTQ(h.AsX(), h)
	}
	p.StorePower(p.H, p.number(p.powers))
}

// number is where five limbs for each lane are.
func (p *packet) number(m operand.Mem) poly1305.Power {
	at := func(i int) operand.Mem { return m.Offset(32 * i) }
	return poly1305.Power{B: [3]operand.Op{at(0), at(1), at(2)}, S: [3]operand.Op{nil, at(3), at(4)}}
}

// loadPower loads the power at m, as far as the temporaries go: eighteen operands in memory, of which every
// other one lies in two cache lines, would be too much to load in a step.
func (p *packet) loadPower(m operand.Mem) poly1305.Power {
	by := p.number(m)
	load := func(x *operand.Op, r vec.Reg) {
		from := (*x).(operand.Mem)
		p.Load(from, r)
		*x = r
	}
	for i := range by.B {
		load(&by.B[i], p.Tmp[i])
	}
	load(&by.S[2], p.Tmp[3])
	return by
}

// direction emits what is done with the text, and its sum, in the order that suits the direction.
func (p *packet) direction() {
	output := p.NewLabel("output") // when opening, it comes after the sum
	open := p.ArgAddr("open")
	p.Next = p.Arg("src")
	p.Block(func(tag emit.Exit) {
		p.CMPB(open, operand.Imm(0))
		p.If(emit.Equal, func() {
			p.MOVQ(p.ArgAddr("dst"), p.Next)
			p.Place(output)
			p.output()
			p.CMPB(open, operand.Imm(0))
			tag(emit.NotEqual)
		})
		p.sum()
		p.CMPB(open, operand.Imm(0))
		p.JNE(output)
	})
}

// sum adds the text at p, eight blocks at a time, and leaves the sum in general registers: h = (h + a)*r^8 + b*r^4,
// where a and b are four blocks each, and the last time lane by lane
//
//	(h + a) * (r^8, ... r^5) + b * (r^4, ... r)    or, with four left,    (h + a) * (r^4, ... r)
//
// The first four may lack some in front: those lanes stay 0.
func (p *packet) sum() {
	missing, present, inA, inB := p.GP64(), p.GP64(), p.GP64(), p.GP64()
	left, by := p.Arg("n"), p.GP64()
	p.MOVL(left.As32(), missing.As32())
	p.NEGL(missing.As32())
	p.ANDL(operand.Imm(0x30), missing.As32())
	p.SUBQ(missing, p.Next)
	p.ADDQ(missing, left)
	p.MOVQ(operand.I32(-1), inB)
	p.SHLXQ(missing, inB, inA)
	// Sixteen bits for each number of blocks that are missing: the lanes that have one, and the lane of the first.
	p.MOVQ(operand.U64(0x0808020a040e010f), present)
	p.SHRXQ(missing, present, present)
	p.KMOVW(present.As32(), reg.K3)
	p.SHRL(operand.Imm(8), present.As32())
	p.KMOVW(present.As32(), reg.K1)
	for i, l := range p.SplitLimbs(p.poly.H) {
		p.VPBROADCASTQ_Z(l, reg.K1, p.H[i])
	}
	p.LEAQ(p.powers, by)
	p.Allow(lint.Secret, "where the frame lies is public")
	p.Align(32)
	p.Loop(emit.Greater, func() {
		p.Block(func(more emit.Exit) {
			p.CMPQ(left, operand.U32(128))
			more(emit.Above)
			p.ADDQ(operand.U32(2*numberSize), by)
			p.SUBQ(operand.Imm(64), left)
			p.BZHIQ(left, inB, inB)
			p.ADDQ(operand.Imm(64), left)
			p.CMPQ(left, operand.Imm(64))
			more(emit.Above)
			p.ADDQ(operand.U32(numberSize), by)
			p.BZHIQ(left, inA, inA)
		})
		p.addEight(left, by, inA, inB)
		p.MOVQ(operand.I32(-1), inA)
		p.MOVQ(inA, inB)
		p.KMOVW(inA.As32(), reg.K3)
		p.SUBQ(operand.I8(-128), p.Next)
		p.ADDQ(operand.I8(-128), left)
		p.CMPQ(left, operand.Imm(0))
	})
	p.wipe()
	for i, h := range p.total() {
		p.MOVQ(h, p.poly.H[i])
	}
}

// addEight adds four blocks, or eight if so much is left, with the powers from by on. inA and inB have a bit for each
// byte that is there.
func (p *packet) addEight(left, by, inA, inB reg.GPVirtual) {
	p.ClearColumns()
	p.CMPQ(left, operand.Imm(64))
	p.If(emit.Above, func() {
		p.load(64, inB)
		p.VPORQ_BCST(p.Bit40(), p.BlockLimbs[2], p.BlockLimbs[2]) // 2^128
		p.AddProducts(p.BlockLimbs, p.loadPower(operand.Mem{Base: by, Disp: numberSize}))
	})
	p.load(0, inA)
	p.VPORQ_BCST(p.Bit40(), p.BlockLimbs[2], reg.K3, p.BlockLimbs[2])
	p.AddBlocks(p.BlockLimbs)
	p.AddProducts(p.H, p.loadPower(operand.Mem{Base: by}))
	p.Carry()
}

// wipe clears the powers. Here it is in the shadow of what is left to do.
func (p *packet) wipe() {
	zero := vec.ZMM.View(p.Tmp[0])
	p.Zero(zero)
	for i := 0; i < 4*numberSize; i += 64 {
		p.Store(zero, p.powers.Offset(i))
	}
}

// load loads four blocks at byte at from p on, as limbs to block: lanes 0 to 3 get blocks 0, 2, 1 and 3. some
// has a bit for each byte that is there.
func (p *packet) load(at int, some reg.GPVirtual) {
	a, b, x := p.Tmp[0], p.Tmp[1], p.BlockLimbs
	p.KMOVQ(some, reg.K1)
	p.SHRQ(operand.Imm(32), some)
	p.KMOVQ(some, reg.K2)
	p.LoadMasked(operand.Mem{Base: p.Next, Disp: at}, reg.K1, a)
	p.LoadMasked(operand.Mem{Base: p.Next, Disp: at + 32}, reg.K2, b)
	p.VPUNPCKLQDQ(b, a, x[0])
	p.VPUNPCKHQDQ(b, a, x[2])
	p.Limbs(x)
}

// total sums up the lanes of h.
func (p *packet) total() [3]reg.GPVirtual {
	var l [3]reg.GPVirtual
	for i, r := range p.H {
		x, t := r.AsX(), p.Tmp[i].AsX()
		p.VEXTRACTI64X2(operand.Imm(1), r, t)
		p.VPADDQ(t, x, x)
		p.VPSHUFD(operand.Imm(0x4e), x, t)
		p.VPADDQ(t, x, x)
		l[i] = p.GP64()
		p.VMOVQ(x, l[i])
	}
	return p.JoinLimbs(l)
}

// output XORs the blocks into the text.
func (p *packet) output() {
	dst, src, n, before := p.Arg("dst"), p.Arg("src"), p.Arg("n"), p.GP64()
	z := p.As(vec.ZMM)
	text, last := z.Reg(30), z.Reg(31)
	p.Block(func(done emit.Exit) {
		p.Block(func(end emit.Exit) {
			for i, b := range p.blocks {
				if i >= p.full {
					p.CMPQ(n, operand.U32(64*(i+1)))
					p.Cold(emit.Below, func() {
						z.Move(b, last)
						p.MOVL(operand.U32(64*i), before.As32())
						end(emit.Always)
					})
				}
				z.Xor(operand.Mem{Base: src, Disp: 64 * i}, b, b)
				z.Store(b, operand.Mem{Base: dst, Disp: 64 * i})
			}
			done(emit.Always)
			p.EmitCold()
		})
		p.SUBQ(before, n)
		done(emit.Equal)
		p.Mask(n, reg.K1)
		z.LoadMasked(operand.Mem{Base: src, Index: before, Scale: 1}, reg.K1, text)
		z.Xor(text, last, last)
		z.StoreMasked(last, reg.K1, operand.Mem{Base: dst, Index: before, Scale: 1})
	})
}
