//go:build !purego

package chacha

import "unsafe"

// XORBlocks XORs src with the keystream from block number block on under iv.
func (s *stream) XORBlocks(dst, src, iv []byte, block uint64) {
	if !s.fits(len(src), iv, block) {
		s.split(dst, src, iv, block)
		return
	}
	d, p, v, n := unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(iv), len(src)
	switch s.impl {
	case avx512, avx512IFMA:
		streamAVX512(&s.core, d, p, n, v, block)
	case avx2:
		streamAVX2(&s.core, d, p, n, v, block)
	case ssse3:
		streamSSSE3(&s.core, d, p, n, v, block)
	default:
		s.piece(dst, src, iv, block)
	}
}
