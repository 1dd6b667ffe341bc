//go:build !purego

package chacha

import "unsafe"

//go:generate go -C ../../_asm run ./chacha

const (
	ssse3 impl = 1 + iota
	avx2
	avx512
)

// xorAsm is core.xor for the implementations in assembly; it reports whether there is one.
//
//go:noinline
func (c *core) xorAsm(dst, src []byte, st *state) bool {
	d, s, counter := unsafe.SliceData(dst), unsafe.SliceData(src), st[12]
	switch c.impl {
	default:
		return false
	case ssse3:
		xorSSSE3(st, d, s, len(src), c.rounds, nil, nil, nil, 0, 0)
	case avx2:
		xorAVX2(st, d, s, len(src), c.rounds, nil, nil, nil, 0, 0)
	case avx512:
		xorAVX512(st, d, s, len(src), c.rounds, nil)
	}
	st[12] = counter + uint32((len(src)+BlockSize-1)/BlockSize)
	return true
}

// xorAVX512 is core.xor. With a key it puts the first block of keystream there and begins the text at the second one.
//
//go:noescape
func xorAVX512(st *state, dst, src *byte, n, rounds int, key *[BlockSize]byte)

// xorAVX2 is core.xor and Poly1305 at a time. With a key it puts the first block of keystream there and begins the text at
// the second one. With m it adds polyN bytes, whole blocks, at poly to m: with lag they are what it writes itself (poly is
// dst or before it, and what lies between is there), without they are the src.
//
//go:noescape
func xorAVX2(st *state, dst, src *byte, n, rounds int, key *[BlockSize]byte, m *poly1305, poly *byte, polyN, lag int)

//go:noescape
func xorSSSE3(st *state, dst, src *byte, n, rounds int, key *[BlockSize]byte, m *poly1305, poly *byte, polyN, lag int)
