package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/chacha20"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/poly1305"
	"kcrypto/_asm/vec"
)

// short emits all of ChaCha20-Poly1305 for a short message, with AVX-512.
//
// What Poly1305 adds up is laid out in the frame in whole blocks: additional data, ciphertext, the two lengths. Each is
// stored in registers of 64 bytes, zeros behind, and what comes later covers the zeros of what came before. So there is
// one loop, without parts of blocks. What the rounds do not need comes behind them, so that they begin early, and in
// their shadow.
//
//	Y0-3    rows of the key's block and the first block of text
//	Y4-7    rows of the second and third block of text
//	Y8, Y9  temporaries
//	Y10-13  rows of the input
//	Z14-16  text
//	X17     r
//	K1-3    which bytes of a block are text
type short struct {
	*chacha20.ChaCha                  // in YMM
	input            []vec.Reg        // rows of the input, for two blocks
	text             []vec.Reg        // the text's blocks
	masks            []reg.Register   // which of their bytes are there
	n                reg.GPVirtual    // the text's bytes
	sum              reg.GPVirtual    // address of what Poly1305 adds up, in whole blocks
	r                [2]reg.GPVirtual // what Poly1305 multiplies by
	at               reg.GPVirtual    // address in that of the text
}

func newShort(c *emit.Ctx) *short {
	y := chacha20.New(vec.V{Ctx: c, Width: vec.YMMEVEX})
	return &short{
		ChaCha: y,
		input:  y.Range(10, 4),
		text:   vec.ZMM.Range(14, 3),
		masks:  []reg.Register{reg.K1, reg.K2, reg.K3},
	}
}

// emit emits shortAVX512(c, dst, src, n, nonce, aad, aadN, tag, open).
func (s *short) emit() {
	s.Expect("shortText", 3*64) // blocks of text; what is here, for three registers
	s.Expect("shortAAD", 64)    // one register
	frame := s.AllocLocal(s.Const("shortAAD") + s.Const("shortText") + 16)
	s.sum, s.at = s.GP64(), s.GP64()
	s.LEAQ(frame, s.sum)
	s.r = [2]reg.GPVirtual{s.GP64(), s.GP64()}
	s.load()
	s.n = s.Arg("n")
	add := s.NewLabel("add") // put goes there when opening, past its end
	one, two := s.Groups(1, 0, 0), s.Groups(2, 0, 0)
	one[0].Tmp, one[0].Tmp2 = s.Reg(8), s.Reg(9)
	s.CMPQ(s.n, operand.Imm(64))
	s.ColdElse(emit.Above, func() {
		s.run(two)
		s.additional()
		s.take(3)
		s.put(s.To(add), append([]vec.Reg{s.finish(two[0])}, s.finishMore(two[1])...)...)
	}, func() {
		s.run(one)
		s.additional()
		s.take(1)
		s.put(s.To(add), s.finish(one[0]))
	})
	s.Place(add)
	s.authenticate(one[0].B)
	s.Return()
}

// load makes the input: constants, key, and the nonce.
func (s *short) load() {
	s.StreamInput(operand.Mem{})
	for i := range 3 {
		s.Broadcast(s.In[i], s.input[i])
	}
	x := s.Xmm()
	w := x.Range(0, 3)
	x.NonceRow(w)
	d := s.input[3]
	s.Spread(w[0], d)
	s.AddD(s.Numbers("rows", 0, 4), d, d)
}

// additional puts the additional data where it is added up, with zeros behind, and sets at to where its last block
// ends.
func (s *short) additional() {
	n, aad := s.Arg("aadN"), s.Arg("aad")
	s.TESTQ(n, n)
	s.CMOVQEQ(s.sum, aad)
	z := s.As(vec.ZMM)
	z.Mask(n, reg.K1)
	z.LoadMasked(operand.Mem{Base: aad}, reg.K1, z.Reg(8))
	z.Store(z.Reg(8), operand.Mem{Base: s.sum})
	s.ADDQ(operand.Imm(15), n)
	s.ANDQ(operand.I8(-16), n)
	s.LEAQ(operand.Mem{Base: s.sum, Index: n, Scale: 1}, s.at)
}

// block is the address of block i of the text, or of some other memory if the text ends before.
func (s *short) block(text string, i int) operand.Mem {
	at := s.Arg(text)
	if i == 0 {
		s.TESTQ(s.n, s.n)
	} else {
		s.ADDQ(operand.U32(uint32(64*i)), at)
		s.CMPQ(s.n, operand.U32(uint32(64*i)))
	}
	s.CMOVQLS(s.sum, at)
	return operand.Mem{Base: at}
}

// take loads the first blocks of the text and puts them where they are added up.
func (s *short) take(blocks int) {
	z, left, none := s.As(vec.ZMM), s.GP64(), s.GP64()
	for i := range blocks {
		s.MOVQ(s.n, left)
		if i > 0 {
			s.XORL(none.As32(), none.As32())
			s.SUBQ(operand.U32(uint32(64*i)), left)
			s.CMOVQCS(none, left)
		}
		z.Mask(left, s.masks[i])
		z.LoadMasked(s.block("src", i), s.masks[i], s.text[i])
		z.Store(s.text[i], operand.Mem{Base: s.at, Disp: 64 * i})
	}
}

