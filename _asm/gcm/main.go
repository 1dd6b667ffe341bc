// Command gcm generates algs/gcm/gcm_*_amd64.s: AES-GCM (NIST SP 800-38D), all of a message up to a chunk in one call.
//
//	aesni        SSE and PCLMULQDQ: Westmere
//	aesni_avx    the same with three operands; no MOVBE, BMI2 or AVX2: Sandy Bridge, Bulldozer
//	vaes_avx2    two blocks a register: Zen 3, Alder Lake
//	vaes_avx512  four blocks a register, 32 registers, opmasks: Ice Lake, Zen 4
//
// A call of seal or open makes J0's encryption, takes GHASH over the additional data, goes through the text by strides
// of eight registers in the main loop, and then through what is left: by four registers and one (crypt.go) or, with
// opmasks, in one pass (masked.go), where the powers of H are aligned so that the block of lengths, which ends the
// message, meets H itself: one sum, one reduction. expand makes the powers, hash takes GHASH alone, batch does four
// short messages side by side (batch.go).
//
// In the main loop GHASH goes between the AES instructions: when sealing over the stride before, when opening over the
// same one, which is read before it is overwritten. It is read from memory again, where it costs a load and no
// register.
//
//	time ->         | stride 1            | stride 2            | stride 3            | ... | last     |
//	AES     seal    | rounds of stride 1  | rounds of stride 2  | rounds of stride 3  | ... |          |
//	GHASH   seal    |                     | products of 1       | products of 2       | ... | of last  |
//	GHASH   open    | products of 1       | products of 2, then | products of 3       | ... |          |
//	                |                     | one reduction       |                     |     |          |
//
// Two strides have one reduction (halves.go). The drivers differ in
//
//   - how they multiply: ghash.go. Schoolbook with 3-way XOR in 512-bit registers, Karatsuba in narrower ones;
//   - how they make counter blocks: counter.go;
//   - how they take parts of registers: opmasks, or the last 1 to 15 bytes by vec.LoadPart and StorePart;
//   - how they make the powers: expand.go.
//
// newGCM has the table of registers, and NOTES.md what was measured, and what was tried and left out.
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
	if have, need := g.FieldSize("asmKey", "powers"), g.tableSize(); have < need {
		panic(fmt.Sprintf("gcm: the powers take %d bytes, and asmKey has %d for them", need, have))
	}
	table := g.field("k", g.k, "powers", true)
	table.Disp += 16 * g.table
	g.LEAQ(table, g.powers)
}

// tableSize is how many bytes the powers take (expand.go), with what a register reaches behind the last one.
func (g *gcm) tableSize() int {
	n := 2 * 16 * g.table
	if g.karatsuba() {
		n *= 2
	}
	return n + g.Bytes - 16
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

// narrower is an emitter of another width, at most as wide, that goes on where g is: with the same arguments and
// tables.
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
