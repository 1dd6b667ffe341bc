package chacha

import (
	"bytes"
	"crypto/cipher"
	"slices"
	"sync"
	"testing"

	"golang.org/x/crypto/chacha20poly1305"

	"kcrypto/algs/internal/esp"
	"kcrypto/registry"
)

// aeads are the AEADs, with what x/crypto makes of the same key and nonce.
var aeads = []struct {
	algorithm string
	keySize   int
	nonceSize int
	peer      func(key, nonce []byte) (cipher.AEAD, []byte, error)
}{
	{aeadAlgorithm, 32, 12, func(key, nonce []byte) (cipher.AEAD, []byte, error) {
		a, err := chacha20poly1305.New(key)
		return a, nonce, err
	}},
	{"xchacha20poly1305", 32, 24, func(key, nonce []byte) (cipher.AEAD, []byte, error) {
		a, err := chacha20poly1305.NewX(key)
		return a, nonce, err
	}},
	{espAlgorithm, 36, 8, func(key, nonce []byte) (cipher.AEAD, []byte, error) {
		a, err := chacha20poly1305.New(key[:32])
		return a, append(bytes.Clone(key[32:]), nonce...), err
	}},
}

func peerSeal(t *testing.T, peer func(key, nonce []byte) (cipher.AEAD, []byte, error), key, nonce, text, aad []byte) []byte {
	t.Helper()
	a, full, err := peer(key, nonce)
	if err != nil {
		t.Fatal(err)
	}
	return a.Seal(nil, full, text, aad)
}

func TestAEADVectors(t *testing.T) {
	for _, v := range aeadVectors {
		forEach(t, v.algorithm, func(t *testing.T, d *registry.Driver) {
			nonce, aad, want := unhex(v.nonce), unhex(v.aad), unhex(v.want)
			for _, chunk := range chunks {
				a := newAEADWithKey(t, d, chunk, unhex(v.key))
				got := make([]byte, len(want))
				a.Seal(got, nonce, []byte(v.text), aad)
				if !bytes.Equal(got, want) {
					t.Errorf("%s, chunk %d: sealed %x, want %x", v.source, chunk, got, want)
				}
				n := len(v.text)
				text := make([]byte, n)
				if !a.Open(text, nonce, want[:n], want[n:], aad) || string(text) != v.text {
					t.Errorf("%s, chunk %d: opened %x", v.source, chunk, text)
				}
			}
		})
	}
}

// TestAEADAllLengths seals and opens every length out of place and in place, with tags that follow the ciphertext, that
// follow beyond its capacity, and that lie elsewhere.
func TestAEADAllLengths(t *testing.T) {
	r := newRand(t)
	for _, c := range aeads {
		forEach(t, c.algorithm, func(t *testing.T, d *registry.Driver) {
			for n := range 601 {
				key, nonce, text, aad := random(r, c.keySize), random(r, c.nonceSize), random(r, n), random(r, n*7%50)
				want := peerSeal(t, c.peer, key, nonce, text, aad)
				a := newAEADWithKey(t, d, chunks[n%len(chunks)], key)

				buf := bytes.Repeat([]byte{0xa5}, n+32)
				in := bytes.Clone(text)
				a.Seal(buf[:n+16], nonce, in, aad)
				if !bytes.Equal(buf[:n+16], want) {
					t.Fatalf("length %d: wrong output of Seal", n)
				}
				if !bytes.Equal(buf[n+16:], bytes.Repeat([]byte{0xa5}, 16)) || !bytes.Equal(in, text) {
					t.Fatalf("length %d: Seal wrote to something that is not dst", n)
				}
				copy(buf, text)
				a.Seal(buf[:n+16], nonce, buf[:n], aad)
				if !bytes.Equal(buf[:n+16], want) {
					t.Fatalf("length %d: wrong output of Seal in place", n)
				}

				tag, filler := buf[n:n+16], bytes.Repeat([]byte{0xa5}, 16)
				apart := slices.Concat(buf[:n], filler)
				for name, in := range map[string][2][]byte{
					"following":                     {buf[:n], tag},
					"following beyond the capacity": {buf[:n:n], tag},
					"elsewhere":                     {apart[:n], bytes.Clone(tag)},
					"elsewhere, no capacity":        {apart[:n:n], bytes.Clone(tag)},
				} {
					out := slices.Concat(make([]byte, n), filler)
					if !a.Open(out[:n], nonce, in[0], in[1], aad) || !bytes.Equal(out[:n], text) {
						t.Fatalf("length %d, tag %s: wrong output of Open", n, name)
					}
					if !bytes.Equal(out[n:], filler) || !bytes.Equal(apart[n:], filler) || !bytes.Equal(buf[:n+16], want) {
						t.Fatalf("length %d, tag %s: Open wrote to something that is not dst", n, name)
					}
				}
				if !a.Open(buf[:n], nonce, buf[:n], buf[n:n+16], aad) || !bytes.Equal(buf[:n], text) {
					t.Fatalf("length %d: wrong output of Open in place", n)
				}
				if !bytes.Equal(buf[n:n+16], want[n:]) {
					t.Fatalf("length %d: Open in place changed the tag", n)
				}
			}
		})
	}
}

