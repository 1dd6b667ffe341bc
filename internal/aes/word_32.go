//go:build 386 || arm || mips || mipsle

package aes

import (
	"encoding/binary"
	"math/bits"
)

type word = uint32

const wordBits = 32

func rotateRight(w word, n int) word { return bits.RotateLeft32(w, -n) }

// gather puts column c of block i of src into word 8*c+i.
func (s *state) gather(src *[stateBytes]byte) {
	for i := range lanes {
		b := src[BlockSize*i:][:BlockSize]
		s[i] = binary.LittleEndian.Uint32(b)
		s[8+i] = binary.LittleEndian.Uint32(b[4:])
		s[16+i] = binary.LittleEndian.Uint32(b[8:])
		s[24+i] = binary.LittleEndian.Uint32(b[12:])
	}
}

// scatter is the inverse of gather.
func (s *state) scatter(dst *[stateBytes]byte) {
	for i := range lanes {
		b := dst[BlockSize*i:][:BlockSize]
		binary.LittleEndian.PutUint32(b, s[i])
		binary.LittleEndian.PutUint32(b[4:], s[8+i])
		binary.LittleEndian.PutUint32(b[8:], s[16+i])
		binary.LittleEndian.PutUint32(b[12:], s[24+i])
	}
}
