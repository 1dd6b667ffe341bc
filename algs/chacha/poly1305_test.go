package chacha

import (
	"bytes"
	"math/big"
	"slices"
	"testing"
)

// macOf is Poly1305 of a text of any length. The block that ends a text early has its 2^(8k) written out and no 2^128:
// taking one from h's third word beforehand undoes the 2^128 that blocks adds.
func macOf(key, text []byte, split int) []byte {
	var m poly1305
	m.init(key)
	full := len(text) &^ 15
	for p := text[:full]; len(p) > 0; {
		n := min(len(p), split)
		m.blocks(p[:n])
		p = p[n:]
	}
	if full < len(text) {
		var last [16]byte
		copy(last[:], text[full:])
		last[len(text)-full] = 1
		m.h[2]--
		m.blocks(last[:])
	}
	tag := make([]byte, tagSize)
	m.sum(tag)
	return tag
}

func TestPoly1305Vectors(t *testing.T) {
	for _, v := range macVectors {
		for _, split := range []int{16, 48, 1 << 20} {
			if got := macOf(unhex(v.key), []byte(v.text), split); !bytes.Equal(got, unhex(v.want)) {
				t.Errorf("RFC 8439 %s: got %x, want %s", v.source, got, v.want)
			}
		}
	}
}

// bigMAC is Poly1305 as RFC 8439 section 2.5.1 writes it.
func bigMAC(key, text []byte) []byte {
	number := func(b []byte) *big.Int {
		b = bytes.Clone(b)
		slices.Reverse(b)
		return new(big.Int).SetBytes(b)
	}
	p, _ := new(big.Int).SetString("3fffffffffffffffffffffffffffffffb", 16)
	clamp, _ := new(big.Int).SetString("0ffffffc0ffffffc0ffffffc0fffffff", 16)
	r := number(key[:16])
	r.And(r, clamp)
	h := new(big.Int)
	for len(text) > 0 {
		n := min(16, len(text))
		h.Add(h, number(append(bytes.Clone(text[:n]), 1)))
		h.Mul(h, r).Mod(h, p)
		text = text[n:]
	}
	h.Add(h, number(key[16:]))
	out := h.FillBytes(make([]byte, 32))[16:]
	slices.Reverse(out)
	return out
}

// TestPoly1305Edges feeds blocks and keys of nearly all ones and nearly all zeros, where the carries are.
func TestPoly1305Edges(t *testing.T) {
	rnd := newRand(t)
	edge := func(n int) []byte {
		b := random(rnd, n)
		for i := 0; i < n; i += 8 {
			switch word := b[i:min(i+8, n)]; rnd.Uint64() % 4 {
			case 0:
				clear(word)
			case 1:
				copy(word, "\xff\xff\xff\xff\xff\xff\xff\xff")
			case 2:
				copy(word[1:], "\xff\xff\xff\xff\xff\xff\xff")
			}
		}
		return b
	}
	for i := range 20000 {
		key, text := edge(32), edge(16*(i%9)+i%16*(i%2))
		if got, want := macOf(key, text, 64), bigMAC(key, text); !bytes.Equal(got, want) {
			t.Fatalf("key %x, text %x: got %x, want %x", key, text, got, want)
		}
	}
}

// TestPoly1305FinalReduction puts the sum just below, at and above p, as blocks may leave it, and looks at what sum
// makes.
func TestPoly1305FinalReduction(t *testing.T) {
	const top = 1<<64 - 1
	for _, c := range []struct {
		h    [3]uint64
		want byte // the tag's first byte; the others are ff if it is over 0xf0, and else 0
	}{
		{[3]uint64{0, 0, 0}, 0},
		{[3]uint64{top - 5, top, 3}, 0xfa}, // p-1
		{[3]uint64{top - 4, top, 3}, 0},    // p
		{[3]uint64{top - 3, top, 3}, 1},
		{[3]uint64{top, top, 3}, 4}, // 2^130-1
		{[3]uint64{0, 0, 4}, 5},     // 2^130
		{[3]uint64{9, 0, 4}, 14},
	} {
		m := poly1305{h: c.h}
		rest := byte(0)
		if c.want > 0xf0 {
			rest = 0xff
		}
		want := append([]byte{c.want}, bytes.Repeat([]byte{rest}, 15)...)
		got := make([]byte, tagSize)
		if m.sum(got); !bytes.Equal(got, want) {
			t.Errorf("h = %x: got %x, want %x", c.h, got, want)
		}
	}
}
