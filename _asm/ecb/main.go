// Command ecb generates algs/ecb/ecb_*_amd64.s: AES on whole blocks, each by itself (NIST SP 800-38A, section 6.1), in
// both directions.
//
//	file         | for CPUs with                  | a register
//	-------------|--------------------------------|--------------------------------------------
//	aesni        | AES-NI, SSE4.1 (from Westmere) | 1 block, SSE-encoded
//	vaes_avx2    | VAES, AVX2                     | 2 blocks
//	vaes_avx512  | VAES, AVX-512                  | 4 blocks; round keys stay in registers
//
// There is no driver for AVX alone: with nothing but rounds in the loop, three operands save nothing over SSE.
//
// Eight registers at a time hide the latency of AES at any width, of 3 to 4 cycles where one to two are issued in each;
// package walk has what is left. A single block, which is what a mode of one's own asks for when it is short, has
// straight code of its own in every driver.
package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
	"kcrypto/_asm/walk"
)

func main() {
	emit.Main("ecb", "algs/ecb",
		file("ecb_aesni_amd64.s", "AESNI", vec.SSE, "aesni"),
		file("ecb_vaes_avx2_amd64.s", "VAESAVX2", vec.YMM, "vaes_avx2"),
		file("ecb_vaes_avx512_amd64.s", "VAESAVX512", vec.ZMM, "vaes_avx512"))
}

func file(name, suffix string, w vec.Width, level string) emit.File {
	return emit.File{Name: name, Body: func(c *emit.Ctx) {
		for _, d := range []direction{encrypt, decrypt} {
			c.Func(d.name+suffix, level)
			newBody(vec.V{Ctx: c, Width: w}, d).run()
		}
	}}
}

// direction is what differs between encryption and decryption.
type direction struct {
	name, keys string // of the function; of the field of the key object
	middle     func(k *aesni.Keys, blocks []vec.Reg, steps *vec.Steps)
	last       func(k *aesni.Keys, blocks ...vec.Reg)
}

var (
	encrypt = direction{"encrypt", "enc", (*aesni.Keys).Encrypt, (*aesni.Keys).EncryptLast}
	decrypt = direction{"decrypt", "dec", (*aesni.Keys).Decrypt, (*aesni.Keys).DecryptLast}
)

// wide is how many vectors the loop handles at once.
const wide = 8

// body is one function while it is made.
type body struct {
	vec.V
	direction

	// General registers.
	dst, src, left reg.GPVirtual // addresses; bytes left
	first          reg.GPVirtual // address of the round keys
	rounds         reg.GPVirtual // 10, 12 or 14

	// Vector registers, by number: 0 to 7 data, 8 a round key on its way from memory, 9 key 0, and under EVEX from 18
	// on the round keys 0 to 13 before the last.
	data  []vec.Reg
	tmp   vec.Reg
	white vec.Reg
	held  []vec.Reg

	keys *aesni.Keys
}

// newBody names the registers and loads the arguments.
func newBody(v vec.V, d direction) *body {
	b := &body{V: v, direction: d, data: v.Range(0, wide), tmp: v.Reg(8), white: v.Reg(9)}
	if v.Encoding == vec.EVEX {
		b.held = v.Range(18, 14)
	}
	k := v.Dereference(v.Param("k")).Field("FullSchedule")
	v.Expect("loopBytes", wide*vec.ZMM.Bytes)
	b.first, b.rounds = v.GP64(), v.GP32()
	v.LEAQ(v.Addr(k.Field(d.keys).Index(0)), b.first)
	v.Ctx.Load(k.Field("rounds"), b.rounds)
	b.dst, b.src, b.left = v.Arg("dst"), v.Arg("src"), v.Arg("n")
	return b
}

func (b *body) run() {
	if b.Bytes > 16 {
		b.CMPQ(b.left, operand.Imm(16))
		b.If(emit.Equal, func() {
			b.oneBlock()
			b.Return()
		})
	}
	b.keys = aesni.NewKeys(b.V, b.first, b.rounds, b.tmp, b.held...)
	b.Broadcast(operand.Mem{Base: b.first}, b.white)
	if b.Encoding == vec.EVEX {
		b.masked()
		return
	}
	walk.Down(b.V, b.left, wide, b.pass)
	if b.Bytes > 16 {
		b.TESTL(operand.U32(16), b.left.As32())
		b.If(emit.NotZero, b.oneBlock)
	}
	b.Return()
}

// masked is the rest of the function for EVEX: the loop, and what is left with a mask on the last vector. The loop
// leaves something, so that nothing has to be asked behind it.
func (b *body) masked() {
	stride := operand.U32(uint32(wide * b.Bytes))
	b.CMPQ(b.left, stride)
	b.If(emit.Above, func() {
		b.Align(64)
		b.Loop(emit.Above, func() {
			b.pass(wide)
			b.SUBQ(stride, b.left)
			b.CMPQ(b.left, stride)
		})
	})
	walk.Exactly(b.V, b.left, 1, wide, b.finish)
}

func (b *body) in(i int) operand.Mem  { return operand.Mem{Base: b.src, Disp: i * b.Bytes} }
func (b *body) out(i int) operand.Mem { return operand.Mem{Base: b.dst, Disp: i * b.Bytes} }

// pass does n whole vectors, and moves on.
func (b *body) pass(n int) {
	x := b.data[:n]
	for i, r := range x {
		b.whiten(b.in(i), r)
	}
	b.cipher(b.keys, x)
	for i, r := range x {
		b.Store(r, b.out(i))
	}
	b.ADDQ(operand.U32(uint32(n*b.Bytes)), b.src)
	b.ADDQ(operand.U32(uint32(n*b.Bytes)), b.dst)
}

// finish does n vectors, of which the last may not be full, and ends the function.
func (b *body) finish(n int) {
	x, last := b.data[:n], n-1
	if last > 0 {
		b.SUBQ(operand.U32(uint32(last*b.Bytes)), b.left)
	}
	b.Mask(b.left, reg.K1)
	for i, r := range x[:last] {
		b.whiten(b.in(i), r)
	}
	b.LoadMasked(b.in(last), reg.K1, x[last])
	b.Xor(b.white, x[last], x[last])
	b.cipher(b.keys, x)
	for i, r := range x[:last] {
		b.Store(r, b.out(i))
	}
	b.StoreMasked(x[last], reg.K1, b.out(last))
	b.Return()
}

// oneBlock does one block, with round keys straight from memory.
func (b *body) oneBlock() {
	v := b.As(vec.XMM)
	x := v.Reg(0)
	v.Load(operand.Mem{Base: b.src}, x)
	v.Xor(operand.Mem{Base: b.first}, x, x)
	b.cipher(aesni.NewKeys(v, b.first, b.rounds, v.Reg(1)), []vec.Reg{x})
	v.Store(x, operand.Mem{Base: b.dst})
}

// whiten loads x from m and XORs key 0 into it.
func (b *body) whiten(m operand.Mem, x vec.Reg) {
	if b.Encoding == vec.Legacy {
		b.Load(m, x)
		b.Xor(b.white, x, x)
		return
	}
	b.Xor(m, b.white, x)
}

// cipher is all rounds on x.
func (b *body) cipher(keys *aesni.Keys, x []vec.Reg) {
	b.middle(keys, x, nil)
	b.last(keys, x...)
}
