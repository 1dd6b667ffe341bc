// Command ctr generates algs/ctr/*_amd64.s: AES in counter mode, ctr(aes) (NIST SP 800-38A, section 6.5) and xctr(aes)
// (P. Crowley, N. Huckleberry and E. Biggers, "Length-preserving encryption with HCTR2", 2021), from one template.
//
//	file         | for CPUs with                  | a register holds
//	-------------|--------------------------------|-----------------------------------------------------
//	aesni        | AES-NI, SSE4.1 (from Westmere) | 1 block, SSE-encoded: for CPUs without AVX
//	aesni_avx    | AVX (from Sandy Bridge)        | 1 block
//	vaes_avx2    | VAES, AVX2 (Zen 3, Alder Lake) | 2 blocks
//	vaes_avx512  | VAES, AVX-512 (Ice Lake, Zen 4)| 4 blocks; 32 registers, so round keys stay in them; masks
//
// The body is the same for all: eight registers of counters at a time, encrypted round by round, which hides the
// latency of AES (3 cycles on Intel's cores, 4 on AMD's, 1 to 2 issued in each), then less and less (package walk).
// Widths differ in how the last bytes are done: with masks (masked.go) or piece by piece (narrow.go).
//
// # What it costs
//
// AES is the bound: 10, 12 or 14 rounds a block. Everything else shares ports with it on AMD's cores (of the four
// vector pipes, AES has two, and an addition that takes one of these is an AES round less) and one of two on Intel's.
// So the aim is few instructions beside AES, and these four a register are what is left: two make the counters
// (counter.go), one XORs the input into the last round key, one stores. At 16 KiB vaes_avx512 reaches 99 % of the
// limit on Zen 4. For Ice Lake and Sapphire Rapids, llvm-mca (LLVM 14) gives 80.1 and 112.1 cycles a pass of its loop,
// AES-128 and AES-256: port 0 is full with the 80 and 112 rounds, port 5 a third and a quarter busy.
//
// Short messages are bound by latency and by how many of them the processor can have in flight. What counts there is
// the number of instructions and of stores from the caller to the last byte; see also the key object in algs/ctr.
//
// # Tried and left out
//
// Measured on Zen 4, interleaved, low percentiles, in cycles; AES-128 unless said otherwise.
//
//   - Counters as little-endian numbers and a byte shuffle for each register: 291 cycles for 1420 bytes against 275
//     without, and 3 % more for long messages with AES-256: the shuffle and AES share a port. See counter.go.
//   - Four, two and one registers after the loop instead of code for each number of registers, under AVX-512: 298
//     cycles against 291 for 1420 bytes. It is what the narrower widths do, to keep their code small.
//   - Loading the IV 16 or 8 bytes at a time: 66 cycles for 16 bytes and 281 for 1420 against 29 and 234 with 4 bytes
//     at a time, when the caller has just stored into the IV. See loadIV.
//   - Two groups of four registers in the loop, one behind the other: 96.5 % of the limit against 98 % at 64 KiB, AES-256.
//   - The next counters made all at once between two passes, not woven into the rounds: no difference with AES-128,
//     97.6 % of the limit against 99.1 % at 16 KiB with AES-256. It takes eight registers more, so only AVX-512 weaves.
package main

import (
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("ctr", "algs/ctr",
		file("ctr_aesni_amd64.s", "ctrAESNI", vec.SSE, "aesni"),
		file("ctr_aesni_avx_amd64.s", "ctrAESNIAVX", vec.XMM, "aesni_avx"),
		file("ctr_vaes_avx2_amd64.s", "ctrVAESAVX2", vec.YMM, "vaes_avx2"),
		file("ctr_vaes_avx512_amd64.s", "ctrVAESAVX512", vec.ZMM, "vaes_avx512"),
		file("xctr_aesni_avx_amd64.s", "xctrAESNIAVX", vec.XMM, "aesni_avx"),
		file("xctr_vaes_avx2_amd64.s", "xctrVAESAVX2", vec.YMM, "vaes_avx2"),
		file("xctr_vaes_avx512_amd64.s", "xctrVAESAVX512", vec.ZMM, "vaes_avx512"))
}

func file(name, fn string, w vec.Width, level string) emit.File {
	return emit.File{Name: name, Body: func(c *emit.Ctx) {
		c.Func(fn, level)
		b := newBody(vec.V{Ctx: c, Width: w}, fn[0] == 'x')
		if w.Encoding == vec.EVEX {
			b.masked()
		} else {
			b.narrow()
		}
	}}
}