// run computes groups, all but the addition of the input.
func (s *short) run(gs []chacha20.Group) {
	for _, g := range gs {
		for i := range s.input {
			s.Move(s.input[i], g.Row(i))
		}
	}
	if len(gs) > 1 {
		s.AddD(s.two(), s.input[3], gs[1].D)
	}
	count := s.GP64()
	s.MOVQ(operand.U32(20), count)
	s.LoopRounds(count, func() {
		var steps vec.Steps
		s.RowRounds(&steps, gs)
		steps.Rest()
	})
}

// addInput adds the input to a group.
func (s *short) addInput(g chacha20.Group) {
	for i, in := range s.input {
		s.AddD(in, g.Row(i), g.Row(i))
	}
}

// finish adds the input to the first group and returns the block of text. The key's stays in the low halves of the
// rows, and r is taken from it first: everything else in Poly1305 waits for it.
func (s *short) finish(g chacha20.Group) vec.Reg {
	s.addInput(g)
	x := s.Xmm()
	r := x.Reg(17)
	x.And(s.Data("clamp", 0x0ffffffc0fffffff, 0x0ffffffc0ffffffc), x.View(g.A), r)
	s.words(r, s.r)
	ab, cd := vec.ZMM.Reg(8), vec.ZMM.Reg(9)
	s.VINSERTI64X4(operand.U8(1), g.B, vec.ZMM.View(g.A), ab)
	s.VINSERTI64X4(operand.U8(1), g.D, vec.ZMM.View(g.C), cd)
	s.VSHUFI32X4(operand.U8(0xdd), cd, ab, ab)
	return ab
}

// finishMore adds the input to the second group and returns its blocks.
func (s *short) finishMore(g chacha20.Group) []vec.Reg {
	s.addInput(g)
	s.AddD(s.two(), g.D, g.D)
	return s.JoinLanes([4]vec.Reg{g.A, g.B, g.C, g.D})
}

// two is by how much the second group's counters are ahead of the first's.
func (s *short) two() operand.Mem { return s.Every("two", 2, 0) }

// put XORs blocks into the text. Of what is sealed, it puts the outcome where it is added up.
func (s *short) put(opening emit.Exit, blocks ...vec.Reg) {
	z := s.As(vec.ZMM)
	for i, b := range blocks {
		z.Xor(s.text[i], b, b)
		z.StoreMasked(b, s.masks[i], s.block("dst", i))
	}
	s.CMPB(s.ArgAddr("open"), operand.Imm(0))
	opening(emit.NotEqual)
	for i, b := range blocks {
		s.VMOVDQU8_Z(b, s.masks[i], b)
		z.Store(b, operand.Mem{Base: s.at, Disp: 64 * i})
	}
}

// authenticate adds up under the key whose second half a row begins with, and stores or compares the tag.
func (s *short) authenticate(b vec.Reg) {
	p := &poly1305.Sum{V: s.V, Next: s.sum}
	p.SetR(s.r[0], s.r[1])
	for i := range p.H {
		p.H[i] = s.GP64()
		s.XORL(p.H[i].As32(), p.H[i].As32())
	}
	end, n := s.at, s.GP64()
	s.LEAQ(operand.Mem{Base: s.n, Disp: 15}, n)
	s.ANDQ(operand.I8(-16), n)
	s.ADDQ(n, end)
	s.MOVQ(s.ArgAddr("aadN"), n)
	s.MOVQ(n, operand.Mem{Base: end})
	s.MOVQ(s.n, operand.Mem{Base: end, Disp: 8})
	s.Align(64)
	s.Loop(emit.NotAbove, func() {
		p.AddBlock()
		s.CMPQ(p.Next, end)
	})

	pad := [2]reg.GPVirtual{s.GP64(), s.GP64()}
	s.words(s.Xmm().View(b), pad)
	p.Reduce()
	s.ADDQ(pad[0], p.H[0])
	s.ADCQ(pad[1], p.H[1])
	tag := s.Arg("tag")
	s.CMPB(s.ArgAddr("open"), operand.Imm(0))
	s.If(emit.Equal, func() {
		s.MOVQ(p.H[0], operand.Mem{Base: tag})
		s.MOVQ(p.H[1], operand.Mem{Base: tag, Disp: 8})
		s.Return()
	})
	s.XORQ(operand.Mem{Base: tag}, p.H[0])
	s.XORQ(operand.Mem{Base: tag, Disp: 8}, p.H[1])
	s.ORQ(p.H[1], p.H[0])
	s.MOVQ(p.H[0], s.Addr(s.Context.Return("diff")))
}

// words copies the two words of an XMM register.
func (s *short) words(x vec.Reg, to [2]reg.GPVirtual) {
	s.VMOVQ(x, to[0])
	s.VPEXTRQ(operand.Imm(1), x, to[1])
}
