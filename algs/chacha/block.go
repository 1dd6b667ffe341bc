package chacha

import (
	"encoding/binary"
	"math/bits"
)

// BlockSize is ChaCha's block in bytes: what a block number counts.
const BlockSize = 64

// state is the input of the block function, RFC 8439 section 2.3: four words of constant, eight of key, and the four
// that this package calls the IV (block counter and nonce).
type state [16]uint32

// setIV puts the 16 bytes of iv into the last four words.
func (st *state) setIV(iv []byte) {
	st[12] = binary.LittleEndian.Uint32(iv[0:])
	st[13] = binary.LittleEndian.Uint32(iv[4:])
	st[14] = binary.LittleEndian.Uint32(iv[8:])
	st[15] = binary.LittleEndian.Uint32(iv[12:])
}

// xorGeneric XORs src with the keystream that begins at st, and leaves st at the block after the last one touched. src
// may end inside a block; the rest of that block's keystream is dropped. The counter is word 12 alone, and the caller
// sees to it that it does not pass 2^32-1 within a call.
func xorGeneric(dst, src []byte, st *state, rounds int) {
	full := len(src) &^ (BlockSize - 1)
	xorFullBlocks(dst[:full], src[:full], st, rounds)
	if full < len(src) {
		var block [BlockSize]byte
		copy(block[:], src[full:])
		xorFullBlocks(block[:], block[:], st, rounds)
		copy(dst[full:], block[:])
		clear(block[:])
	}
}

// xorFullBlocks is xorGeneric for whole blocks, and the hot loop of everything here.
//
// The rounds are written in rows, as for a vector unit: each step of the four quarter rounds at once, of the columns
// and then of the diagonals. The compiler keeps that order, so the four dependency chains run side by side. Four
// calls of a quarter-round function, though inlined, take 1.1 times as long on amd64 and 1.8 times on 386, and a
// function for "XOR, then rotate" 1.06 times: inlining leaves moves behind. Columns from 3 to 0 spill less than from
// 0 to 3 (4 %).
func xorFullBlocks(dst, src []byte, st *state, rounds int) {
	for len(src) >= BlockSize && len(dst) >= BlockSize {
		x0, x1, x2, x3 := st[0], st[1], st[2], st[3]
		x4, x5, x6, x7 := st[4], st[5], st[6], st[7]
		x8, x9, x10, x11 := st[8], st[9], st[10], st[11]
		x12, x13, x14, x15 := st[12], st[13], st[14], st[15]
		for i := 0; i < rounds; i += 2 {
			x3, x2, x1, x0 = x3+x7, x2+x6, x1+x5, x0+x4
			x15, x14 = bits.RotateLeft32(x15^x3, 16), bits.RotateLeft32(x14^x2, 16)
			x13, x12 = bits.RotateLeft32(x13^x1, 16), bits.RotateLeft32(x12^x0, 16)
			x11, x10, x9, x8 = x11+x15, x10+x14, x9+x13, x8+x12
			x7, x6 = bits.RotateLeft32(x7^x11, 12), bits.RotateLeft32(x6^x10, 12)
			x5, x4 = bits.RotateLeft32(x5^x9, 12), bits.RotateLeft32(x4^x8, 12)
			x3, x2, x1, x0 = x3+x7, x2+x6, x1+x5, x0+x4
			x15, x14 = bits.RotateLeft32(x15^x3, 8), bits.RotateLeft32(x14^x2, 8)
			x13, x12 = bits.RotateLeft32(x13^x1, 8), bits.RotateLeft32(x12^x0, 8)
			x11, x10, x9, x8 = x11+x15, x10+x14, x9+x13, x8+x12
			x7, x6 = bits.RotateLeft32(x7^x11, 7), bits.RotateLeft32(x6^x10, 7)
			x5, x4 = bits.RotateLeft32(x5^x9, 7), bits.RotateLeft32(x4^x8, 7)

			x3, x2, x1, x0 = x3+x4, x2+x7, x1+x6, x0+x5
			x14, x13 = bits.RotateLeft32(x14^x3, 16), bits.RotateLeft32(x13^x2, 16)
			x12, x15 = bits.RotateLeft32(x12^x1, 16), bits.RotateLeft32(x15^x0, 16)
			x9, x8, x11, x10 = x9+x14, x8+x13, x11+x12, x10+x15
			x4, x7 = bits.RotateLeft32(x4^x9, 12), bits.RotateLeft32(x7^x8, 12)
			x6, x5 = bits.RotateLeft32(x6^x11, 12), bits.RotateLeft32(x5^x10, 12)
			x3, x2, x1, x0 = x3+x4, x2+x7, x1+x6, x0+x5
			x14, x13 = bits.RotateLeft32(x14^x3, 8), bits.RotateLeft32(x13^x2, 8)
			x12, x15 = bits.RotateLeft32(x12^x1, 8), bits.RotateLeft32(x15^x0, 8)
			x9, x8, x11, x10 = x9+x14, x8+x13, x11+x12, x10+x15
			x4, x7 = bits.RotateLeft32(x4^x9, 7), bits.RotateLeft32(x7^x8, 7)
			x6, x5 = bits.RotateLeft32(x6^x11, 7), bits.RotateLeft32(x5^x10, 7)
		}
		d, s := (*[BlockSize]byte)(dst), (*[BlockSize]byte)(src)
		xorWord(d, s, 0, x0+st[0])
		xorWord(d, s, 1, x1+st[1])
		xorWord(d, s, 2, x2+st[2])
		xorWord(d, s, 3, x3+st[3])
		xorWord(d, s, 4, x4+st[4])
		xorWord(d, s, 5, x5+st[5])
		xorWord(d, s, 6, x6+st[6])
		xorWord(d, s, 7, x7+st[7])
		xorWord(d, s, 8, x8+st[8])
		xorWord(d, s, 9, x9+st[9])
		xorWord(d, s, 10, x10+st[10])
		xorWord(d, s, 11, x11+st[11])
		xorWord(d, s, 12, x12+st[12])
		xorWord(d, s, 13, x13+st[13])
		xorWord(d, s, 14, x14+st[14])
		xorWord(d, s, 15, x15+st[15])
		st[12]++
		dst, src = dst[BlockSize:], src[BlockSize:]
	}
}

// xorWord sets the i-th word of d to that of s XOR v.
func xorWord(d, s *[BlockSize]byte, i int, v uint32) {
	binary.LittleEndian.PutUint32(d[4*i:4*i+4], binary.LittleEndian.Uint32(s[4*i:4*i+4])^v)
}
