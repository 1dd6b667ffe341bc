// Command ccm generates algs/ccm/ccm_*_amd64.s: AES-CCM (RFC 3610, NIST SP 800-38C), whole blocks of a message.
//
//	aesni        xmm, SSE: from Westmere on
//	aesni_avx    xmm: Sandy Bridge to Skylake, Zen 1 and 2
//	vaes_avx2    the same: Zen 3, Alder Lake
//	vaes_avx512  the same: Ice Lake, Zen 4 and later
//
// The CBC-MAC of a message is one chain: rounds times the latency of AES a block. A wider register does nothing for it.
// The key stream of the next block goes through the rounds beside it, and costs nothing:
//
//	time ->       | block 1                   | block 2                   | ...
//	CBC-MAC       | rounds of text 1          | rounds of text 2          |
//	key stream    | rounds of counter 2       | rounds of counter 3       |
//	beside them   | load 2                    | load 3, store 2           |
//
// So the key stream of a block is known before the block is read, and opening can authenticate the plaintext as early
// as sealing does. The next text and the first round key are XORed into the key of the CBC-MAC's last round, which
// keeps them out of the chain. In opening that is the ciphertext, and the key stream follows by one XOR in the chain.
//
// A call begins with y, stream and counter of the state, and leaves them for the next one. begin makes the first ones:
// it encrypts three blocks side by side. mac is the chain alone, over additional data. What is less than a block is
// done by the caller, with stream. NOTES.md has what was measured.
package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("ccm", "algs/ccm",
		file("ccm_aesni_amd64.s", "AESNI", vec.SSE, "aesni"),
		file("ccm_aesni_avx_amd64.s", "AESNIAVX", vec.XMM, "aesni_avx"),
		file("ccm_vaes_avx2_amd64.s", "VAESAVX2", vec.XMM, "vaes_avx2"),
		file("ccm_vaes_avx512_amd64.s", "VAESAVX512", vec.XMM, "vaes_avx512"))
}

func file(name, suffix string, w vec.Width, level string) emit.File {
	return emit.File{Name: name, Body: func(c *emit.Ctx) {
		begin := func(step string) *ccm {
			c.Func(step+suffix, level)
			return newCCM(vec.V{Ctx: c, Width: w})
		}
		begin("begin").begin()
		begin("mac").mac()
		begin("seal").crypt(false)
		begin("open").crypt(true)
	}}
}

// ccm emits one function.
type ccm struct {
	vec.V
	s    reg.Register // address of the state
	keys *aesni.Keys

	// Vector registers, by number.
	y, stream, mask vec.Reg // 0 to 2: the blocks of the state; y is on its way, stream too
	counter, one    vec.Reg // 3, 4: the counter block with its bytes reversed; what is added to it
	text            vec.Reg // 5: of a message, ready to be XORed
	last, both      vec.Reg // 6, 7: the last round key; the same XORed with the first
	tmp             vec.Reg // 8: a round key on its way from memory
	swap            vec.Reg // 9: byte shuffle that reverses a block
	white           vec.Reg // 10: the first round key
	out             vec.Reg // 11: text on its way to memory
}

func newCCM(v vec.V) *ccm {
	return &ccm{V: v, y: v.Reg(0), stream: v.Reg(1), mask: v.Reg(2), counter: v.Reg(3), one: v.Reg(4), text: v.Reg(5),
		last: v.Reg(6), both: v.Reg(7), tmp: v.Reg(8), swap: v.Reg(9), white: v.Reg(10), out: v.Reg(11)}
}

// start loads what all functions need.
func (c *ccm) start() {
	k := c.Dereference(c.Param("k")).Field("Schedule")
	first, rounds := c.GP64(), c.GP32()
	c.LEAQ(c.Addr(k.Field("enc").Index(0)), first)
	c.Ctx.Load(k.Field("rounds"), rounds)
	c.s = c.Arg("s")
	c.keys = aesni.NewKeys(c.V, first, rounds, c.tmp)
	c.Move(c.keys.First(), c.white)
	c.Load(c.field("y"), c.y)
}

// field is a block of the state.
func (c *ccm) field(name string) operand.Mem {
	return c.Addr(c.Param("s").Dereference(c.s).Field(name).Index(0))
}

