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
		xorAVX512(st, d, s, len(src), c.rounds, nil, nil, nil, 0, 0)
	}
	st[12] = counter + uint32((len(src)+BlockSize-1)/BlockSize)
	return true
}

// The stubs are core.xor and Poly1305 at a time. With a key they put the first block of keystream there and begin the text
// at the second one. With m they add polyN bytes, whole blocks, at poly to it. With lag these follow what the call writes:
// poly is dst or before it, and what lies between is there already. Without lag, poly is src, or n is 0. st's counter is
// left anywhere.

//go:noescape
func xorSSSE3(st *state, dst, src *byte, n, rounds int, key *[BlockSize]byte, m *poly1305, poly *byte, polyN, lag int)

//go:noescape
func xorAVX2(st *state, dst, src *byte, n, rounds int, key *[BlockSize]byte, m *poly1305, poly *byte, polyN, lag int)

//go:noescape
func xorAVX512(st *state, dst, src *byte, n, rounds int, key *[BlockSize]byte, m *poly1305, poly *byte, polyN, lag int)
