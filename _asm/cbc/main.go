// Command cbc generates algs/cbc/cbc_*_amd64.s: AES in cipher block chaining mode (NIST SP 800-38A, section 6.2).
//
//	aesni        xmm, SSE: from Westmere on
//	aesni_avx    xmm: Sandy Bridge to Skylake, Zen 1 and 2
//	vaes_avx2    ymm: Zen 3, Alder Lake
//	vaes_avx512  zmm: Ice Lake, Zen 4 and later
//
// Decryption (decrypt.go) is ECB with the block of ciphertext before each block XORed into the last round key: one load
// and one XOR a register, which wait for nothing. In place, the output of one block is in the way of the next one's
// ciphertext. So the registers of a pass are finished from the last to the first, with that ciphertext from memory, and
// only the first one's is carried in a register from pass to pass:
//
//	time ->    | load 0 1 2 3 | rounds of 0 1 2 3 | finish and store 3 2 1 | 0, with what was carried |
//	next pass                                     | load 4 5 6 7 | rounds of 4 5 6 7 | finish ...
//
// Encryption (encrypt.go) is one chain: rounds times the latency of AES a block, at every level alike. All else is kept
// out of the chain: the XOR with the next plaintext is in the last round's key, and the ciphertext itself is made by a
// last round of its own:
//
//	chain      ... rounds of 0, last round with (key ^ plaintext 1 ^ first key) | rounds of 1 ...
//	beside it                   last round with key, store
//
// Of several messages each has a chain, in a block of its own of up to eight registers (lanes.go); zmm takes and gives
// two or four blocks of each at a time (stretch.go).
//
// NOTES.md has what was measured, and what was tried and left out.
package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("cbc", "algs/cbc",
		file("cbc_aesni_amd64.s", "AESNI", vec.SSE, "aesni"),
		file("cbc_aesni_avx_amd64.s", "AESNIAVX", vec.XMM, "aesni_avx"),
		file("cbc_vaes_avx2_amd64.s", "VAESAVX2", vec.YMM, "vaes_avx2"),
		file("cbc_vaes_avx512_amd64.s", "VAESAVX512", vec.ZMM, "vaes_avx512"))
}

func file(name, suffix string, w vec.Width, level string) emit.File {
	return emit.File{Name: name, Body: func(c *emit.Ctx) {
		one := vec.XMM // for what is one block at a time
		if w.Encoding == vec.Legacy {
			one = vec.SSE
		}
		c.Func("encrypt"+suffix, level)
		newEncryption(vec.V{Ctx: c, Width: one}).run()
		c.Func("encryptLanes"+suffix, level)
		newLanes(vec.V{Ctx: c, Width: w}, vec.V{Ctx: c, Width: one}).run()
		c.Func("decrypt"+suffix, level)
		newDecryption(vec.V{Ctx: c, Width: w}, vec.V{Ctx: c, Width: one}).run()
	}}
}

// args are the general registers of a function.
type args struct {
	dst, src, left reg.GPVirtual // addresses; bytes left
	iv             reg.GPVirtual // address
	first          reg.GPVirtual // address of the round keys
	rounds         reg.GPVirtual // 10, 12 or 14
}

// load loads the arguments of a function that uses the round keys called keys.
func load(v vec.V, keys string) args {
	a := args{first: v.GP64(), rounds: v.GP32()}
	k := v.Dereference(v.Param("k")).Field("FullSchedule")
	v.LEAQ(v.Addr(k.Field(keys).Index(0)), a.first)
	v.Ctx.Load(k.Field("rounds"), a.rounds)
	a.dst, a.src, a.left, a.iv = v.Arg("dst"), v.Arg("src"), v.Arg("n"), v.Arg("iv")
	return a
}

// forward moves both addresses n bytes on.
func (a *args) forward(v vec.V, n int) {
	v.ADDQ(operand.U32(uint32(n)), a.src)
	v.ADDQ(operand.U32(uint32(n)), a.dst)
}
