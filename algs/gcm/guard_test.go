package gcm

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"

	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// TestGuardPages puts every operand beside an unmapped page, first behind it and then before it. Inputs cannot be
// written to.
func TestGuardPages(t *testing.T) {
	if !guard.Available {
		t.Log("NOT RUN HERE: memory has no hard edges; results alone are checked")
	}
	const most = 8192
	names := []string{"nonce", "additional data", "text", "sealed", "opened", "ciphertext", "tag"}
	arenas := map[string]*guard.Arena{}
	for _, name := range names {
		a, err := guard.New(most)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Free()
		arenas[name] = a
	}
	sides := map[string]func(name string, n int) []byte{
		"behind": func(name string, n int) []byte { return arenas[name].After(n) },
		"before": func(name string, n int) []byte { return arenas[name].Before(n) },
	}
	var sizes []int
	for n := 0; n <= 600; n += step() {
		sizes = append(sizes, n)
	}
	for n := 4096 - 20; n <= 4096+20; n += step() {
		sizes = append(sizes, n)
	}
	eachPair(t, func(t *testing.T, p *pair, rng *rand.ChaCha8) {
		for side, memory := range sides {
			for i, n := range sizes {
				tag := []int{4, 8, 12, 13, 14, 15, 16}[i%7]
				nonce, aad, text := memory("nonce", 12+i%3*2), memory("additional data", i%70), memory("text", n)
				for _, b := range [][]byte{nonce, aad, text} {
					rng.Read(b)
				}
				want := p.seal(nonce, text, aad, tag)
				sealed, opened := memory("sealed", n+tag), memory("opened", n)
				ciphertext, theTag := memory("ciphertext", n), memory("tag", tag)
				copy(ciphertext, want)
				copy(theTag, want[n:])
				readOnly(t, arenas, func() {
					err := guard.Run(func() { p.Seal(sealed, nonce, text, aad) })
					if err != nil || !bytes.Equal(sealed, want) {
						t.Fatalf("%s: unmapped %s each operand: sealing %d bytes, additional data of %d, tag of %d: %v", p.what, side, n, len(aad), tag, err)
					}
					ok := false
					err = guard.Run(func() { ok = p.Open(opened, nonce, ciphertext, theTag, aad) })
					if err != nil || !ok || !bytes.Equal(opened, text) {
						t.Fatalf("%s: unmapped %s each operand: opening %d bytes, additional data of %d, tag of %d: %v", p.what, side, n, len(aad), tag, err)
					}
				})
			}
		}
	})
}

// TestTagLast seals into memory that ends where the tag begins. All of the text must be there when the tag is stored, as
// nothing else may be stored in its place before: where others see dst, the encryption of J0 would tell them H.
func TestTagLast(t *testing.T) {
	if !guard.Available {
		t.Skip("NOT RUN HERE: memory has no hard edges")
	}
	memory, err := guard.New(registry.DefaultChunk + 100)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Free()
	eachPair(t, func(t *testing.T, p *pair, rng *rand.ChaCha8) {
		if _, ours := p.AEAD.(*stdlib); ours {
			t.Skip("Go's own code stores parts of blocks whole")
		}
		for _, n := range []int{1, 16, 17, 192, 193, 512, 513, 1420, registry.DefaultChunk, registry.DefaultChunk + 100} {
			for _, aadSize := range []int{0, 16, 17, 600} {
				nonce, text, aad := randomBytes(rng, nonceSize), randomBytes(rng, n), randomBytes(rng, aadSize)
				want, out := p.seal(nonce, text, aad, tagSize), memory.After(n)
				clear(out)
				err := guard.Run(func() { p.Seal(unsafe.Slice(&out[0], n+tagSize), nonce, text, aad) })
				if err == nil || !bytes.Equal(out, want[:n]) {
					t.Fatalf("%s: text of %d bytes, additional data of %d: something is stored where the tag goes before the text is (%v)",
						p.what, n, aadSize, err)
				}
			}
		}
	})
}

// readOnly runs f while the inputs cannot be written to.
func readOnly(t *testing.T, arenas map[string]*guard.Arena, f func()) {
	t.Helper()
	change := func(to func(*guard.Arena) error) {
		for _, name := range []string{"nonce", "additional data", "text", "ciphertext", "tag"} {
			if err := to(arenas[name]); err != nil {
				t.Fatal(err)
			}
		}
	}
	defer change((*guard.Arena).Unprotect)
	change((*guard.Arena).Protect)
	f()
}
