//go:build !purego

package chacha

import (
	"bytes"
	"testing"

	"kcrypto/registry"
)

// TestPoly1305KeepsUp: with fewer rounds than ChaCha20 has, less of Poly1305 fits between them, and the rest is added
// after: before the text is overwritten here, as it is in place.
func TestPoly1305KeepsUp(t *testing.T) {
	r := newRand(t)
	eachImpl(t, func(t *testing.T, impl impl) {
		for _, rounds := range []int{2, 8, 12, 20} {
			config := registry.Config{Chunk: 65536}
			c, plain := newCore(config, impl, rounds), newCore(config, generic, rounds)
			for n := 0; n <= longest; n += 16 {
				for _, keyed := range []bool{false, true} {
					if err := keepsUp(&c, &plain, random(r, 32), random(r, 16), random(r, n), keyed); err != "" {
						t.Fatalf("%d rounds, %d bytes, with a key %v: %s", rounds, n, keyed, err)
					}
				}
			}
		}
	})
}

// keepsUp compares a call in place with the portable code: the text, its sum and, if one is wanted, the first block,
// of which a call need leave no more than half. It returns what is wrong.
func keepsUp(c, plain *core, key, iv, text []byte, keyed bool) string {
	c.SetKey(key)
	plain.SetKey(key)
	iv[3] &= 0x7f // the counter does not run over
	var wantSt state
	plain.input(&wantSt, iv)
	var m, want poly1305
	m.init(key)
	want.init(key)
	want.blocks(text)
	var block, wantBlock [BlockSize]byte
	mc := beside(&m, text, noLag)
	if keyed {
		xorGeneric(wantBlock[:], wantBlock[:], &wantSt, plain.rounds)
		mc = beside(&m, bytes.Clone(text), noLag) // a sum under this key could not have begun yet
		mc.key = &block
	}
	out := bytes.Clone(text)
	xorGeneric(out, out, &wantSt, plain.rounds)
	c.call(text, text, &iv[0], 0, &mc)
	var got, tag [tagSize]byte
	m.sum(got[:])
	want.sum(tag[:])
	switch {
	case !bytes.Equal(text, out):
		return "wrong text"
	case !bytes.Equal(block[:BlockSize/2], wantBlock[:BlockSize/2]):
		return "wrong first block"
	case got != tag:
		return "wrong sum"
	case mc.key != nil || mc.n != 0:
		return "something is left to do"
	}
	return ""
}