// TestAEADLong crosses the default chunk, and has additional data of many sizes.
func TestAEADLong(t *testing.T) {
	r := newRand(t)
	for _, c := range aeads {
		forEach(t, c.algorithm, func(t *testing.T, d *registry.Driver) {
			for _, n := range []int{0, 1, 16, 1420, 65535, 65536, 65537, 65552, 131072 + 5} {
				for _, m := range []int{0, 1, 15, 16, 17, 299, 65536 + 3} {
					key, nonce, text, aad := random(r, c.keySize), random(r, c.nonceSize), random(r, n), random(r, m)
					a := newAEADWithKey(t, d, 65536, key)
					got := make([]byte, n+16)
					a.Seal(got, nonce, text, aad)
					if !bytes.Equal(got, peerSeal(t, c.peer, key, nonce, text, aad)) {
						t.Fatalf("length %d, additional data %d: wrong output of Seal", n, m)
					}
					if !a.Open(got[:n], nonce, got[:n], got[n:], aad) || !bytes.Equal(got[:n], text) {
						t.Fatalf("length %d, additional data %d: wrong output of Open", n, m)
					}
				}
			}
		})
	}
}

// TestAEADTamper flips every bit of everything that is authenticated.
func TestAEADTamper(t *testing.T) {
	r := newRand(t)
	for _, c := range aeads {
		forEach(t, c.algorithm, func(t *testing.T, d *registry.Driver) {
			for _, n := range []int{0, 1, 16, 63, 130} {
				nonce, aad, sealed := random(r, c.nonceSize), random(r, 12), make([]byte, n+16)
				a := newAEADWithKey(t, d, 64, random(r, c.keySize))
				a.Seal(sealed, nonce, random(r, n), aad)
				dst := make([]byte, n)
				for name, part := range map[string][]byte{"nonce": nonce, "additional data": aad, "ciphertext": sealed[:n], "tag": sealed[n:]} {
					for bit := range 8 * len(part) {
						part[bit/8] ^= 1 << (bit % 8)
						if a.Open(dst, nonce, sealed[:n], sealed[n:], aad) {
							t.Errorf("length %d: accepted with bit %d of the %s flipped", n, bit, name)
						}
						part[bit/8] ^= 1 << (bit % 8)
					}
				}
				if !a.Open(dst, nonce, sealed[:n], sealed[n:], aad) {
					t.Errorf("length %d: refused though nothing is flipped", n)
				}
			}
		})
	}
}

// TestConcurrent uses one object from many goroutines; -race looks on.
func TestConcurrent(t *testing.T) {
	r := newRand(t)
	for _, c := range aeads {
		forEach(t, c.algorithm, func(t *testing.T, d *registry.Driver) {
			key, nonce, text := random(r, c.keySize), random(r, c.nonceSize), random(r, 700)
			want := peerSeal(t, c.peer, key, nonce, text, nil)
			a := newAEADWithKey(t, d, 64, key)
			var group sync.WaitGroup
			for range 16 {
				group.Go(func() {
					got, back := make([]byte, len(want)), make([]byte, len(text))
					for range 20 {
						a.Seal(got, nonce, text, nil)
						if !bytes.Equal(got, want) || !a.Open(back, nonce, got[:700], got[700:], nil) || !bytes.Equal(back, text) {
							t.Error("wrong output beside other goroutines")
						}
					}
				})
			}
			group.Wait()
		})
	}
}

