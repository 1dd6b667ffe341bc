//go:build !purego

package chacha

import (
	"bytes"
	"testing"
	"unsafe"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// edges are blocks where carries are: those of RFC 8439's vectors for Poly1305 (A.3, 7 to 11) and similar ones.
var edges = []string{
	"ffffffffffffffffffffffffffffffff", "fbfefefefefefefefefefefefefefefe", "00000000000000000000000000000000",
	"02000000000000000000000000000000", "01000000000000000400000000000000", "33000000000000000000000000000080",
	"f0ffffffffffffffffffffffffffffff", "11000000000000000000000000000000", "fdffffffffffffffffffffffffffffff",
	"e33594d7505e43b900000000000000 00", "5e8b00000000000000000000ffffffff", "ffffffffffff00000000ffffffffffff",
}

// edgeKeys are values of r and s at the ends of their ranges.
var edgeKeys = []string{
	"01000000000000000400000000000000 00000000000000000000000000000000",
	"02000000000000000000000000000000 ffffffffffffffffffffffffffffffff",
	"ffffffffffffffffffffffffffffffff ffffffffffffffffffffffffffffffff",
	"00000000000000000000000000000000 36e5f6b5c5e06070f0efca96227a863e",
	"04000000000000000000000000000000 01000000000000000000000000000000",
}

// TestPoly1305Lanes puts every edge block behind 0 to 15 other blocks and before 0 to 40, in sums of every
// implementation.
func TestPoly1305Lanes(t *testing.T) {
	r := newRand(t)
	eachImpl(t, func(t *testing.T, impl impl) {
		c := newCore(registry.Config{Chunk: 65536}, impl, 20)
		for _, key := range edgeKeys {
			for _, edge := range edges {
				for before := range 16 {
					for after := 0; after <= 60; after += 1 + after/3 {
						for _, around := range [][]byte{random(r, 16), bytes.Repeat([]byte{0xff}, 16), unhex(edge)} {
							text := bytes.Repeat(around, before)
							text = append(append(text, unhex(edge)...), bytes.Repeat(around, after)...)
							checkMAC(t, &c, unhex(key), text)
						}
					}
				}
			}
		}
	})
}

// checkMAC compares all ways to a sum with the portable one.
func checkMAC(t *testing.T, c *core, key, text []byte) {
	t.Helper()
	var want, got poly1305
	want.init(key)
	want.blocks(text[:16])
	got = want
	want.blocks(text[16:])
	if c.impl == avx512IFMA && len(text) > 16 {
		sumIFMA(&got, nil, 0, &text[16], len(text)-16, nil, 0, 0) // also if it is short
	} else {
		c.add(&got, nil, text[16:], ending{})
	}
	var a, b, short, got16 [16]byte
	want.sum(a[:])
	got.sum(b[:])
	if a != b {
		t.Fatalf("key %x, text %x: got %x, want %x", key, text, b, a)
	}
	var block [BlockSize]byte
	copy(block[:], key)
	want.init(key)
	want.padded(text)
	want.blocks(append([]byte{0, 0, 0, 0, 0, 0, 0, 0}, byte(len(text)), byte(len(text)>>8), 0, 0, 0, 0, 0, 0))
	want.sum(a[:])
	macShort(&short, &block, nil, 0, unsafe.SliceData(text), len(text))
	if c.impl == avx2 {
		var m poly1305
		m.init(key)
		c.add(&m, text[:16], text[16:], ending{&got16[0], 0, len(text)})
		if a != got16 {
			t.Fatalf("AVX2: key %x, text %x: got %x, want %x", key, text, got16, a)
		}
	}
	if a != short {
		t.Fatalf("short: key %x, text %x: got %x, want %x", key, text, short, a)
	}
}

// TestSumAVX2 adds text of every length and additional data around where lanes begin to a sum at its upper end.
func TestSumAVX2(t *testing.T) {
	if !cpu.Host().Has("avx2") {
		t.Skip("NOT RUN HERE: this CPU lacks AVX2")
	}
	c := newCore(registry.Config{Chunk: 65536}, avx2, 20)
	ones := bytes.Repeat([]byte{0xff}, 1024)
	for _, around := range [][]byte{ones, random(newRand(t), 1024)} {
		for n := range 1024 {
			aad, text := around[:n*7%400], around[:n]
			for _, key := range edgeKeys {
				var m, want poly1305
				var tag, got [tagSize]byte
				m.init(unhex(key))
				m.h = [3]uint64{1<<64 - 1, 1<<64 - 1, 3} // 2^130 - 1
				want = m
				c.add(&m, aad, text, ending{&got[0], len(aad), n})
				c.add(&m, aad, text, ending{})
				want.padded(aad)
				want.padded(text)
				m.finish(tag[:], uint64(len(aad)), uint64(n))
				sum := tag
				want.finish(tag[:], uint64(len(aad)), uint64(n))
				if got != tag || sum != tag {
					t.Fatalf("key %s, %d bytes, %d of additional data: got %x and %x, want %x", key, n, len(aad), got, sum, tag)
				}
			}
		}
	}
}
