// Command xts generates algs/xts/xts_*_amd64.s: AES in XTS mode (IEEE 1619) for one or more data units, in one call
// from the first tweak's encryption to ciphertext stealing, and the encryption of many sector numbers.
//
//	aesni        xmm, SSE: from Westmere on
//	aesni_avx    xmm: Sandy Bridge to Skylake, Zen 1 and 2
//	vaes_avx2    ymm: Zen 3, Alder Lake
//	vaes_avx512  zmm: Ice Lake, Zen 4 and later
//
// A register's text is XORed with its tweaks and the first round key, goes through the rounds, and the last round's key is
// the last round key XORed with the tweaks. The AES unit can be kept busy all the time; the art is to have the tweaks
// ready without taking its slots. How tweaks are made:
//
//	double   one from the one before it: registers of one block
//	by8      from those eight blocks before: vaes_avx2's loop
//	advance  several steps of eight blocks: vaes_avx512's loop
//	fresh    any from one tweak: what is short or begins, at vaes
//
// A unit goes through the loop, then through registers in powers of two down to one block, then through stealing, which
// takes the last whole block as well. Groups after the loop depend on nothing but the tweak from which fresh makes
// theirs, so they overlap. woven is the loop for 16 registers, relay the one for 32.
//
// Tried on Zen 4 and left out, AES-128, with the share of the AES limit at 64 KiB or the time in ns:
//
//   - zmm, eight registers and tweaks from VPCLMULQDQ, woven in: 89 %; with tweaks not woven in but left to the
//     out-of-order engine: 80 %; in the relay: 88 %. See advance for why. Relay as it is: 97 to 98 %.
//   - Tweaks kept XORed with the last round key, which saves one XOR a register: no gain, and one constant more.
//   - ymm: woven reaches 73 %, and a loop of the same instructions without dependencies 79: with four pipes for 17
//     instructions a register, of which 10 are AES on two of them, some AES slots are always lost. Doing without
//     VPCLMULQDQ, two instructions more, reached 77 there.
//   - Masked loads and stores for 1 to 3 blocks: 80 bytes took 34 ns instead of 26; a masked store is slow there.
//   - Round keys in registers from the beginning, not from the relay on: 1.3 ns more for short messages.
//   - Short messages of one block like all others, with fresh: 22.5 ns instead of 20.8.
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