// TestRekey keys one object twice: nothing of the first key may remain in effect.
func TestRekey(t *testing.T) {
	r := newRand(t)
	for _, c := range aeads {
		forEach(t, c.algorithm, func(t *testing.T, d *registry.Driver) {
			nonce, text, key := random(r, c.nonceSize), random(r, 100), random(r, c.keySize)
			a := newAEADWithKey(t, d, 64, random(r, c.keySize))
			if err := a.SetKey(key); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, 116)
			a.Seal(got, nonce, text, nil)
			if !bytes.Equal(got, peerSeal(t, c.peer, key, nonce, text, nil)) {
				t.Error("wrong output after a second SetKey")
			}
		})
	}
}

func TestWipe(t *testing.T) {
	key := bytes.Repeat([]byte{0x5a}, 36)
	for _, d := range allDrivers() {
		t.Run(d.Name, func(t *testing.T) {
			var object interface {
				SetKey([]byte) error
				Wipe()
			}
			if d.Type == registry.TypeAEAD {
				object = d.NewAEAD(registry.Config{Chunk: 64})
			} else {
				object = d.NewSkcipher(registry.Config{Chunk: 64})
			}
			if err := object.SetKey(key[:d.KeySizes[0]]); err != nil {
				t.Fatal(err)
			}
			if !keyIn(t, object) {
				t.Fatal("the test does not see the key")
			}
			if object.Wipe(); keyIn(t, object) {
				t.Error("the key is still there")
			}
		})
	}
}

// keyIn reports whether an object holds a key that is not all zeros.
func keyIn(t *testing.T, object any) bool {
	t.Helper()
	switch o := object.(type) {
	case interface{ coreKey() [8]uint32 }:
		return o.coreKey() != [8]uint32{}
	case *stdlib:
		return o.aead != nil
	case *esp.AEAD:
		return o.Salt != [4]byte{} || keyIn(t, o.Inner)
	}
	t.Fatalf("unknown type %T", object)
	return false
}

// coreKey is for keyIn.
func (c *core) coreKey() [8]uint32 { return c.key }

// TestAllocations allows none, and the stdlib drivers those that x/crypto's portable code makes by itself.
func TestAllocations(t *testing.T) {
	const n = 1420
	text, out, sealed := make([]byte, n), make([]byte, n), make([]byte, n+16)
	for _, d := range allDrivers() {
		t.Run(d.Name, func(t *testing.T) {
			key, iv, aad := make([]byte, d.KeySizes[0]), make([]byte, d.IVSize), make([]byte, 12)
			if d.Type == registry.TypeSkcipher {
				s := newStreamCipher(t, &d, 64, key)
				if allocs := testing.AllocsPerRun(50, func() { s.XORBlocks(out, text, iv, 3) }); allocs > 0 {
					t.Errorf("XORBlocks: %v allocations", allocs)
				}
				return
			}
			allowed := 0.0
			if d.Impl == "stdlib" {
				peer, err := chacha20poly1305.New(key[:32])
				if err != nil {
					t.Fatal(err)
				}
				nonce := make([]byte, nonceSize)
				allowed = testing.AllocsPerRun(50, func() { peer.Seal(sealed[:0], nonce, text, aad) })
			}
			a := newAEADWithKey(t, &d, 64, key)
			if allocs := testing.AllocsPerRun(50, func() { a.Seal(sealed, iv, text, aad) }); allocs > allowed {
				t.Errorf("Seal: %v allocations", allocs)
			}
			if allocs := testing.AllocsPerRun(50, func() { a.Open(out, iv, sealed[:n], sealed[n:], aad) }); allocs > allowed {
				t.Errorf("Open: %v allocations", allocs)
			}
		})
	}
}
