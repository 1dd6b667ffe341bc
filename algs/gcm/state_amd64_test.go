//go:build !purego

package gcm

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"kcrypto/internal/aes"
	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// asmOf returns what assembly sees of a key object, or nil if it is not for assembly.
func asmOf(a registry.AEAD) *asmKey {
	switch k := a.(type) {
	case *asmKey:
		return k
	case *batchKey:
		return &k.asmKey
	}
	return nil
}

// TestStateForgets looks at what a message leaves on the stack: the tag, and the lengths that the caller set. Anything
// else there could tell the key.
func TestStateForgets(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		k := asmOf(d.NewAEAD(registry.Config{Chunk: registry.DefaultChunk}))
		if k == nil {
			t.Skip("not in assembly")
		}
		rng := rand.NewChaCha8([32]byte{12})
		if err := k.SetKey(randomBytes(rng, 16)); err != nil {
			t.Fatal(err)
		}
		for what, work := range map[string]func(*asmKey, *state, *byte, []byte, []byte, []byte, *[tagSize]byte){"seal": (*asmKey).seal, "open": (*asmKey).open} {
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

// TestKeyEdges works with a key object that has an unmapped page behind it, and with one that has it in front: assembly
// reads whole registers of powers, also for parts of registers of text, and counts round keys from the last one. With a key
// and without.
func TestKeyEdges(t *testing.T) {
	if !guard.Available {
		t.Log("NOT CHECKED HERE: memory has no hard edges")
	}
	const size = int(unsafe.Sizeof(asmKey{}))
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		fresh := asmOf(d.NewAEAD(registry.Config{Chunk: registry.DefaultChunk}))
		if fresh == nil {
			t.Skip("not in assembly")
		}
		memory, err := guard.New(size)
		if err != nil {
			t.Fatal(err)
		}
		defer memory.Free()
		rng := rand.NewChaCha8([32]byte{13})
		for side, at := range map[string][]byte{"in front": memory.Before(size), "behind": memory.After(size)} {
			k := (*asmKey)(unsafe.Pointer(&at[0]))
			*k = *fresh
			for _, keySize := range []int{0, 16, 24, 32} {
				err := guard.Run(func() {
					if keySize > 0 {
						k.SetKey(randomBytes(rng, keySize))
					}
				})
				if err != nil {
					t.Fatalf("unmapped %s, key of %d: SetKey: %v", side, keySize, err)
				}
				for n := 0; n <= 2*loopBytes+64; n++ {
					for _, aad := range []int{n % 17, 17 + n*5%600} {
						if err := guard.Run(func() { useKey(k, n, aad) }); err != nil {
							t.Fatalf("unmapped %s, key of %d: text of %d bytes, additional data of %d: %v", side, keySize, n, aad, err)
						}
					}
				}
			}
		}
	})
}

// useKey has all the assembly of k work on text of n bytes.
func useKey(k *asmKey, n, aadSize int) {
	var one registry.AEAD = k
	text, aad, out, nonce := make([]byte, n), make([]byte, aadSize), make([]byte, n+tagSize), make([]byte, blockSize)
	if k.impl == aes.VAESAVX512 {
		many := (*batchKey)(unsafe.Pointer(k))
		many.SealBatch([]registry.Packet{{Dst: out, Nonce: nonce[:nonceSize], Src: text, AAD: aad}}, tagSize)
		many.OpenBatch([]registry.Packet{{Dst: text, Nonce: nonce[:nonceSize], Src: out, AAD: aad}}, tagSize)
		one = many
	}
	for _, nonce := range [][]byte{nonce[:nonceSize], nonce} { // a whole message, and in parts
		one.Seal(out, nonce, text, aad)
		one.Open(out[:n], nonce, out[:n], out[n:], aad)
	}
}
