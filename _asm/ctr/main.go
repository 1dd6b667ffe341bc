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
// One call makes the first counters, goes through the text in a loop of eight registers of counters at a time,
// encrypted round by round, which hides the latency of AES (3 cycles on Intel's cores, 4 on AMD's, 1 to 2 issued in
// each), and then through less and less (package walk). Widths differ in how the last bytes are done: with masks
// (masked.go) or piece by piece (narrow.go). A single block has straight code of its own.
//
//	time ->       | pass 1                 | pass 2                 | pass 3
//	AES           | rounds of 8 registers  | rounds of 8 registers  | ...
//	beside        | counters of pass 2 (AVX-512; elsewhere they are made before the rounds)
//	              | input XOR last key     | input XOR last key     | ...
//	stores        |   six registers behind |   six registers behind | ...
//
// AES is the bound: 10, 12 or 14 rounds a block. Everything else shares ports with it, so the aim is few instructions
// beside AES. These four a register are what is left: two make the counters (counter.go), one XORs the input into the
// last round key, one stores. Short messages are bound by latency and by how many of them the processor can have in
// flight. What counts there is the number of instructions and of stores from the caller to the last byte; see also the
// key object in algs/ctr.
//
// type body has the table of registers, and NOTES.md what was measured, and what was tried and left out.
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
