package aes

import (
	"encoding/binary"
	"math/bits"
)

// expandKey writes the round keys of key, which is 16, 24 or 32 bytes long, to enc and returns the number of rounds
// n. Round key i, for i from 0 to n, is enc[16*i:16*i+16] in the byte order of FIPS 197 section 5.2, which is also
// the one of the AESENC instruction. The rest of enc is left alone.
func expandKey(enc *[240]byte, key []byte) (rounds int) {
	rounds = roundsFor(len(key))
	copy(enc[:], key)
	constant := uint32(1)
	w := binary.LittleEndian.Uint32(key[len(key)-4:])
	for i := len(key); i < BlockSize*(rounds+1); i += 4 {
		switch {
		case i%len(key) == 0:
			w = subWord(bits.RotateLeft32(w, -8)) ^ constant
			constant = double(constant)
		case len(key) == 32 && i%len(key) == 16:
			w = subWord(w)
		}
		w ^= binary.LittleEndian.Uint32(enc[i-len(key):])
		binary.LittleEndian.PutUint32(enc[i:], w)
	}
	return rounds
}

// subWord applies the S-box to the four bytes of w.
func subWord(w uint32) uint32 {
	var s [8]word
	x := transpose8x8(uint64(w))
	for i := range s {
		s[i] = word(x >> (8 * i) & 0xff)
	}
	sbox(&s)
	x = 0
	for i := range s {
		x |= uint64(s[i]) << (8 * i)
	}
	return uint32(transpose8x8(x)) ^ sboxConstant*0x01010101
}

// transpose8x8 makes bit 8*i+j of x bit 8*j+i (Hacker's Delight, section 7-3).
func transpose8x8(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// double multiplies each of the four bytes of w by x in GF(2^8), where x^8 = x^4 + x^3 + x + 1.
func double(w uint32) uint32 {
	high := w >> 7 & 0x01010101
	return w<<1&0xfefefefe ^ high<<4 ^ high<<3 ^ high<<1 ^ high
}
