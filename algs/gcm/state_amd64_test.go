//go:build !purego

package gcm

import (
	"math/rand/v2"
	"testing"
	"unsafe"

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
				for _, n := range []int{0, 5, 16, 100, 129, 600, 2*asmBatch + 33} {
					for _, split := range []int{0, min(n&^(asmBatch-1), asmBatch)} { // what goes before the last call
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

// TestBlankKey works with a key object that has no key and lies behind an unmapped page.
func TestBlankKey(t *testing.T) {
	if !guard.Available {
		t.Log("NOT CHECKED HERE: memory has no hard edges")
	}
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		fresh := asmOf(d.NewAEAD(registry.Config{Chunk: registry.DefaultChunk}))
		if fresh == nil {
			t.Skip("not in assembly")
		}
		memory, err := guard.New(int(unsafe.Sizeof(asmKey{})))
		if err != nil {
			t.Fatal(err)
		}
		defer memory.Free()
		k := (*asmKey)(unsafe.Pointer(&memory.Before(int(unsafe.Sizeof(asmKey{})))[0]))
		*k = *fresh
		var blank registry.AEAD = k
		if k.impl == vaesAVX512 {
			blank = (*batchKey)(unsafe.Pointer(k))
		}
		buf := make([]byte, 1000+tagSize)
		for _, n := range []int{16, 1000} {
			if err := guard.Run(func() { blank.Seal(buf[:n+tagSize], buf[:12], buf[:n], nil) }); err != nil {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
	})
}
