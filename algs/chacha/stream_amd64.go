//go:build !purego

package chacha

import "unsafe"

// once is onceGeneric, at least one byte of it, in assembly if there is any for c.
func (c *core) once(dst, src, iv []byte, block uint64) {
	d, p, v, n := unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(iv), len(src)
	switch c.impl {
	case avx512, avx512IFMA:
		xorAVX512(c, d, p, n, v, block, nil)
	case avx2:
		xorAVX2(c, d, p, n, v, block, nil)
	case ssse3:
		xorSSSE3(c, d, p, n, v, block, nil)
	default:
		c.onceGeneric(dst, src, iv, block)
	}
}
