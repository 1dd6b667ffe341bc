package chacha

import (
	"encoding/binary"
	"math/bits"
)

// poly1305 is the one-time authenticator of RFC 8439 section 2.5: the message's 16-byte blocks, each with 2^128 added,
// are the coefficients of a polynomial evaluated at r modulo p = 2^130-5, and s is added to the result modulo 2^128.
//
// The AEAD pads everything to whole blocks, so a short last block does not occur here.
type poly1305 struct {
	h [3]uint64 // the sum so far, little-endian; below 2^130 + 2^64 between blocks
	r [2]uint64 // the clamped half of the key
	s [2]uint64 // the added half
}

// init starts a sum under a one-time key of 32 bytes.
func (m *poly1305) init(key []byte) {
	m.h = [3]uint64{}
	m.r[0] = binary.LittleEndian.Uint64(key[0:]) & 0x0ffffffc0fffffff
	m.r[1] = binary.LittleEndian.Uint64(key[8:]) & 0x0ffffffc0ffffffc
	m.s[0] = binary.LittleEndian.Uint64(key[16:])
	m.s[1] = binary.LittleEndian.Uint64(key[24:])
}

// blocks adds len(p)/16 blocks: h = (h + block + 2^128) * r mod p for each.
//
// With h = h0 + h1*2^64 + h2*2^128 and r = r0 + r1*2^64 the product has these columns:
//
//	2^0:    h0*r0
//	2^64:   h0*r1 + h1*r0
//	2^128:          h1*r1 + h2*r0
//	2^192:                  h2*r1
//
// Clamping makes r1 a multiple of 4, and 2^130 is 5 modulo p, so 2^128*r1 = 2^130*(r1/4) = 5*(r1/4). With q1 = r1 +
// r1/4, this brings both products by r1 that stand too high down by two columns:
//
//	2^0:    h0*r0 + h1*q1
//	2^64:   h0*r1 + h1*r0 + h2*q1
//	2^128:  h2*r0
//
// h2 is at most 6 after the addition, r0 and r1 are below 2^60 and q1 below 1.25*2^60, so h2*q1 and h2*r0 fit in a word
// and each sum of two double words stays below 2^126. The third word t that the carries leave is then below 2^63. Its
// part from 2^130 up, t/4, comes back at the bottom as 5*(t/4) = (t less its two low bits) + t/4, below 2^64; a carry
// from there leaves h2 at most 4.
//
// Five limbs of 26 bits with 32-bit products were 1.13 times as fast on 386 (and 0.4 times on amd64): too little for a
// second form.
func (m *poly1305) blocks(p []byte) {
	h0, h1, h2 := m.h[0], m.h[1], m.h[2]
	r0, r1, q1 := m.r[0], m.r[1], m.r[1]+m.r[1]>>2
	for len(p) >= 16 {
		var c uint64
		h0, c = bits.Add64(h0, binary.LittleEndian.Uint64(p[0:8]), 0)
		h1, c = bits.Add64(h1, binary.LittleEndian.Uint64(p[8:16]), c)
		h2, _ = bits.Add64(h2, 1, c)
		p = p[16:]

		a1, a0 := bits.Mul64(h0, r0)
		b1, b0 := bits.Mul64(h1, q1)
		e1, e0 := bits.Mul64(h0, r1)
		f1, f0 := bits.Mul64(h1, r0)
		a0, c = bits.Add64(a0, b0, 0)
		a1, _ = bits.Add64(a1, b1, c)
		e0, c = bits.Add64(e0, f0, 0)
		e1, _ = bits.Add64(e1, f1, c)
		e0, c = bits.Add64(e0, h2*q1, 0)
		e1, _ = bits.Add64(e1, h2*r0, c)
		e0, c = bits.Add64(e0, a1, 0)
		t, _ := bits.Add64(e1, 0, c)

		h0, c = bits.Add64(a0, t&^3+t>>2, 0)
		h1, c = bits.Add64(e0, 0, c)
		h2, _ = bits.Add64(t&3, 0, c)
	}
	m.h = [3]uint64{h0, h1, h2}
}

// padded adds p, with zeros up to the next multiple of 16 bytes.
func (m *poly1305) padded(p []byte) {
	full := len(p) &^ 15
	if full > 0 {
		m.blocks(p[:full])
	}
	if full < len(p) {
		var last [16]byte
		copy(last[:], p[full:])
		m.blocks(last[:])
	}
}

// sum writes the tag of 16 bytes.
func (m *poly1305) sum(tag []byte) {
	low, high := m.words()
	binary.LittleEndian.PutUint64(tag[0:], low)
	binary.LittleEndian.PutUint64(tag[8:], high)
}

// words is the tag in two words. h is below 2p, so its residue is h or h-p: the second if that does not borrow.
func (m *poly1305) words() (low, high uint64) {
	g0, borrow := bits.Sub64(m.h[0], 1<<64-5, 0)
	g1, borrow := bits.Sub64(m.h[1], 1<<64-1, borrow)
	_, borrow = bits.Sub64(m.h[2], 3, borrow)
	keep := -borrow // all ones if h is below p
	h0 := m.h[0]&keep | g0&^keep
	h1 := m.h[1]&keep | g1&^keep

	h0, carry := bits.Add64(h0, m.s[0], 0)
	h1, _ = bits.Add64(h1, m.s[1], carry)
	return h0, h1
}
