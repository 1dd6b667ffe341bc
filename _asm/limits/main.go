// Command limits generates internal/limits/loops_amd64.s: loops that issue one kind of instruction, or the mix that an
// algorithm cannot do without, as fast as the CPU takes them. Nothing in a loop waits for anything else in it for
// longer than the loop lasts, so what is measured is ports and not latency. tcrypt limits times them. Only aeschain has
// each round wait for the one before, as in a message of CBC that is encrypted.
//
// The mixes are of the operations that are needed at least, per vector:
//
//	schoolbook10   AES-GCM: 10 rounds (0: GHASH alone), 4 carry-less multiplications, 7 XORs, shuffles and additions
//	karatsuba10    the same with 3 multiplications and 9 others
//	chacha         a quarter round: 4 additions, 4 XORs, rotations by 16, 12, 8 and 7
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// A level is a width with the names of what it needs.
type level struct {
	suffix string
	w      vec.Width
	aes    []string // for loops with AES or carry-less multiplication
	plain  []string // for the others
}

var levels = []level{
	{"SSE", vec.SSE, []string{"aesni", "pclmulqdq"}, []string{"ssse3"}},
	{"XMM", vec.XMM, []string{"aesni_avx", "pclmulqdq"}, []string{"avx"}},
	{"YMM", vec.YMM, []string{"vaes_avx2"}, []string{"avx2"}},
	{"ZMM", vec.ZMM, []string{"vaes_avx512"}, []string{"avx512"}},
}

func main() {
	emit.Main("limits", "internal/limits", emit.File{Name: "loops_amd64.s", Body: func(c *emit.Ctx) {
		chain(c)
		for _, l := range levels {
			single(c, l)
			for _, rounds := range []int{0, 10, 12, 14} {
				l.loop(c, fmt.Sprintf("schoolbook%d", rounds), l.aes, mix{rounds, 4, 7}.emit)
				l.loop(c, fmt.Sprintf("karatsuba%d", rounds), l.aes, mix{rounds, 3, 9}.emit)
			}
			l.loop(c, "chacha", l.plain, quarterRound)
		}
	}})
}

// chain is the clock: dependent 64-bit multiplications, 3 cycles each on every core this module has met. Additions
// would not do, since some cores do them without executing anything.
func chain(c *emit.Ctx) {
	c.Func("chain")
	n, x := c.Arg("n"), c.GP64()
	c.MOVQ(n, x)
	repeat(c, n, func() {
		for range perLoop(c) {
			c.IMULQ(x, x)
		}
	})
	c.RET()
}

// perLoop is how many instructions of one kind a loop has, and how many registers they go round in: more than any
// latency times any rate.
func perLoop(c *emit.Ctx) int { return c.Const("perLoop") }

// Registers: 0 to 11 are worked on in turn, 12 is spare, 13 is the mask of byte rotations, 14 and 15 are operands.
func single(c *emit.Ctx, l level) {
	v := vec.V{Ctx: c, Width: l.w}
	a, b := v.Reg(14), v.Reg(15)
	each := func(name string, needs []string, op func(x vec.Reg)) {
		l.loop(c, name, needs, func(v vec.V) {
			for i := range perLoop(c) {
				op(v.Reg(i))
			}
		})
	}
	each("aes", l.aes, func(x vec.Reg) { v.AESEnc(a, x) })
	if l.w.Bytes == 16 {
		each("aeschain", l.aes, func(vec.Reg) { v.AESEnc(a, v.Reg(0)) })
	}
	each("clmul", l.aes, func(x vec.Reg) { v.Clmul(0x11, a, x, x) })
	each("add", l.plain, func(x vec.Reg) { v.AddD(a, x, x) })
	each("xor", l.plain, func(x vec.Reg) { v.Xor(a, x, x) })
	each("shuffle", l.plain, func(x vec.Reg) { v.Shuffle(v.Reg(13), x, x) })
	each("rotate", l.plain, func(x vec.Reg) { v.RotateLeftD(7, x, v.Reg(12), nil) })
	if l.w != vec.SSE {
		each("mul", l.plain, func(x vec.Reg) { v.VPMULUDQ(a, b, x) })
	}
	if l.w == vec.ZMM {
		each("ifma", append([]string{"ifma"}, l.plain...), func(x vec.Reg) { v.VPMADD52LUQ(a, b, x) })
	}
}

// mix is AES-GCM on one vector of blocks.
type mix struct{ rounds, multiplications, others int }

// Only the rounds wait for anything: for an earlier one on the same of nine registers.
func (m mix) emit(v vec.V) {
	a, b := v.Reg(14), v.Reg(15)
	for i := range max(m.rounds, m.others) {
		if i < m.rounds {
			v.AESEnc(a, v.Reg(i%9))
		}
		if i < m.multiplications {
			v.Clmul(0x11, a, b, v.Reg(9+i%2))
		}
		if i < m.others {
			v.Xor(a, b, v.Reg(11+i%2))
		}
	}
}

func quarterRound(v vec.V) {
	a := v.Reg(14)
	for i, n := range []uint8{16, 12, 8, 7} {
		v.AddD(a, v.Reg(i), v.Reg(i))
		v.Xor(a, v.Reg(4+i), v.Reg(4+i))
		v.RotateLeftD(n, v.Reg(8+i), v.Reg(12), v.Reg(13))
	}
}

// loop emits the function name with l's suffix, whose body runs n times.
func (l level) loop(c *emit.Ctx, name string, needs []string, body func(vec.V)) {
	c.Func(name+l.suffix, needs...)
	v := vec.V{Ctx: c, Width: l.w}
	n := c.Arg("n")
	for i := range 16 {
		v.Zero(v.Reg(i))
	}
	repeat(c, n, func() { body(v) })
	v.Return()
}

// repeat runs body n times.
func repeat(c *emit.Ctx, n reg.GPVirtual, body func()) {
	c.Align(32)
	c.Loop(emit.NotZero, func() {
		body()
		c.SUBQ(operand.Imm(1), n)
	})
}
