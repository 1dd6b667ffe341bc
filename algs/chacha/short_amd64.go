//go:build !purego

package chacha

import "unsafe"

// What shortAVX512 takes at most, in bytes.
const (
	shortText = 3 * BlockSize
	shortAAD  = 64
)

// suitsShort tells whether all of a message is done by one call of assembly.
func (c *core) suitsShort(n, aad int) bool {
	return c.impl >= avx512 && n <= shortText && n <= c.chunk && aad <= shortAAD
}

// seal encrypts and authenticates, with a nonce of 12 bytes.
func (c *core) seal(dst, nonce, plaintext, aad []byte) {
	n := len(plaintext)
	if !c.suitsShort(n, len(aad)) {
		c.sealAny(dst, nonce, plaintext, aad)
		return
	}
	shortAVX512(c, unsafe.SliceData(dst), unsafe.SliceData(plaintext), n, unsafe.SliceData(nonce),
		unsafe.SliceData(aad), len(aad), unsafe.SliceData(dst[n:]), false)
}

// open is seal's counterpart. It decrypts before it knows the answer.
func (c *core) open(dst, nonce, ciphertext, tag, aad []byte) bool {
	n := len(ciphertext)
	if !c.suitsShort(n, len(aad)) {
		return c.openAny(dst, nonce, ciphertext, tag, aad)
	}
	return shortAVX512(c, unsafe.SliceData(dst), unsafe.SliceData(ciphertext), n, unsafe.SliceData(nonce),
		unsafe.SliceData(aad), len(aad), unsafe.SliceData(tag), true) == 0
}

// shortAVX512 seals or opens a message of n bytes under a nonce of 12. It stores the tag, or returns 0 if the one there is
// right.
//
//go:noescape
func shortAVX512(c *core, dst, src *byte, n int, nonce, aad *byte, aadN int, tag *byte, open bool) (diff uint64)
