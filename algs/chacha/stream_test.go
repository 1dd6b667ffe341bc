package chacha

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"math"
	"testing"

	"golang.org/x/crypto/chacha20"

	"kcrypto/registry"
)

// streams are the stream ciphers, with what computes the expected keystream: x/crypto where it can, else the reference.
var streams = []struct {
	algorithm string
	keystream func(key, iv []byte, block uint64, n int) []byte
}{
	{"chacha20", func(key, iv []byte, block uint64, n int) []byte {
		return xcryptoStream(key, iv[4:], binary.LittleEndian.Uint32(iv)+uint32(block), n)
	}},
	{"xchacha20", func(key, iv []byte, block uint64, n int) []byte {
		first := binary.LittleEndian.Uint64(iv[24:]) + block
		if first+uint64(n/64+1) < 1<<32 {
			return xcryptoStream(key, iv[:24], uint32(first), n)
		}
		return referenceXChaCha(key, iv, 20, block, n)
	}},
	{"xchacha12", func(key, iv []byte, block uint64, n int) []byte { return referenceXChaCha(key, iv, 12, block, n) }},
}

func xcryptoStream(key, nonce []byte, counter uint32, n int) []byte {
	c, err := chacha20.NewUnauthenticatedCipher(key, nonce)
	if err != nil {
		panic(err)
	}
	c.SetCounter(counter)
	out := make([]byte, n)
	c.XORKeyStream(out, out)
	return out
}

func xored(a, b []byte) []byte {
	out := make([]byte, len(a))
	subtle.XORBytes(out, a, b)
	return out
}

func TestStreamVectors(t *testing.T) {
	for _, v := range streamVectors {
		forEach(t, v.algorithm, func(t *testing.T, d *registry.Driver) {
			for _, chunk := range chunks {
				s := newStreamCipher(t, d, chunk, unhex(v.key))
				got := make([]byte, len(v.text))
				s.XORBlocks(got, []byte(v.text), unhex(v.iv), v.block)
				if want := unhex(v.want); !bytes.Equal(got, want) {
					t.Errorf("%s, chunk %d: got %x, want %x", v.source, chunk, got, want)
				}
			}
		})
	}
}

