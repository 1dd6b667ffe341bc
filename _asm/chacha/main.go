// Command chacha generates algs/chacha/*_amd64.s: ChaCha (RFC 8439, any even number of rounds), Poly1305, and both at
// once. Package chacha20 has the block function and package poly1305 the sums; the files here put them together.
//
//	function               CPUs             what one call does
//	xorSSSE3               SSSE3            text XOR keystream, and beside it Poly1305 of other text (stepped.go)
//	xorAVX2                AVX2             the same
//	xorAVX512              AVX-512, BMI2    the same (masked.go)
//	xorBlock               all              text of up to 64 bytes XOR keystream, in general registers (block.go)
//	shortAVX512            AVX-512, BMI2    all of ChaCha20-Poly1305 for a message of up to 192 bytes (short.go)
//	packetIFMA             and IFMA         the same for one of 193 to 512 bytes (packet.go)
//	sumIFMA                and IFMA         Poly1305 of a text in eight lanes
//	addEight, squareEight  and IFMA         Poly1305 of eight messages, a lane each
//	sumAVX2                AVX2             Poly1305 of a text in four lanes
//	macShort, macRest      all              Poly1305 in general registers: of a short message; the end of a long one
//
// A call of an xor function goes through its text in passes. A pass makes some blocks of keystream side by side:
//
//	         wide: a register has one word of    in rows: a register has a row of four words of
//	SSSE3    4 blocks (16 XMM)                   1 block, in one group of four registers or two
//	AVX2     8 blocks (16 YMM)                   2 blocks, in one to three groups
//	AVX-512  16 (16 ZMM) and 8 (16 YMM) blocks   2 blocks, in one group or two
//
// The rounds leave general registers idle. These have blocks of Poly1305, one in each slot between steps of the rounds,
// or one more block of ChaCha, from which Poly1305's key comes:
//
//	time ->            | choose | load  | round 1, 2 | 3, 4 | ... | 19, 20 | add input, transpose | XOR, store |
//	vector registers   |        | input | rounds     | rounds ...        | keystream            | text       |
//	general registers  | limits |       | h = (h + block) * r, again and again, until the limit  | addresses  |
//	                   |        |       | or: one block of ChaCha                                |            |
//
// How far the sum may go in a pass is its limit. When sealing that is what is written already; what a pass would
// overwrite is added before it does.
//
// Registers (each file has its own table):
//
//	           SSSE3, AVX2                         AVX-512
//	vector     0-15 words or groups of rows        Z0-15 sixteen blocks; Y16-31 eight, or groups; Z31 the last block
//	general    all fourteen: Poly1305, or 13 words of a block and a temporary. Addresses wait where the arguments were.
//	frame      words that wait, the block in general registers, with AVX2 and SSSE3 the keystream of a last pass
//
// SSSE3 code needs no SSE4.1 and AVX2 code no BMI2: Poly1305 multiplies with MULQ. NOTES.md has what was measured.
package main

import (
	"kcrypto/_asm/chacha20"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/poly1305"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("chacha", "algs/chacha",
		file("block_amd64.s", func(c *emit.Ctx) {
			c.Func("xorBlock", "sse2")
			xorBlock(c)
		}),
		file("poly1305_amd64.s", func(c *emit.Ctx) {
			c.Func("macShort", "sse2")
			poly1305.MacShort(c)
			c.Func("macRest", "sse2")
			poly1305.MacRest(c)
		}),
		file("poly1305_avx2_amd64.s", func(c *emit.Ctx) {
			c.Func("sumAVX2", "avx2")
			poly1305.SumAVX2(c)
		}),
		file("short_avx512_amd64.s", func(c *emit.Ctx) {
			c.Func("shortAVX512", "avx512", "bmi2")
			newShort(c).emit()
		}),
		file("chacha_avx512_ifma_amd64.s", func(c *emit.Ctx) {
			c.Func("sumIFMA", "avx512", "ifma", "bmi2")
			poly1305.SumIFMA(c)
			c.Func("packetIFMA", "avx512", "ifma", "bmi2")
			packetIFMA(c)
		}),
		file("abreast_avx512_ifma_amd64.s", func(c *emit.Ctx) {
			c.Func("squareEight", "avx512", "ifma", "bmi2")
			poly1305.SquareEight(c)
			c.Func("addEight", "avx512", "ifma", "bmi2")
			poly1305.AddEight(c)
		}),
		file("chacha_avx512_amd64.s", func(c *emit.Ctx) {
			c.Func("xorAVX512", "avx512", "bmi2")
			(&masked{ChaCha: chacha20.New(vec.V{Ctx: c, Width: vec.ZMM})}).xor()
		}),
		file("chacha_avx2_amd64.s", func(c *emit.Ctx) {
			c.Func("xorAVX2", "avx2")
			newStepped(chacha20.New(vec.V{Ctx: c, Width: vec.YMM})).xor()
		}),
		file("chacha_ssse3_amd64.s", func(c *emit.Ctx) {
			c.Func("xorSSSE3", "ssse3")
			newStepped(chacha20.New(vec.V{Ctx: c, Width: vec.SSE})).xor()
		}))
}

func file(name string, body func(c *emit.Ctx)) emit.File { return emit.File{Name: name, Body: body} }
