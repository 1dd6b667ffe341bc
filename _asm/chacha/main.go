// Command chacha generates algs/chacha/*_amd64.s.
//
// xorSSSE3, xorAVX2 and xorAVX512 are ChaCha (RFC 8439, any even number of rounds) and, at the same time, Poly1305 of
// other text in general registers, if there is a mac. Each has ChaCha in two shapes (chacha.go):
//
//	           wide                                in rows
//	SSSE3      4 blocks, 16 XMM                    1, 2 blocks
//	AVX2       8 blocks, 16 YMM                    2, 4, 6 blocks
//	AVX-512    16 blocks, 16 ZMM; 8 blocks, 16 YMM 2, 4 blocks
//
// AVX-512 (masked.go) does any text up to 24 blocks in one pass and ends with a masked store; 24 blocks are both of its
// wide shapes side by side, and what a longer text goes through: the two fill ports that sixteen blocks alone leave empty
// (two rounds take 79 cycles, and 56; 16 KiB take 0.92 times as long so). Intel's CPUs have two vector ports while ZMM are in
// use, whose 48 instructions a round for sixteen blocks fill them: 24 cycles, and 48 for 24 blocks, by count. There longer
// texts go through sixteen at a time (core.sixteens; not measured on Intel). The others (stepped.go) have no registers for two
// shapes at once, but general ones, for a block (scalar.go) or for Poly1305; a wide pass that is not all used on text goes
// through the stack. Key material: the first block of a pass may be split off, or be the one in general registers, so that
// Poly1305's key costs no pass of its own.
//
// sumIFMA (ifma.go) is Poly1305 in vector registers. Of a long text, 58 blocks of Poly1305 in 96 hide in general registers
// beside a pass of 24 blocks of xorAVX512, which takes 916 cycles from call to return without them and 933 with them; sumIFMA
// adds the others in 2.8 each. Sixteen blocks with 64 of Poly1305 in vector registers between their rounds took 817, which
// made 1.16 times as much of 16 KiB.
// The others:
//
//	shortAVX512 (short.go)                 all of ChaCha20-Poly1305 for a message of up to 192 bytes
//	packetIFMA (packet.go)                 the same for one of 193 to 512 bytes
//	macShort, macRest (tag.go)             Poly1305 in general registers: of a short message, and the end of a long one
//	sumAVX2 (lanes.go)                     Poly1305 in four lanes, where nothing is done beside it: 343 cycles for 34 blocks,
//	                                       which take macShort 470, and 228 for 18, which take it 251
//	addEight, squareEight (abreast.go)     Poly1305 of eight messages of a batch
//
// SSSE3 code needs no SSE4.1, AVX2 code no BMI2: Poly1305 multiplies with MULQ. AVX-512 code uses BMI2 for its masks.
//
// Measured on Zen 4 (3.69 GHz), in cycles:
//   - VPROLD and VPSHUFB take 2, adds, shifts and three-way XOR 1. So a group of rows takes 16 a round, and 12 in the form
//     of chacha.step with tmp2, if the rotations stand where rowRounds has them (elsewhere up to 14.5). Two groups take 16, and
//     20 in that form, which then fills the ports. (With this form in some steps of a round, and an order of instructions found
//     by trial, 15.)
//   - ZMM instructions take a pipe for two cycles, so of what fits in YMM: 4 blocks take 16 a round in two groups of YMM and
//     18 in one of ZMM, 8 take 20 wide in YMM and 24 in two groups of ZMM, 8 beside 16 wide take 40 and 46.
//   - Wide rounds take 28 in ZMM (24 if the ports were filled; see wideRounds) and 25 in YMM or XMM without VPROLD (16 by
//     the count of ports): they are bound by how the scheduler fills the ports.
//   - Short messages one after the other: rounds do not wait for the message before, but can begin only when their
//     instructions are in. Up to two blocks of Poly1305 all of the rest is in the shadow of rounds (280 a message from Go to
//     assembly, 260 without any Poly1305). From three on, those that wait for r fill the queues of the general registers, of 96
//     places, and nothing behind them comes in: 45 to 60 more at once and 12 a block. So what counts is the chain of
//     Poly1305, how many instructions wait in it, and how many come between it and the next message's rounds.
//   - 1 block to 16: 320 to 730 from call to return through the public API, of which the rounds are 240 to 560.
//
// # SSSE3 against Go code
//
// The goal was four times Go's speed. Go code takes 317 cycles a block, so that would be 79, and four blocks in XMM are 64
// instructions a round besides moves: 80 cycles a block on four pipes and nothing else done. It is 2.9 times at 16 KiB and
// 2.6 at 1420 bytes. Tried, in cycles for two rounds of four blocks:
//
//   - Four quarter rounds side by side, with one word in memory: 50. This is what is used.
//   - One pair of quarter rounds 1 to 4 instructions ahead of the other, through all rounds, with a_0, a_0 and a_2, c_0, all
//     of a or all of c in memory: 50 to 55.
//   - Two quarter rounds at a time, with half of row c in memory: 50.
//   - Eight blocks, all words in memory, one to three quarter rounds at a time: 52 to 54.
//   - A fifth block in general registers beside it: 50, for five blocks. This is what is used, too.
//
// One block takes 370 cycles, Go code 390: a row is 16 a round deep, Go's four quarter rounds 12 where they do not wait.
//
// Left out, with what was measured:
//   - Byte shuffles for rotations by 16 and 8 in ZMM: 1.04 to 1.09 times the time of VPROLD.
//   - Sums in vector registers for the shortest messages: powers up to r^16 take 146, the rest of such a sum 110, and each 16
//     blocks after the first 44; general registers took 15.7 a block then, and take 13.5.
//     They met at about 320 bytes.
//   - More than one block at a time in general registers. A MULQ takes as much of the four ALUs of Zen 4 as five additions do:
//     one and n additions take 1 + (n+1)/4 cycles, from three additions on. So a block, with four of them, takes 10 cycles of
//     those wherever it stands, and 13.5 in a chain. Four blocks a step, h = (h+a)*r^4 + b*r^3 + c*r^2 + d*r with one
//     reduction, have 22 of them, since no power of r is clamped and its third limb of 2 bits wants two more: 54 cycles.
//     Two, three and four chains side by side take 20.5, 29 and 39.4, and r^k to join them, with more multiplications.
//     Beside ChaCha with AVX2, two rounds of which take 51, four blocks take it to 55 in either form.
//   - With AVX2 and a sum over what is written, a fourth block of Poly1305 beside any two rounds: all that there is to add is
//     done after eight pairs of ten, and 16 KiB take 5207 ns instead of 5035. While more than twenty are left: 4918.
//   - With AVX2, passes of nine blocks, one in general registers, for text up to 2 KiB without Poly1305: no fewer passes.
//   - In packets, Poly1305's key ahead of the text, so that the powers of r are in the shadow of its last rounds: beside four
//     rounds of eight blocks, five of a block in rows of XMM take 99 cycles (107 with tmp2) and six in general registers 101.
//     Two and two take 40, with the text done when the key is.
//   - In packets, eight lanes in ZMM: a power up to r^8 and eight blocks take 36 and 38 cycles instead of 22 and 32.
//   - Two groups of sixteen blocks in all ZMM registers: 52 cycles for two rounds of sixteen instead of 56, for 2.5 KB of
//     code more. Two groups of eight in YMM: 57.
//   - Passes of 12 blocks, 8 wide and 4 in rows (50 for two rounds, 16 blocks take 56), and of 20, 16 wide and 4 in rows (74,
//     24 blocks take 79): 1 KB each.
//   - Rows in two groups of ZMM beside sixteen blocks, for Intel's cores, which have two vector ports while ZMM is in use: by
//     the count of ports 24 blocks take 78 for two rounds so and 96 as here. On Zen 4 it is 91 and 79. Not measured on Intel.
//   - sumAVX2 in eight lanes or two times four, with r^8: not tried. A step of four blocks takes 29 cycles, of which 13 are its
//     25 multiplications, which wait for carries and carries for them.
package main

import (
	"kcrypto/_asm/chacha20"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/poly1305"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("chacha", "algs/chacha",
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
