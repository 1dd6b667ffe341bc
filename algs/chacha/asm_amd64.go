//go:build !purego

package chacha

import "unsafe"

//go:generate go -C ../../_asm run ./chacha

const (
	ssse3 impl = 1 + iota
	avx2
	avx512
)

//go:noinline
func (c *core) xorAsm(dst, src []byte, st *state) bool {
	if c.impl == generic {
		return false
	}
	xorAVX512(st, unsafe.SliceData(dst), unsafe.SliceData(src), len(src), c.rounds, nil)
	return true
}

// xorAVX512 is core.xor. With a key it puts the first block of keystream there and begins the text at the second one.
//
//go:noescape
func xorAVX512(st *state, dst, src *byte, n, rounds int, key *[BlockSize]byte)
