package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/vec"
)

// wide is how many registers of counters the loop encrypts at once.
const wide = 8

// body is one function while it is made.
type body struct {
	vec.V
	xctr bool

	// Arguments.
	dst, src, left reg.GPVirtual // addresses; bytes left
	iv             reg.GPVirtual // address
	block          operand.Mem   // number of the first block
	enc            reg.GPVirtual // address of the round keys
	rounds         reg.GPVirtual // 10, 12 or 14

	// State. Vector registers by number; all others are temporaries or, under EVEX from 19 on, round keys.
	next  vec.Reg       // 9: the next counter, in every block; see counter.go
	white vec.Reg       // 10: what is XORed into a counter before the first round
	room  reg.GPVirtual // ctr: how many blocks may come before the counter's lowest byte runs over, less one
	keys  *aesni.Keys

	// Temporaries.
	data  []vec.Reg // 0 to 7: counters, then the output
	tmp   vec.Reg   // 8: input on its way into data; EVEX: also a round key on its way from memory
	key   vec.Reg   // 11: SSE and VEX: a round key on its way from memory
	ahead []vec.Reg // 11 to 18: EVEX: the counters of the next pass

	cold []func() // code that seldom runs, to be put behind the rest
}

// newBody names the registers and loads the arguments.
func newBody(v vec.V, xctr bool) *body {
	b := &body{V: v, xctr: xctr, data: v.Range(0, wide), tmp: v.Reg(8), next: v.Reg(9), white: v.Reg(10)}
	if v.Encoding == vec.EVEX {
		b.ahead = v.Range(11, wide)
	} else {
		b.key = v.Reg(11)
	}
	k := v.Dereference(v.Param("k"))
	enc, err := k.Field("enc").Index(0).Resolve()
	if err != nil {
		panic(err)
	}
	block, err := v.Param("block").Resolve()
	if err != nil {
		panic(err)
	}
	b.block = block.Addr
	b.iv, b.left = v.Arg("iv"), v.Arg("n")
	b.enc, b.rounds = v.GP64(), v.GP32()
	v.LEAQ(enc.Addr, b.enc)
	v.Ctx.Load(k.Field("rounds"), b.rounds)
	b.dst, b.src = v.Arg("dst"), v.Arg("src")
	return b
}

// xmm emits for single blocks in this function's encoding.
func (b *body) xmm() vec.V {
	return b.As(map[vec.Encoding]vec.Width{vec.Legacy: vec.SSE, vec.VEX: vec.XMM, vec.EVEX: vec.XMMEVEX}[b.Encoding])
}

func (b *body) in(i int) operand.Mem  { return operand.Mem{Base: b.src, Disp: i * b.Bytes} }
func (b *body) out(i int) operand.Mem { return operand.Mem{Base: b.dst, Disp: i * b.Bytes} }

// pass encrypts the counters in x, XORs that with whole vectors of input, and moves on. It loads all of them before it
// stores the first, so that dst may be src. Clobbers tmp, key.
func (b *body) pass(x []vec.Reg, steps *vec.Steps) {
	b.keys.Encrypt(x, steps)
	b.lastRound(x, b.keys.Last(len(x)+1))
	for i, r := range x {
		b.Store(r, b.out(i))
	}
	b.ADDQ(operand.U32(uint32(len(x)*b.Bytes)), b.src)
	b.ADDQ(operand.U32(uint32(len(x)*b.Bytes)), b.dst)
}

// lastRound is the last round on x, and the XOR with input: the last thing that AESENCLAST does is to XOR a key, so
// the input goes into the key beforehand, beside the rounds. Clobbers tmp.
func (b *body) lastRound(x []vec.Reg, key operand.Op) {
	for i, r := range x {
		if b.Encoding == vec.Legacy { // whose memory operands must be aligned
			b.Load(b.in(i), b.tmp)
			b.Xor(key, b.tmp, b.tmp)
		} else {
			b.Xor(b.in(i), key.(vec.Reg), b.tmp)
		}
		b.AESEncLast(b.tmp, r, r)
	}
}

// oneBlock is the rest of the function for a message of one block or less: round keys come straight from memory, and
// nothing is made ready for more.
func (b *body) oneBlock() {
	v, x, tmp := b.xmm(), vec.XMM.Reg(0), vec.XMM.Reg(1)
	b.loadIV(v, x, tmp)
	if b.xctr {
		b.loadNumber(v, tmp)
		v.AddQ(b.Data("one", 1, 0), tmp, tmp)
		v.Xor(tmp, x, x)
	} else {
		b.toFirstBlock(v, x, tmp)
	}
	v.Xor(operand.Mem{Base: b.enc}, x, x)
	keys := aesni.NewKeys(v, b.enc, b.rounds, vec.XMM.View(b.tmp))
	keys.Encrypt([]vec.Reg{x}, nil)
	if b.Encoding == vec.EVEX {
		b.maskedVector(v, x, tmp, keys.Last(1), 0)
		v.Return()
		return
	}
	keys.EncryptLast(x)
	part := b.NewLabel("part")
	b.CMPQ(b.left, operand.Imm(16))
	b.JNE(part)
	v.Xor(b.in(0), x, x)
	v.Store(x, b.out(0))
	v.Return()
	b.Place(part)
	b.xorPart(v, x, tmp)
	v.Return()
}
