//go:build !purego

package gcm

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"

	"kcrypto/internal/cpu"
	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// eachAsmKey runs test on a key object of every driver in assembly that can work here: as assembly sees it, and whole.
func eachAsmKey(t *testing.T, chunk int, test func(t *testing.T, k *asmKey, whole registry.AEAD)) {
	for _, d := range asmDrivers() {
		t.Run(d.Name, func(t *testing.T) {
			if lacks := cpu.Host().Missing(d.Needs); lacks != nil {
				t.Skipf("NOT RUN HERE: this machine lacks %v", lacks)
			}
			switch k := d.NewAEAD(registry.Config{Chunk: chunk}).(type) {
			case *asmKey:
				test(t, k, k)
			case *batchKey:
				test(t, &k.asmKey, k)
			default:
				t.Fatalf("%T is not in assembly", k)
			}
		})
	}
}

// TestStateForgets looks at what a message leaves on the stack: the tag, and the lengths that the caller set. Anything
// else there could tell the key.
func TestStateForgets(t *testing.T) {
	eachAsmKey(t, registry.DefaultChunk, func(t *testing.T, k *asmKey, _ registry.AEAD) {
		rng := rand.NewChaCha8([32]byte{12})
		if err := k.SetKey(randomBytes(rng, 16)); err != nil {
			t.Fatal(err)
		}
		type step = func(*asmKey, *state, *byte, []byte, []byte, []byte, *[tagSize]byte)
		for what, work := range map[string]step{"seal": (*asmKey).seal, "open": (*asmKey).open} {
			for _, nonceSize := range []int{12, 16} {
				for _, n := range []int{0, 5, 16, 100, 129, 600, 2*loopBytes + 33} {
					for _, split := range []int{0, min(n&^(loopBytes-1), loopBytes)} { // what goes before the last call
						s := state{lengths: [2]uint64{uint64(n) * 8, 40}, begin: 1}
						iv, aad := k.prepare(&s, randomBytes(rng, nonceSize), randomBytes(rng, 5))
						text := randomBytes(rng, n)
						if split > 0 {
							work(k, &s, iv, aad, text, text[:split], nil)
							if s.y == [blockSize]byte{} || s.counter == [blockSize]byte{} {
								t.Fatal("nothing is kept from call to call: this test sees nothing")
							}
							iv, aad, s.begin = nil, nil, 0
						}
						work(k, &s, iv, aad, text[split:], text[split:], &s.tag)
						if (s != state{tag: s.tag, lengths: [2]uint64{uint64(n) * 8, 40}, begin: s.begin}) {
							t.Errorf("%s of %d bytes, %d of them in a call before the last, nonce of %d: % x is left of the state",
								what, n, split, nonceSize, unsafe.Slice((*byte)(unsafe.Pointer(&s)), unsafe.Sizeof(s)))
						}
					}
				}
			}
		}
	})
}

// TestTagLast seals into memory that ends where the tag begins. All of the text must be there when the tag is stored,
// as nothing else may be stored in its place before: from the encryption of J0, others who see dst would have H.
func TestTagLast(t *testing.T) {
	if !guard.Available {
		t.Skip("NOT RUN HERE: memory has no hard edges")
	}
	memory, err := guard.New(registry.DefaultChunk + 100)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Free()
	for _, chunk := range []int{1, registry.DefaultChunk} {
		eachAsmKey(t, chunk, func(t *testing.T, _ *asmKey, a registry.AEAD) {
			rng := rand.NewChaCha8([32]byte{9})
			key, model := randomBytes(rng, 32), new(generic)
			if a.SetKey(key) != nil || model.SetKey(key) != nil {
				t.Fatal("no key")
			}
			for _, n := range []int{1, 16, 17, 192, 193, 512, 513, 1420, registry.DefaultChunk, registry.DefaultChunk + 100} {
				for _, aadSize := range []int{0, 16, 17, 600} {
					nonce, text, aad := randomBytes(rng, nonceSize), randomBytes(rng, n), randomBytes(rng, aadSize)
					want, out := make([]byte, n+tagSize), memory.After(n)
					model.Seal(want, nonce, text, aad)
					clear(out)
					err := guard.Run(func() { a.Seal(unsafe.Slice(&out[0], n+tagSize), nonce, text, aad) })
					if err == nil || !bytes.Equal(out, want[:n]) {
						t.Fatalf("chunks of %d, text of %d bytes, additional data of %d: something is stored where the tag goes "+
							"before the text is (%v)", chunk, n, aadSize, err)
					}
				}
			}
		})
	}
}
