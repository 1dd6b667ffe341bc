package aesni_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/internal/probe"
	"kcrypto/_asm/vec"
)

// TestRounds encrypts and decrypts with every width, number of keys held in registers, and number of data registers,
// with small code or not, and compares with crypto/aes. The steps woven in count themselves, and the test looks at the
// count.
func TestRounds(t *testing.T) {
	var decls, table strings.Builder
	var bodies []func(c *emit.Ctx)
	for _, p := range probe.Variants(t) {
		for _, held := range []int{0, 1, 5, 10, 11, 14} {
			for i, data := range []int{1, 3, 1, 3} {
				small := i > 1
				if held+data+2 > p.Width.Registers() {
					continue
				}
				name := fmt.Sprintf("%s_%d_%d_%t", p.Name, held, data, small)
				for _, dir := range []string{"enc", "dec"} {
					fmt.Fprintf(&decls, "//go:noescape\nfunc %s%s(buf, key *byte, rounds int) (steps int)\n\n", dir, name)
				}
				fmt.Fprintf(&table, "\t{%q, %d, enc%s, dec%s},\n", name, data*p.Width.Bytes, name, name)
				bodies = append(bodies, func(c *emit.Ctx) {
					c.FuncType("enc"+name, "func(buf, key *byte, rounds int) (steps int)", p.Needs...)
					cipher(vec.V{Ctx: c, Width: p.Width}, held, data, small, (*aesni.Keys).Encrypt, (*aesni.Keys).EncryptLast)
					c.FuncType("dec"+name, "func(buf, key *byte, rounds int) (steps int)", p.Needs...)
					cipher(vec.V{Ctx: c, Width: p.Width}, held, data, small, (*aesni.Keys).Decrypt, (*aesni.Keys).DecryptLast)
				})
			}
		}
	}
	fmt.Fprintf(&decls, `var variants = []struct {
	name string
	bytes int
	enc, dec func(buf, key *byte, rounds int) int
}{
%s}
`, &table)
	probe.Run(t, "rounds_test.go.txt", decls.String(), func(c *emit.Ctx) {
		for _, b := range bodies {
			b(c)
		}
	})
}

func cipher(v vec.V, held, data int, small bool, middle func(*aesni.Keys, []vec.Reg, *vec.Steps),
	last func(*aesni.Keys, ...vec.Reg)) {
	buf, key, rounds := v.Arg("buf"), v.Arg("key"), v.Arg("rounds")
	blocks := v.Range(0, data)
	for i, x := range blocks {
		v.Load(operand.Mem{Base: buf, Disp: i * v.Bytes}, x)
	}
	keys := aesni.NewKeys(v, key, rounds.As32(), v.Reg(data), v.Range(data+1, held)...)
	if small {
		keys = keys.Small()
	}
	count := v.GP64()
	v.XORL(count.As32(), count.As32())
	var steps vec.Steps
	for range 25 {
		steps.Add(func() { v.INCQ(count) })
	}
	keys.White(blocks...)
	middle(keys, blocks, &steps)
	last(keys, blocks...)
	for i, x := range blocks {
		v.Store(x, operand.Mem{Base: buf, Disp: i * v.Bytes})
	}
	v.Ctx.Store(count, v.Ctx.Return("steps"))
	v.Return()
}
