package chacha

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"kcrypto/registry"
)

// besideGeneric runs f for the drivers of an algorithm in assembly, with the generic one.
func besideGeneric(t *testing.T, algorithm string, f func(t *testing.T, d, generic *registry.Driver)) {
	all := allDrivers()
	base := slices.IndexFunc(all, func(d registry.Driver) bool { return d.Algorithm == algorithm && d.Impl == "generic" })
	for _, d := range all {
		if d.Algorithm == algorithm && d.Impl != "generic" && d.Impl != "stdlib" {
			t.Run(d.Name, func(t *testing.T) { f(t, &d, &all[base]) })
		}
	}
}

// longest is twice the text of the widest pass and a bit.
const longest = 2*1536 + 64

// TestAEADBesideGeneric compares what the suite of the root package leaves out: all sizes of text and additional
// data together where they go through one call of assembly, and long messages in chunks of several sizes; sealed and
// opened, out of place and in place.
func TestAEADBesideGeneric(t *testing.T) {
	r := newRand(t)
	besideGeneric(t, aeadAlgorithm, func(t *testing.T, d, generic *registry.Driver) {
		check := func(n, aadLen, chunk int) {
			t.Helper()
			key, nonce, text, aad := random(r, 32), random(r, 12), random(r, n), random(r, aadLen)
			want, got := make([]byte, n+16), bytes.Repeat([]byte{0xa5}, n+80)
			newAEADWithKey(t, generic, 65536, key).Seal(want, nonce, text, aad)
			a := newAEADWithKey(t, d, chunk, key)
			a.Seal(got[:n+16], nonce, text, aad)
			if !bytes.Equal(got[:n+16], want) || !bytes.Equal(got[n+16:], bytes.Repeat([]byte{0xa5}, 64)) {
				t.Fatalf("length %d, additional data %d, chunk %d: wrong output of Seal", n, aadLen, chunk)
			}
			copy(got, text)
			a.Seal(got[:n+16], nonce, got[:n], aad)
			if !bytes.Equal(got[:n+16], want) {
				t.Fatalf("length %d, additional data %d, chunk %d: wrong output of Seal in place", n, aadLen, chunk)
			}
			back := make([]byte, n)
			if !a.Open(back, nonce, want[:n], want[n:], aad) || !bytes.Equal(back, text) {
				t.Fatalf("length %d, additional data %d, chunk %d: wrong output of Open", n, aadLen, chunk)
			}
			if !a.Open(got[:n], nonce, got[:n], want[n:], aad) || !bytes.Equal(got[:n], text) {
				t.Fatalf("length %d, additional data %d, chunk %d: wrong output of Open in place", n, aadLen, chunk)
			}
			copy(got, want)
			got[int(r.Uint64()%uint64(n+16))] ^= 1 << (r.Uint64() % 8)
			if a.Open(back, nonce, got[:n], got[n:n+16], aad) {
				t.Fatalf("length %d, additional data %d, chunk %d: accepted with a bit flipped", n, aadLen, chunk)
			}
		}
		for n := range 257 { // what goes through one call of assembly, and a bit more
			for aad := range 81 {
				check(n, aad, 65536)
			}
		}
		for range 300 {
			check(int(r.Uint64()%20000), int(r.Uint64()%3000), 64<<(r.Uint64()%9))
		}
	})
}

// TestFarBlocksBesideGeneric: short texts from blocks far behind the IV's counter, by random states. Where a block
// number is added to a word of the state, one sum in five hundred has a carry, which must not come into the next word.
func TestFarBlocksBesideGeneric(t *testing.T) {
	r := newRand(t)
	for _, algorithm := range []string{"chacha20", "xchacha20"} {
		besideGeneric(t, algorithm, func(t *testing.T, d, generic *registry.Driver) {
			src, want, got := random(r, 256), make([]byte, 256), make([]byte, 256)
			key, iv := make([]byte, 32), make([]byte, d.IVSize)
			for i := range 10_000 {
				r.Read(key)
				r.Read(iv)
				if d.IVSize == 16 {
					iv[3] &= 0x7f // the counter does not run over
				}
				block, n := uint64(1<<23-1-i%100), 1+int(r.Uint64()%64)
				if i%8 == 0 {
					n = 256
				}
				newStreamCipher(t, generic, 65536, key).XORBlocks(want[:n], src[:n], iv, block)
				newStreamCipher(t, d, 65536, key).XORBlocks(got[:n], src[:n], iv, block)
				if !bytes.Equal(got[:n], want[:n]) {
					t.Fatalf("%d bytes from block %d, key %x, iv %x: wrong output", n, block, key, iv)
				}
			}
		})
	}
}

// TestRandomStatesBesideGeneric compares runs of 1 to 40 blocks from random states with generic; every fourth comes
// up to the end of the counter. A million states in all but -short.
func TestRandomStatesBesideGeneric(t *testing.T) {
	r := newRand(t)
	states := 1000000
	if testing.Short() {
		states = 5000
	}
	besideGeneric(t, "chacha20", func(t *testing.T, d, generic *registry.Driver) {
		src, want, got := random(r, 40*64), make([]byte, 40*64), make([]byte, 40*64)
		key, iv := make([]byte, 32), make([]byte, 16)
		for range states / 4 {
			r.Read(key)
			r.Read(iv)
			for k := range uint32(4) {
				n := int(r.Uint64()%40+1) * 64
				binary.LittleEndian.PutUint32(iv, binary.LittleEndian.Uint32(iv)>>1)
				if k == 3 {
					binary.LittleEndian.PutUint32(iv, uint32(-n/64))
				}
				newStreamCipher(t, generic, 65536, key).Encrypt(want[:n], src[:n], iv)
				newStreamCipher(t, d, 65536, key).Encrypt(got[:n], src[:n], iv)
				if !bytes.Equal(got[:n], want[:n]) {
					t.Fatalf("%d bytes, key %x, iv %x: wrong output", n, key, iv)
				}
			}
		}
	})
}
