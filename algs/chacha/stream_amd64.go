//go:build !purego

package chacha

import "unsafe"

// XORBlocks XORs src with the keystream from block number block on under iv.
func (s *stream) XORBlocks(dst, src, iv []byte, block uint64) {
	if !s.fits(len(src), iv, block) {
		s.split(dst, src, iv, block)
		return
	}
	switch s.impl {
	case avx512, avx512IFMA:
		streamAVX512(&s.core, unsafe.SliceData(dst), unsafe.SliceData(src), len(src), unsafe.SliceData(iv), block)
	default:
		s.piece(dst, src, iv, block)
	}
}