// TestHChaCha is the vector of draft-irtf-cfrg-xchacha section 2.2.1, and random ones for both round counts.
func TestHChaCha(t *testing.T) {
	derive := func(key, nonce []byte, rounds int) []byte {
		c := newCore(registry.Config{Chunk: 64}, generic, rounds)
		c.SetKey(key)
		var sub core
		c.derive(&sub, nonce)
		var out []byte
		for _, w := range sub.key {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
		return out
	}
	got := derive(unhex(key00to1f), unhex("000000090000004a0000000031415927"), 20)
	if want := unhex("82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"); !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
	r := newRand(t)
	for range 100 {
		key, nonce := random(r, 32), random(r, 16)
		for _, rounds := range []int{20, 12} {
			want := referenceBlock(key, nonce, rounds, true)
			if got := derive(key, nonce, rounds); !bytes.Equal(got, append(want[:16:16], want[48:]...)) {
				t.Errorf("%d rounds, key %x, nonce %x: got %x", rounds, key, nonce, got)
			}
		}
	}
}

func TestStreamAllLengths(t *testing.T) {
	r := newRand(t)
	for _, c := range streams {
		forEach(t, c.algorithm, func(t *testing.T, d *registry.Driver) {
			for n := range 601 {
				key, iv, src := random(r, 32), random(r, d.IVSize), random(r, n)
				iv[len(iv)-1], iv[3] = 0, 0 // room below the end of either counter
				want := xored(src, c.keystream(key, iv, 0, n))
				s := newStreamCipher(t, d, chunks[n%len(chunks)], key)

				buf, in, ivBefore := bytes.Repeat([]byte{0xa5}, n+16), bytes.Clone(src), bytes.Clone(iv)
				s.Encrypt(buf[:n], in, iv)
				if !bytes.Equal(buf[:n], want) {
					t.Fatalf("length %d: wrong output", n)
				}
				if !bytes.Equal(buf[n:], bytes.Repeat([]byte{0xa5}, 16)) || !bytes.Equal(in, src) || !bytes.Equal(iv, ivBefore) {
					t.Fatalf("length %d: wrote to something that is not dst", n)
				}
				s.Decrypt(buf[:n], buf[:n], iv)
				if !bytes.Equal(buf[:n], src) {
					t.Fatalf("length %d: wrong output in place", n)
				}
			}
		})
	}
}

// TestIVInText has the IV at several places of a text that is overwritten: it counts as it was before.
func TestIVInText(t *testing.T) {
	r := newRand(t)
	for _, c := range streams {
		forEach(t, c.algorithm, func(t *testing.T, d *registry.Driver) {
			for _, n := range []int{40, 64, 256, 700, 1420, 5000} {
				for _, at := range []int{0, 3, (n - d.IVSize) / 2, n - d.IVSize} {
					key, text := random(r, 32), random(r, n)
					iv := text[at : at+d.IVSize]
					iv[len(iv)-1], iv[3] = 0, 0
					want := xored(text, c.keystream(key, bytes.Clone(iv), 0, n))
					newStreamCipher(t, d, chunks[at%len(chunks)], key).Encrypt(text, text, iv)
					if !bytes.Equal(text, want) {
						t.Fatalf("length %d, IV at %d: wrong output", n, at)
					}
				}
			}
		})
	}
}

// TestXORBlocksSkips enters the stream at every block and compares with the whole, unbound and bound.
func TestXORBlocksSkips(t *testing.T) {
	r := newRand(t)
	for _, c := range streams {
		forEach(t, c.algorithm, func(t *testing.T, d *registry.Driver) {
			key, iv := random(r, 32), random(r, d.IVSize)
			iv[len(iv)-1], iv[3] = 0, 0
			whole := c.keystream(key, iv, 0, 40*64)
			s := newStreamCipher(t, d, 128, key)
			bound, boundIV := s.Bind(iv)
			for block := range uint64(40) {
				n := (40-int(block))*64 - int(block)
				a, b := make([]byte, n), make([]byte, n)
				s.XORBlocks(a, a, iv, block)
				bound.XORBlocks(b, b, boundIV, block)
				if want := whole[block*64:][:n]; !bytes.Equal(a, want) || !bytes.Equal(b, want) {
					t.Errorf("block %d: the keystream is not that of the whole", block)
				}
			}
		})
	}
}

// TestBindIsIndependent wipes and changes everything that a bound stream was made from.
func TestBindIsIndependent(t *testing.T) {
	r := newRand(t)
	for _, c := range streams {
		forEach(t, c.algorithm, func(t *testing.T, d *registry.Driver) {
			key, iv := random(r, 32), random(r, d.IVSize)
			s := newStreamCipher(t, d, 64, key)
			want := make([]byte, 100)
			s.Encrypt(want, want, iv)
			blocks := s.Blocks(iv)
			bound, boundIV := s.Bind(iv)
			s.Wipe()
			clear(iv)
			got := make([]byte, 100)
			bound.Encrypt(got, got, boundIV)
			if !bytes.Equal(got, want) {
				t.Error("a bound stream changed with the object and the IV it came from")
			}
			if bound.Blocks(boundIV) != blocks {
				t.Errorf("bound: %d blocks, want %d", bound.Blocks(boundIV), blocks)
			}
		})
	}
}

// TestCounter32 comes up to the end of chacha20's counter from every distance, with messages that end on the last block.
func TestCounter32(t *testing.T) {
	r := newRand(t)
	forEach(t, "chacha20", func(t *testing.T, d *registry.Driver) {
		for left := uint64(1); left <= 40; left++ {
			key, iv := random(r, 32), random(r, 16)
			binary.LittleEndian.PutUint32(iv, uint32(1<<32-left))
			n := int(left)*64 - int(left%3)*20
			for _, chunk := range chunks {
				s := newStreamCipher(t, d, chunk, key)
				if got := s.Blocks(iv); got != left {
					t.Fatalf("%d blocks, want %d", got, left)
				}
				got := make([]byte, n)
				s.XORBlocks(got, got, iv, 0)
				if !bytes.Equal(got, xcryptoStream(key, iv[4:], uint32(1<<32-left), n)) {
					t.Fatalf("chunk %d: wrong keystream %d blocks before the end", chunk, left)
				}
				start := make([]byte, 16)
				copy(start[4:], iv[4:])
				s.XORBlocks(got, got, start, 1<<32-left)
				if !bytes.Equal(got, make([]byte, n)) {
					t.Fatalf("chunk %d: block number %d is not counter %d", chunk, 1<<32-left, 1<<32-left)
				}
			}
		}
		s := newStreamCipher(t, d, 64, make([]byte, 32))
		if got := s.Blocks(make([]byte, 16)); got != 1<<32 {
			t.Errorf("from counter 0: %d blocks, want 2^32", got)
		}
	})
}

// TestCounter64 carries from the low word of xchacha's position to the high one at every place of a message, and comes
// up to the end of 64 bits.
func TestCounter64(t *testing.T) {
	r := newRand(t)
	for _, algorithm := range []struct {
		name   string
		rounds int
	}{{"xchacha20", 20}, {"xchacha12", 12}} {
		forEach(t, algorithm.name, func(t *testing.T, d *registry.Driver) {
			for _, high := range []uint64{1 << 32, 5 << 32, math.MaxUint64 &^ math.MaxUint32, 0} { // the last is 2^64
				for before := range uint64(20) {
					key, iv := random(r, 32), random(r, 32)
					n := 20*64 - 7
					if high == 0 {
						n = int(before) * 64
					}
					binary.LittleEndian.PutUint64(iv[24:], high-before)
					s := newStreamCipher(t, d, chunks[before%4], key)
					want := referenceXChaCha(key, iv, algorithm.rounds, 0, n)
					got := make([]byte, n)
					s.Encrypt(got, got, iv)
					if !bytes.Equal(got, want) {
						t.Fatalf("position %#x: wrong keystream", high-before)
					}
					clear(iv[24:])
					bound, boundIV := s.Bind(iv)
					bound.XORBlocks(got, got, boundIV, high-before)
					if !bytes.Equal(got, make([]byte, n)) {
						t.Fatalf("block number %#x differs from position %#x", high-before, high-before)
					}
				}
			}
			iv := make([]byte, 32)
			s := newStreamCipher(t, d, 64, make([]byte, 32))
			for pos, want := range map[uint64]uint64{0: math.MaxUint64, 1: math.MaxUint64, 1 << 32: math.MaxUint64 - 1<<32 + 1, math.MaxUint64: 1} {
				binary.LittleEndian.PutUint64(iv[24:], pos)
				if got := s.Blocks(iv); got != want {
					t.Errorf("position %#x: %d blocks, want %d", pos, got, want)
				}
			}
		})
	}
}

// TestRandomStates compares short runs under random keys, nonces and counters with the reference.
func TestRandomStates(t *testing.T) {
	r := newRand(t)
	states := 20000
	if testing.Short() {
		states = 2000
	}
	for range states {
		rounds := 20 - 8*int(r.Uint64()%2)
		blocks := int(r.Uint64()%3) + 1
		var st state
		c := newCore(registry.Config{Chunk: 64}, generic, rounds)
		key, iv := random(r, 32), random(r, 16)
		if r.Uint64()%4 == 0 {
			binary.LittleEndian.PutUint32(iv, uint32(-blocks))
		}
		c.SetKey(key)
		c.input(&st, iv)
		got := make([]byte, blocks*64)
		xorGeneric(got, got, &st, rounds)
		for i := range blocks {
			want := referenceBlock(key, iv, rounds, false)
			if !bytes.Equal(got[64*i:64*i+64], want[:]) {
				t.Fatalf("%d rounds, key %x, iv %x: wrong block", rounds, key, iv)
			}
			binary.LittleEndian.PutUint32(iv, binary.LittleEndian.Uint32(iv)+1)
		}
	}
}
