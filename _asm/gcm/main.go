// Command gcm generates algs/gcm/gcm_*_amd64.s: AES-GCM (NIST SP 800-38D), all of a message up to a chunk in one call.
//
//	aesni        SSE and PCLMULQDQ: Westmere
//	aesni_avx    the same with three operands; no MOVBE, BMI2 or AVX2: Sandy Bridge, Bulldozer
//	vaes_avx2    two blocks a register: Zen 3, Alder Lake
//	vaes_avx512  four blocks a register, 32 registers, opmasks: Ice Lake, Zen 4
//
// One body serves the first three (crypt.go); vaes_avx512 shares the main loop and has its own way of beginning and ending
// a message (masked.go). The main loop encrypts eight registers of counter blocks, and between the AES
// instructions takes GHASH over eight registers of ciphertext: when sealing the eight before, when opening the same,
// which are read before they are overwritten. They are read from memory again, where they cost a load and no register.
// What is left goes the same way, by four registers and one or in one pass, with the powers of H aligned so that the block
// of lengths, which ends the message, meets H itself: one sum, one reduction. The rungs differ in
//
//   - how they multiply: ghash.go, halves.go. Schoolbook with 3-way XOR in 512-bit registers: CLMUL and AES there share two ports on
//     Zen 4 (10 AES + 4 CLMUL: 14.0 cycles), and what else there is costs 0.6 to 0.8 cycles an operation, so that Karatsuba's
//     two operations more would eat up its one multiplication less (mixes of both measured 14.9 to 15.9 cycles). Karatsuba
//     in narrower ones, where CLMUL is one in two cycles at any width. There the bound is 8.0 cycles a register for AES-128
//     and 9.0 for AES-256, with single blocks 1.27 and 1.24 times Go's speed; aesni_avx takes 9.2 and 10.2;
//   - how they make counter blocks: counter.go;
//   - how they take parts of registers: opmasks, or the last 1 to 15 bytes by vec.LoadPart and StorePart.
//
// Two strides have one reduction, and so there are the powers for two. vaes_avx512 makes them in rounds of multiplications
// that do not wait for each other (with the key schedule for AES-256, 120 ns through SetKey), the others one register
// after the other, which is less code.
//
// Where vaes_avx512's time goes on Zen 4, AES-128: AES and CLMUL alone, 14.0 cycles a register; with all the rest 15.6. With
// one reduction a stride it was 16.1, of which went, when they were taken out of the loop, the reduction for 1.1 cycles, the
// 3-way XORs for 1.1, the counters for 0.6, the byte shuffles for 0.4 and the stores for 0.3. Tried and left out:
//
//   - round keys in memory, so that registers are free for the next counters: 4907 cycles for 16 KiB, where 4161 were taken.
//     A broadcast of 16 bytes to 64 takes a vector unit;
//   - rounds of the eight registers staggered by 1 to 8 rounds, to even out the work between them: 4414 to 4560 where all
//     together took 4426;
//   - the block that y goes into in the middle of a stride, to shorten the chain from reduction to reduction: no change;
//   - counters by one byte shuffle with an opmask, which reverses a word's bytes and inserts it: 1.5 operations a register in
//     place of 1.75, and no change.
//
// Short messages: 16 bytes take 11 to 13 ns of assembly, bound by multiplications (masked.go), and 18 to 20 through the
// public API when opening. There some 44 words are stored on the way, arguments of four calls, and Zen 4 has 64 places for
// stores, so that hardly more than one message is under way at once, and it waits for nonce, ten rounds of AES and tag.
//
// Facts that shaped the rest, measured on Zen 4: a load, masked or not, that overlaps a store under way takes 21 cycles,
// also where only bytes that are masked out overlap; so what is left of a message is read in single blocks where it is
// one. From one block of a register to another is 4 cycles. The ideas of hashing the stride before, of masked tails and of
// powers aligned to the end are in PERFORMANCE, section 4.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("gcm", "algs/gcm",
		file("gcm_aesni_amd64.s", "AESNI", vec.SSE, "aesni", "pclmulqdq"),
		file("gcm_aesni_avx_amd64.s", "AESNIAVX", vec.XMM, "aesni_avx", "pclmulqdq"),
		file("gcm_vaes_avx2_amd64.s", "VAESAVX2", vec.YMM, "vaes_avx2"),
		file("gcm_vaes_avx512_amd64.s", "VAESAVX512", vec.ZMM, "vaes_avx512"))
}

func file(name, suffix string, w vec.Width, needs ...string) emit.File {
	return emit.File{Name: name, Body: func(c *emit.Ctx) {
		begin := func(step string) *gcm {
			c.Func(step+suffix, needs...)
			return newGCM(vec.V{Ctx: c, Width: w})
		}
		c.Expect("loopBytes", wide*vec.ZMM.Bytes)
		c.Expect("onePass", wide*vec.ZMM.Bytes)
		begin("expand").expand()
		begin("hash").hash()
		crypt := (*gcm).crypt
		if w.Encoding == vec.EVEX {
			crypt = (*gcm).cryptMasked
		}
		crypt(begin("seal"), false)
		crypt(begin("open"), true)
		if w == vec.ZMM {
			c.Func("batch"+suffix, needs...)
			newSide(vec.V{Ctx: c, Width: w}).batch()
		}
	}}
}

