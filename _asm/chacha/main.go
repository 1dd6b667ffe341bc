// Command chacha generates algs/chacha/chacha_*_amd64.s.
package main

import (
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("chacha", "algs/chacha",
		file("poly1305_amd64.s", func(c *emit.Ctx) {
			c.Func("macShort", "sse2")
			macShort(c)
		}),
		file("chacha_avx512_ifma_amd64.s", func(c *emit.Ctx) {
			c.Func("bulkIFMA", "avx512", "ifma")
			bulkIFMA(c)
		}),
		file("chacha_avx512_amd64.s", func(c *emit.Ctx) {
			c.Func("xorAVX512", "avx512", "bmi2")
			(&masked{chacha: newChaCha(vec.V{Ctx: c, Width: vec.ZMM})}).xor()
		}),
		file("chacha_avx2_amd64.s", func(c *emit.Ctx) {
			c.Func("xorAVX2", "avx2")
			newStepped(newChaCha(vec.V{Ctx: c, Width: vec.YMM})).xor()
		}),
		file("chacha_ssse3_amd64.s", func(c *emit.Ctx) {
			c.Func("xorSSSE3", "ssse3")
			newStepped(newChaCha(vec.V{Ctx: c, Width: vec.SSE})).xor()
		}))
}

func file(name string, body func(c *emit.Ctx)) emit.File { return emit.File{Name: name, Body: body} }
