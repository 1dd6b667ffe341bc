// Command aes generates internal/aes/expand_aesni_amd64.s: AES key expansion (FIPS 197, section 5.2) and the keys of
// the equivalent inverse cipher (section 5.3.5) with AES instructions, in constant time.
//
// For all levels, so SSE-encoded: the work is one chain of dependent instructions on single blocks, from which VEX
// takes nothing away.
//
// SubWord is AESENCLAST and not AESKEYGENASSIST: applied to a block whose four columns are the same word, it is
// SubBytes and the XOR with a key, since ShiftRows leaves such a block as it is. (The idea is in S. Gueron's white
// paper "Intel Advanced Encryption Standard (AES) New Instructions Set".) AESKEYGENASSIST is about a dozen
// micro-operations on Intel's cores, one every 12 cycles on Skylake (uops.info). Measured side by side on Zen 4, where
// it is fast: 27.6 ns against 25.1 with AESKEYGENASSIST for AES-128, 29.1 against 28.1 for AES-256.
package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("aes", "internal/aes", emit.File{Name: "expand_aesni_amd64.s", Body: func(c *emit.Ctx) {
		expand128(c)
		expand192(c)
		expand256(c)
		invert(c)
	}})
}

// Registers.
var (
	a    = vec.SSE.Reg(0) // words 0 to 3 of the newest len(key) bytes of the schedule
	b    = vec.SSE.Reg(1) // words 4 and 5, or 4 to 7
	t    = vec.SSE.Reg(2) // SubWord(RotWord(last word)) ^ Rcon, in all columns
	tmp  = vec.SSE.Reg(3)
	rcon = vec.SSE.Reg(4) // Rcon in all columns
	rot  = vec.SSE.Reg(5) // shuffle that puts the last word, rotated, into all columns
	zero = vec.SSE.Reg(6)
)

// expander emits one expansion.
type expander struct {
	vec.V
	enc, key reg.Register // addresses
}

// begin starts the function called name. lastWord is the place of the last word in the block that holds it.
func begin(c *emit.Ctx, name string, lastWord int) expander {
	c.Func(name, "aesni")
	e := expander{V: vec.V{Ctx: c, Width: vec.SSE}, enc: c.Arg("enc"), key: c.Arg("key")}
	// RotWord takes byte 1 first and byte 0 last (FIPS 197, 5.2); bytes of the mask from the lowest up.
	n := uint64(4 * lastWord)
	word := (n + 1) | (n+2)<<8 | (n+3)<<16 | n<<24
	e.Load(c.Data("rot"+string(rune('0'+lastWord)), word|word<<32, word|word<<32), rot)
	e.Load(e.constant("rcon1", 0x01), rcon)
	return e
}

// constant is a word in all columns.
func (e expander) constant(name string, word uint64) operand.Mem {
	return e.Data(name, word|word<<32, word|word<<32)
}

// schedule is the place of byte i of the schedule.
func (e expander) schedule(i int) operand.Mem { return operand.Mem{Base: e.enc, Disp: i} }

// nextRcon doubles rcon in GF(2^8) for step i+1, i counted from 1: after 0x80 comes 0x1b.
func (e expander) nextRcon(i int) {
	if i == 8 {
		e.Load(e.constant("rcon9", 0x1b), rcon)
		return
	}
	e.AddD(rcon, rcon, rcon)
}

// rotSub sets t from the last word, which is in x.
func (e expander) rotSub(x vec.Reg) {
	e.Shuffle(rot, x, t)
	e.AESEncLast(rcon, t, t)
}

// chain makes each word of x the XOR of itself, all words before it, and the word in t's columns. Clobbers tmp.
func (e expander) chain(x vec.Reg) {
	for _, n := range []uint8{4, 8} {
		e.ShiftLeftBytes(n, x, tmp)
		e.Xor(tmp, x, x)
	}
	e.Xor(t, x, x)
}

func expand128(c *emit.Ctx) {
	e := begin(c, "expand128AESNI", 3)
	e.Load(operand.Mem{Base: e.key}, a)
	e.Store(a, e.schedule(0))
	for i := 1; i <= 10; i++ {
		e.rotSub(a)
		e.chain(a)
		e.Store(a, e.schedule(16*i))
		if i < 10 {
			e.nextRcon(i)
		}
	}
	e.Return()
}

// expand192 makes six words a step: four in a, two in the low half of b. Step 8 needs no b.
func expand192(c *emit.Ctx) {
	e := begin(c, "expand192AESNI", 1)
	e.Load(operand.Mem{Base: e.key}, a)
	e.MOVQ(operand.Mem{Base: e.key, Disp: 16}, b)
	e.Store(a, e.schedule(0))
	e.MOVQ(b, e.schedule(16))
	for i := 1; i <= 8; i++ {
		e.rotSub(b)
		e.chain(a)
		e.Store(a, e.schedule(24*i))
		if i == 8 {
			break
		}
		e.ShiftLeftBytes(4, b, tmp)
		e.Xor(tmp, b, b)
		e.ShuffleD(0xff, a, tmp)
		e.Xor(tmp, b, b)
		e.MOVQ(b, e.schedule(24*i+16))
		e.nextRcon(i)
	}
	e.Return()
}

// expand256 makes four words a step, in turn in a and b; b's come from SubWord without rotation and Rcon.
func expand256(c *emit.Ctx) {
	e := begin(c, "expand256AESNI", 3)
	e.Zero(zero)
	e.Load(operand.Mem{Base: e.key}, a)
	e.Load(operand.Mem{Base: e.key, Disp: 16}, b)
	e.Store(a, e.schedule(0))
	e.Store(b, e.schedule(16))
	for i := 1; i <= 7; i++ {
		e.rotSub(b)
		e.chain(a)
		e.Store(a, e.schedule(32*i))
		if i == 7 {
			break
		}
		e.ShuffleD(0xff, a, t)
		e.AESEncLast(zero, t, t)
		e.chain(b)
		e.Store(b, e.schedule(32*i+16))
		e.nextRcon(i)
	}
	e.Return()
}

// invert reverses the order of the round keys and applies InvMixColumns to all but the first and the last.
func invert(c *emit.Ctx) {
	c.Func("invertAESNI", "aesni")
	v := vec.V{Ctx: c, Width: vec.SSE}
	dec, enc, rounds := c.Arg("dec"), c.Arg("enc"), c.Arg("rounds")
	last := c.GP64()
	c.MOVQ(rounds, last)
	c.SHLQ(operand.U8(4), last)
	c.ADDQ(enc, last)
	v.Load(operand.Mem{Base: last}, a)
	v.Store(a, operand.Mem{Base: dec})
	c.DECQ(rounds)
	c.Loop(emit.NotZero, func() {
		c.SUBQ(operand.U8(16), last)
		c.ADDQ(operand.U8(16), dec)
		v.Load(operand.Mem{Base: last}, a)
		c.AESIMC(a, a)
		v.Store(a, operand.Mem{Base: dec})
		c.DECQ(rounds)
	})
	v.Load(operand.Mem{Base: enc}, a)
	v.Store(a, operand.Mem{Base: dec, Disp: 16})
	v.Return()
}