// wide is the number of registers of message that the main loop works on at a time: a stride.
const wide = 8

// gcm emits one function.
type gcm struct {
	vec.V

	d    []vec.Reg // wide registers of message: counters, key stream, then text
	tmp  vec.Reg   // round keys from memory
	held []vec.Reg // round keys that stay
	ctr  vec.Reg   // the next counters, see counter.go

	nonce, key vec.Reg // see counter.go; 32 registers only

	lo, mid, hi sum       // see ghash.go; between sums lo's first block is GHASH's state y, and the rest is 0
	x           vec.Reg   // blocks to be multiplied
	h           vec.Reg   // powers of H; schoolbook only
	free        []vec.Reg // for single products

	swap operand.Op // byte shuffle that reverses the bytes of each block

	k, s   reg.Register // addresses of the key and of the state
	powers reg.Register // address of the highest of the powers for a stride
	table  int          // how many these are
	sumsAt int          // distance in bytes from a power to the sum of its halves; Karatsuba only
	enc    reg.Register // address of the round keys
	rounds reg.Register // how many, of 32 bits
	keys   *aesni.Keys

	half, prev reg.Register // see masked.go
}

// newGCM assigns the vector registers.
//
//	            16 registers   32 registers
//	d           0-7            0-7
//	held                       8-17
//	tmp         8              18
//	ctr         9              19
//	lo mid hi   10-12          20-22
//	x           13             23
//	h                          24
//	free        14-15          25-28
//	nonce key                  29-30
//	swap        in memory      31
func newGCM(v vec.V) *gcm {
	g := &gcm{V: v, d: v.Range(0, wide), table: wide * v.Blocks()}
	g.sumsAt = 2 * 16 * g.table
	first := 8
	if v.Encoding == vec.EVEX {
		g.held = v.Range(8, 10)
		first = 18
	}
	g.tmp, g.ctr = v.Reg(first), v.Reg(first+1)
	g.lo.reg, g.mid.reg, g.hi.reg = v.Reg(first+2), v.Reg(first+3), v.Reg(first+4)
	g.x = v.Reg(first + 5)
	g.free = v.Range(first+6, 2)
	if v.Encoding == vec.EVEX {
		g.h = v.Reg(24)
		g.free = v.Range(25, 4)
		g.nonce, g.key = v.Reg(29), v.Reg(30)
	}
	g.swap = g.constant("swap", 0x08090a0b0c0d0e0f, 0x0001020304050607)
	return g
}

// karatsuba reports whether this driver multiplies by Karatsuba's method.
func (g *gcm) karatsuba() bool { return g.Encoding != vec.EVEX }

// block emits for single blocks.
func (g *gcm) block() vec.V {
	w := g.Width
	w.Bytes = 16
	return g.As(w)
}

// constant is a block of two words, repeated as g is wide.
func (g *gcm) constant(name string, low, high uint64) operand.Mem {
	var words []uint64
	for range g.Blocks() {
		words = append(words, low, high)
	}
	return g.Data(fmt.Sprint(name, 8*g.Bytes), words...)
}

// masks reports whether this driver handles part of a register with opmasks.
func (g *gcm) masks() bool { return g.Encoding == vec.EVEX }

// start loads what all functions need.
func (g *gcm) start() {
	g.arguments()
	g.loadSwap()
}

// arguments finds the key and the powers.
func (g *gcm) arguments() {
	g.k = g.Arg("k")
	g.powers = g.GP64()
	table := g.field("k", g.k, "powers", true)
	table.Disp += 16 * g.table
	g.LEAQ(table, g.powers)
}

// loadSwap puts swap into a register if there are enough.
func (g *gcm) loadSwap() {
	if swap := g.swap; g.Registers() > 31 {
		g.swap = g.Reg(31)
		g.Load(swap.(operand.Mem), g.Reg(31))
	}
}

// schedule makes ready the round keys, in memory.
func (g *gcm) schedule() {
	schedule := g.Param("k").Dereference(g.k).Field("Schedule")
	g.rounds, g.enc = g.GP32(), g.GP64()
	g.MOVL(g.Addr(schedule.Field("rounds")), g.rounds)
	g.LEAQ(g.Addr(schedule.Field("enc").Index(0)), g.enc)
	g.keys = aesni.NewKeys(g.V, g.enc, g.rounds, g.tmp)
}

// hold loads round keys into registers: a broadcast from memory is an operation of a vector unit on Zen 4.
func (g *gcm) hold() { g.keys = g.keys.Hold(g.held...) }

// narrower is an emitter of another width, at most as wide, that goes on where g is: with the same arguments and tables.
func (g *gcm) narrower(w vec.Width) *gcm {
	b := newGCM(g.As(w))
	b.k, b.powers, b.table, b.sumsAt, b.enc, b.rounds = g.k, g.powers, g.table, g.sumsAt, g.enc, g.rounds
	b.keys, b.swap = g.keys.At(b.V), g.narrow(g.swap, b.V)
	return b
}

// field is a field of what the argument at the address in r points to, or the first element of an array.
func (g *gcm) field(arg string, r reg.Register, name string, array bool) operand.Mem {
	f := g.Param(arg).Dereference(r).Field(name)
	if array {
		f = f.Index(0)
	}
	return g.Addr(f)
}
