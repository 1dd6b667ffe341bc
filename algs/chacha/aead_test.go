package chacha

import (
	"bytes"
	"testing"

	"kcrypto/registry"
)

// TestTagsPlace opens messages whose tag does not follow the ciphertext, which no caller of the root package has.
func TestTagsPlace(t *testing.T) {
	r := newRand(t)
	for _, algorithm := range []string{aeadAlgorithm, espAlgorithm, "xchacha20poly1305"} {
		forEach(t, algorithm, func(t *testing.T, d *registry.Driver) {
			for n := range 601 {
				key, nonce, text, aad := random(r, d.KeySizes[0]), random(r, d.IVSize), random(r, n), random(r, 8)
				a := newAEADWithKey(t, d, chunks[n%len(chunks)], key)
				sealed := make([]byte, n+tagSize)
				a.Seal(sealed, nonce, text, aad)
				tag := bytes.Clone(sealed[n:])
				clear(sealed[n:])
				for _, in := range [][]byte{sealed[:n], sealed[:n:n]} {
					out := bytes.Repeat([]byte{0xa5}, n+tagSize)
					if !a.Open(out[:n], nonce, in, tag, aad) || !bytes.Equal(out[:n], text) {
						t.Fatalf("length %d: wrong output", n)
					}
					if !bytes.Equal(out[n:], bytes.Repeat([]byte{0xa5}, tagSize)) || !bytes.Equal(sealed[n:], make([]byte, tagSize)) {
						t.Fatalf("length %d: wrote to something that is not dst", n)
					}
				}
			}
		})
	}
}