// begin encrypts y, mask and stream, and makes counter of stream.
func (c *ccm) begin() {
	c.start()
	c.Load(c.field("mask"), c.mask)
	c.Load(c.field("stream"), c.stream)
	c.loadSwap()
	c.Move(c.stream, c.counter)
	c.Shuffle(c.swap, c.counter, c.counter)
	c.Store(c.counter, c.field("counter"))
	blocks := []vec.Reg{c.y, c.mask, c.stream}
	c.keys.White(blocks...)
	c.keys.Encrypt(blocks, nil)
	c.keys.EncryptLast(blocks...)
	c.Store(c.y, c.field("y"))
	c.Store(c.mask, c.field("mask"))
	c.Store(c.stream, c.field("stream"))
	c.Return()
}

func (c *ccm) loadSwap() { c.Load(c.Data("swap", 0x08090a0b0c0d0e0f, 0x0001020304050607), c.swap) }

// lastKeys sets last and both.
func (c *ccm) lastKeys() {
	c.Move(c.keys.Last(2).(vec.Reg), c.last)
	c.Move(c.white, c.both)
	c.Xor(c.last, c.both, c.both)
}

// mac takes y over n bytes of data.
func (c *ccm) mac() {
	c.start()
	c.lastKeys()
	data, left := c.Arg("data"), c.Arg("n")
	at := operand.Mem{Base: data}
	c.Load(at, c.text)
	c.Xor3(c.text, c.white, c.y)
	c.rest(left, func() {
		c.keys.Encrypt([]vec.Reg{c.y}, nil)
		c.Load(at.Offset(16), c.text)
		c.Xor(c.both, c.text, c.text)
		c.AESEncLast(c.text, c.y, c.y)
		c.ADDQ(operand.Imm(16), data)
	})
	c.keys.Encrypt([]vec.Reg{c.y}, nil)
	c.AESEncLast(c.last, c.y, c.y)
	c.Store(c.y, c.field("y"))
	c.Return()
}

// rest emits a loop over all blocks but the first of left bytes.
func (c *ccm) rest(left reg.Register, block func()) {
	c.SUBQ(operand.Imm(16), left)
	c.If(emit.NotZero, func() {
		c.Align(64)
		c.Loop(emit.NotZero, func() {
			block()
			c.SUBQ(operand.Imm(16), left)
		})
	})
}

// crypt encrypts or decrypts n bytes of src, and takes y over the plaintext.
func (c *ccm) crypt(decrypt bool) {
	c.start()
	c.lastKeys()
	c.loadSwap()
	c.Load(c.Data("one", 1, 0), c.one)
	c.Load(c.field("stream"), c.stream)
	c.Load(c.field("counter"), c.counter)
	dst, src, left := c.Arg("dst"), c.Arg("src"), c.Arg("n")
	from, to := operand.Mem{Base: src}, operand.Mem{Base: dst}
	c.Load(from, c.text)
	c.Move(c.stream, c.out)
	c.Xor(c.text, c.out, c.out)
	c.Store(c.out, to)
	plain := c.text
	if decrypt {
		plain = c.out
	}
	c.Xor3(plain, c.white, c.y)
	c.rest(left, func() {
		c.nextRounds()
		c.Load(from.Offset(16), c.text)
		c.Move(c.text, c.out)
		c.Xor(c.both, c.text, c.text)
		c.AESEncLast(c.text, c.y, c.y)
		c.AESEncLast(c.last, c.stream, c.stream)
		if decrypt {
			c.Xor(c.stream, c.y, c.y)
		}
		c.Xor(c.stream, c.out, c.out)
		c.Store(c.out, to.Offset(16))
		c.ADDQ(operand.Imm(16), src)
		c.ADDQ(operand.Imm(16), dst)
	})
	c.nextRounds()
	c.AESEncLast(c.last, c.y, c.y)
	c.AESEncLast(c.last, c.stream, c.stream)
	c.Store(c.y, c.field("y"))
	c.Store(c.stream, c.field("stream"))
	c.Store(c.counter, c.field("counter"))
	c.Return()
}

// nextRounds takes y, and in stream the next counter block, through all rounds but the last.
func (c *ccm) nextRounds() {
	c.AddQ(c.one, c.counter, c.counter)
	c.Move(c.counter, c.stream)
	c.Shuffle(c.swap, c.stream, c.stream)
	c.Xor(c.white, c.stream, c.stream)
	c.keys.Encrypt([]vec.Reg{c.y, c.stream}, nil)
}
