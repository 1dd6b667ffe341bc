// Command xts generates algs/xts/xts_*_amd64.s: AES in XTS mode (IEEE 1619) for one or more data units, in one call
// from the first tweak's encryption to ciphertext stealing, and the encryption of many sector numbers or IVs.
//
//	aesni        xmm, SSE: from Westmere on
//	aesni_avx    xmm: Sandy Bridge to Skylake, Zen 1 and 2
//	vaes_avx2    ymm: Zen 3, Alder Lake
//	vaes_avx512  zmm: Ice Lake, Zen 4 and later
//
// A register's text is XORed with its tweaks and the first round key, goes through the rounds, and the last round's key
// is the last round key XORed with the tweaks. The AES unit can be kept busy all the time; the art is to have the
// tweaks ready without taking its slots. How tweaks are made:
//
//	double   one from the one before it: registers of one block
//	by8      from those eight blocks before: vaes_avx2's loop
//	advance  several steps of eight blocks: vaes_avx512's loop
//	fresh    any from one tweak: what is short or begins, at vaes
//
// A unit goes through the loop, then through registers in powers of two down to one block, then through stealing, which
// takes the last whole block as well. Groups after the loop depend on nothing but the tweak from which fresh makes
// theirs, so they overlap. woven is the loop for 16 registers, relay the one for 32:
//
//	time ->        |                       |                       |                       |
//	woven   AES    | rounds of 1           | rounds of 2           | rounds of 3           |
//	        beside | tweaks of 2           | tweaks of 3           | tweaks of 4           |
//	relay   AES    | rounds of half a      | rounds of half b      | rounds of half a      |
//	        beside | tweaks of b, b loaded | tweaks of a, a loaded | tweaks of b, b loaded |
//
// newXTS has the table of registers, and NOTES.md what was tried and left out.
package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("xts", "algs/xts",
		file("xts_aesni_amd64.s", "AESNI", vec.SSE, "aesni"),
		file("xts_aesni_avx_amd64.s", "AESNIAVX", vec.XMM, "aesni_avx"),
		file("xts_vaes_avx2_amd64.s", "VAESAVX2", vec.YMM, "vaes_avx2"),
		file("xts_vaes_avx512_amd64.s", "VAESAVX512", vec.ZMM, "vaes_avx512"))
}

func file(name, suffix string, w vec.Width, needs ...string) emit.File {
	return emit.File{Name: name, Body: func(c *emit.Ctx) {
		begin := func(fn string) *xts {
			c.Func(fn+suffix, needs...)
			return newXTS(vec.V{Ctx: c, Width: w})
		}
		begin("encrypt").crypt(false)
		begin("decrypt").crypt(true)
		begin("numbers").numbers()
		begin("ivs").ivs()
	}}
}

// xts emits one function.
type xts struct {
	shape       // whole registers
	block shape // single blocks
	wide  int   // registers of text in the main loop

	decrypt bool
	d       []vec.Reg  // text
	t       []vec.Reg  // tweaks; t[0] is the next one where a register is one block
	x       []vec.Reg  // woven loop: tweaks with the last round key
	held    []vec.Reg  // round keys that stay, the last one first
	tmp     vec.Reg    // round keys from memory
	t1, t2  vec.Reg    // temporaries
	white   vec.Reg    // relay: the first round key
	carry   []vec.Reg  // relay: see advance
	base    vec.Reg    // a tweak, in every block, from which others are made; wider than a block only
	swapped vec.Reg    // base with the halves of each block exchanged
	poly    operand.Op // see polynomial

	k, dst, src reg.Register // addresses
	left        reg.Register // bytes of the unit that the main loop and the tail have before them
	powers      reg.Register // address in the table of shifts: where the next block is, counted from base
}

// shape is a width to work at, and the round keys of the data for that width.
type shape struct {
	vec.V
	keys *aesni.Keys
}

// newXTS assigns the vector registers. t2, base and swapped are among those of the second half of the relay, and of the
// woven loop, which are free outside them.
//
//	                16 registers   32 registers
//	d               0-3            0-7
//	t               4-7            8-15
//	x               8-11
//	held            12             16-25
//	tmp t1          13-14          26-27
//	t2              15             5
//	base swapped    10-11          6-7
//	white carry                    28-30
//	poly            in memory      31
func newXTS(v vec.V) *xts {
	x := &xts{shape: shape{V: v}, wide: 4}
	if v.Encoding != vec.EVEX {
		x.d, x.t, x.x, x.held = v.Range(0, 4), v.Range(4, 4), v.Range(8, 4), v.Range(12, 1)
		x.tmp, x.t1, x.t2 = v.Reg(13), v.Reg(14), v.Reg(15)
		x.base, x.swapped = v.Reg(10), v.Reg(11)
		x.poly = x.polynomial()
		return x
	}
	x.wide = 8
	v.Expect("loopBytes", x.wide*v.Bytes)
	x.d, x.t, x.held = v.Range(0, 8), v.Range(8, 8), v.Range(16, 10)
	x.tmp, x.t1, x.t2 = v.Reg(26), v.Reg(27), v.Reg(5)
	x.base, x.swapped = v.Reg(6), v.Reg(7)
	x.white, x.carry, x.poly = v.Reg(28), v.Range(29, 2), v.Reg(31)
	return x
}

// chained says how tweaks are made: one from the one before it, or several from one.
func (x *xts) chained() bool { return x.Bytes == 16 }

// schedule makes ready the round keys called keys in the schedule that is a field of the key, for the width of v.
func (x *xts) schedule(v vec.V, field, keys string, held ...vec.Reg) *aesni.Keys {
	s := x.Param("k").Dereference(x.k).Field(field)
	first, rounds := x.GP64(), x.GP32()
	x.LEAQ(x.Addr(s.Field(keys).Index(0)), first)
	x.MOVL(x.Addr(s.Field("rounds")), rounds)
	return aesni.NewKeys(v, first, rounds, v.View(x.tmp), held...)
}
