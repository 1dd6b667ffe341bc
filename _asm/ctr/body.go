package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
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
	enc            reg.Register  // address of the round keys
	rounds         reg.GPVirtual // 10, 12 or 14

	// State. Vector registers by number; all others are temporaries or, under EVEX from 19 on, round keys.
	next     vec.Reg       // 9: the next counter, in every block; see counter.go
	white    vec.Reg       // 10: what is XORed into a counter before the first round
	capacity reg.GPVirtual // ctr: how many blocks may come before the counter's lowest byte runs over, less one
	keys     *aesni.Keys

	// Temporaries.
	data  []vec.Reg // 0 to 7: counters, then the output
	tmp   vec.Reg   // 8: input on its way into data; EVEX: also a round key on its way from memory
	key   vec.Reg   // 11: SSE and VEX: a round key on its way from memory
	ahead []vec.Reg // 11 to 18: EVEX: the counters of the next pass
}

// newBody names the registers and loads the arguments.
func newBody(v vec.V, xctr bool) *body {
	b := &body{V: v, xctr: xctr, data: v.Range(0, wide), tmp: v.Reg(8), next: v.Reg(9), white: v.Reg(10)}
	if v.Encoding == vec.EVEX {
		b.ahead = v.Range(11, wide)
	} else {
		b.key = v.Reg(11)
	}
	v.Expect("loopBytes", wide*vec.ZMM.Bytes)
	k := v.Dereference(v.Param("k")).Field("Schedule")
	enc := v.Addr(k.Field("enc").Index(0))
	if enc.Disp != 0 {
		panic("ctr: enc is not what k begins with")
	}
	b.block = v.ArgAddr("block")
	b.iv, b.left = v.Arg("iv"), v.Arg("n")
	b.enc, b.rounds = enc.Base, v.GP32()
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

// pass encrypts the counters in x, XORs that with whole vectors of input, and moves on. Clobbers tmp, key.
func (b *body) pass(x []vec.Reg, steps *vec.Steps) {
	b.keys.Encrypt(x, steps)
	b.output(x, b.keys.Last(len(x)+1))
	b.ADDQ(operand.U32(uint32(len(x)*b.Bytes)), b.src)
	b.ADDQ(operand.U32(uint32(len(x)*b.Bytes)), b.dst)
}

// output is the last round on x, the XOR with input, and the stores. The last thing that AESENCLAST does is to XOR a
// key, so the input goes into the key beforehand, beside the rounds. Clobbers tmp.
//
// The stores run six registers behind. Zen 4 begins one in two cycles, and with all of them at the end they are in the
// way of the next pass: 97.1 % of the limit at 64 KiB with AES-256, against 98.1 %, and 97.9 % with four behind.
func (b *body) output(x []vec.Reg, key operand.Op) {
	const behind = 6
	for i, r := range x {
		if b.Encoding == vec.Legacy { // whose memory operands must be aligned
			b.Load(b.in(i), b.tmp)
			b.Xor(key, b.tmp, b.tmp)
		} else {
			b.Xor(b.in(i), key.(vec.Reg), b.tmp)
		}
		b.AESEncLast(b.tmp, r, r)
		if i >= behind {
			b.Store(x[i-behind], b.out(i-behind))
		}
	}
	for i := max(len(x)-behind, 0); i < len(x); i++ {
		b.Store(x[i], b.out(i))
	}
}

// oneBlock is the rest of the function for a message of one block or less: round keys come straight from memory, and
// nothing is made ready for more.
func (b *body) oneBlock() {
	v, x, tmp := b.xmm(), vec.XMM.Reg(0), vec.XMM.Reg(1)
	b.loadIV(x, tmp)
	if b.xctr {
		v.UnpackLowQ(tmp, x, x)
		b.loadNumber(tmp)
		v.AddQ(b.Data("one", 1, 0), tmp, tmp)
		v.Xor(tmp, x, x)
	} else {
		b.begin(
			func() { v.UnpackLowQ(tmp, x, x) },
			func() { b.firstCounter(x, tmp) })
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
	b.CMPQ(b.left, operand.Imm(16))
	b.If(emit.Equal, func() {
		v.Xor(b.in(0), x, x)
		v.Store(x, b.out(0))
		v.Return()
	})
	b.xorPart(v, x, tmp)
	v.Return()
}
