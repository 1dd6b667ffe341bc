// Command chacha generates algs/chacha/chacha_*_amd64.s.
package main

import (
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

func main() {
	emit.Main("chacha", "algs/chacha",
		file("chacha_avx512_amd64.s", func(c *emit.Ctx) {
			c.Func("xorAVX512", "avx512", "bmi2")
			xorMasked(newChaCha(vec.V{Ctx: c, Width: vec.ZMM}))
		}))
}

func file(name string, body func(c *emit.Ctx)) emit.File { return emit.File{Name: name, Body: body} }
