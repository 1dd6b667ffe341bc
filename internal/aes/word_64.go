//go:build !(386 || arm || mips || mipsle)

package aes

import (
	"encoding/binary"
	"math/bits"
)

type word = uint64

const wordBits = 64

func rotateRight(w word, n int) word { return bits.RotateLeft64(w, -n) }

// gather puts columns 0 and 2 of block i of src into the halves of word i, and columns 1 and 3 into word 16+i.
func (s *state) gather(src *[stateBytes]byte) {
	for i := range lanes {
		b := src[BlockSize*i:][:BlockSize]
		s[i] = word(binary.LittleEndian.Uint32(b)) | word(binary.LittleEndian.Uint32(b[8:]))<<32
		s[16+i] = word(binary.LittleEndian.Uint32(b[4:])) | word(binary.LittleEndian.Uint32(b[12:]))<<32
	}
}

// scatter is the inverse of gather.
func (s *state) scatter(dst *[stateBytes]byte) {
	for i := range lanes {
		b := dst[BlockSize*i:][:BlockSize]
		binary.LittleEndian.PutUint32(b, uint32(s[i]))
		binary.LittleEndian.PutUint32(b[4:], uint32(s[16+i]))
		binary.LittleEndian.PutUint32(b[8:], uint32(s[i]>>32))
		binary.LittleEndian.PutUint32(b[12:], uint32(s[16+i]>>32))
	}
}
