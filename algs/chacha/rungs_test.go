package chacha

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// rungs are the drivers of an algorithm but the generic one, with the generic one.
func rungs(t *testing.T, algorithm string, f func(t *testing.T, d, generic *registry.Driver)) {
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

// TestStreamRungs compares every length with generic, out of place and in place.
func TestStreamRungs(t *testing.T) {
	r := newRand(t)
	for _, algorithm := range []string{"chacha20", "xchacha20", "xchacha12"} {
		rungs(t, algorithm, func(t *testing.T, d, generic *registry.Driver) {
			text := random(r, longest)
			for n := range longest {
				key, iv := random(r, 32), random(r, d.IVSize)
				iv[len(iv)-1], iv[3] = 0, 0
				want, got := make([]byte, n), bytes.Repeat([]byte{0xa5}, n+64)
				newStreamCipher(t, generic, 65536, key).XORBlocks(want, text[:n], iv, 1)
				s := newStreamCipher(t, d, 65536, key)
				s.XORBlocks(got[:n], text[:n], iv, 1)
				if !bytes.Equal(got[:n], want) || !bytes.Equal(got[n:], bytes.Repeat([]byte{0xa5}, 64)) {
					t.Fatalf("length %d: wrong output", n)
				}
				s.XORBlocks(got[:n], got[:n], iv, 1)
				if !bytes.Equal(got[:n], text[:n]) {
					t.Fatalf("length %d: wrong output in place", n)
				}
			}
		})
	}
}

// TestAEADRungs compares every length with generic, additional data of all sizes up to 300, and long messages with
// chunks of several sizes; sealed and opened out of place and in place.
func TestAEADRungs(t *testing.T) {
	r := newRand(t)
	rungs(t, aeadAlgorithm, func(t *testing.T, d, generic *registry.Driver) {
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
		for n := range longest {
			check(n, n%34, 65536)
		}
		for aad := range 301 {
			for _, n := range []int{0, 1, 15, 16, 17, 255, 256, 257, 1420} {
				check(n, aad, 65536)
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
		for _, n := range []int{65536, 65537, 131072 - 1, 200000} {
			for d := -17; d <= 17; d++ {
				check(n+d, 13, 65536)
			}
		}
	})
}

// TestRandomStatesRungs compares runs of 1 to 40 blocks from random states with generic; every fourth comes up to the end
// of the counter. A million states in all but -short.
func TestRandomStatesRungs(t *testing.T) {
	r := newRand(t)
	states := 1000000
	if testing.Short() {
		states = 5000
	}
	rungs(t, "chacha20", func(t *testing.T, d, generic *registry.Driver) {
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

// TestGuardPagesRungs puts every operand before and behind an unmapped page.
func TestGuardPagesRungs(t *testing.T) {
	if !guard.Available {
		t.Skip("NOT RUN HERE: this system has no guard pages")
	}
	r := newRand(t)
	const most = 4096 + 1200
	names := []string{"key", "nonce", "aad", "in", "out"}
	arenas := map[string]*guard.Arena{}
	for _, name := range names {
		a, err := guard.New(most)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Free()
		arenas[name] = a
	}
	var sizes []int
	for n := range 600 {
		sizes = append(sizes, n)
	}
	for n := 600; n < 4096+1100; n += 61 {
		sizes = append(sizes, n)
	}
	for _, d := range allDrivers() {
		if d.Impl == "generic" || d.Impl == "stdlib" {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			for _, n := range sizes {
				for name, place := range map[string]func(a *guard.Arena, n int) []byte{"after": (*guard.Arena).After, "before": (*guard.Arena).Before} {
					key, nonce, in := place(arenas["key"], d.KeySizes[0]), place(arenas["nonce"], d.IVSize), place(arenas["in"], n)
					r.Read(key)
					r.Read(nonce)
					r.Read(in)
					err := guard.Run(func() {
						if d.Type == registry.TypeSkcipher {
							clear(nonce[:4])
							newStreamCipher(t, &d, 65536, key).Encrypt(place(arenas["out"], n), in, nonce)
							return
						}
						aad := place(arenas["aad"], n%81)
						a := newAEADWithKey(t, &d, 65536, key)
						sealed := place(arenas["out"], n+16)
						a.Seal(sealed, nonce, in, aad)
						kept := bytes.Clone(sealed)
						text := place(arenas["out"], n)
						copy(in, kept)
						if !a.Open(text, nonce, in, kept[n:], aad) || !a.Open(in, nonce, in, kept[n:], aad) {
							t.Errorf("%d bytes: not authentic", n)
						}
					})
					if err != nil {
						t.Fatalf("%d bytes, guard page %s: %v", n, name, err)
					}
				}
			}
		})
	}
}
