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

// TestCounter32 comes up to the end of chacha20's counter from every distance, with messages that end on the last
// block.
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
			for pos, want := range map[uint64]uint64{
				0: math.MaxUint64, 1: math.MaxUint64, 1 << 32: math.MaxUint64 - 1<<32 + 1, math.MaxUint64: 1,
			} {
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
