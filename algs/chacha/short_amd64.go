//go:build !purego

package chacha

import (
	"encoding/binary"
	"unsafe"
)

// What shortAVX512 takes at most, in bytes.
const (
	shortText = 3 * BlockSize
	shortAAD  = 64
)

// suitsShort tells whether all of a message is done by one call of assembly.
func (c *core) suitsShort(n, aad int) bool {
	return c.impl >= avx512 && n <= shortText && n <= c.chunk && aad <= shortAAD
}

// Seal encrypts and authenticates. The nonce has 12 bytes.
func (a *aead) Seal(dst, nonce, plaintext, aad []byte) {
	n := len(plaintext)
	switch {
	case a.suitsShort(n, len(aad)):
		shortAVX512(&a.core, unsafe.SliceData(dst), unsafe.SliceData(plaintext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), unsafe.SliceData(dst[n:]), false)
	case a.suitsPacket(n, len(aad)):
		packetIFMA(&a.core, unsafe.SliceData(dst), unsafe.SliceData(plaintext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), unsafe.SliceData(dst[n:]), false)
	default:
		a.seal(dst, nonce, plaintext, aad)
	}
}

// Open authenticates and decrypts in one pass. The nonce has 12 bytes.
func (a *aead) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	n := len(ciphertext)
	switch {
	case a.suitsShort(n, len(aad)):
		return shortAVX512(&a.core, unsafe.SliceData(dst), unsafe.SliceData(ciphertext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), unsafe.SliceData(tag), true) == 0
	case a.suitsPacket(n, len(aad)):
		var want [tagSize]byte
		packetIFMA(&a.core, unsafe.SliceData(dst), unsafe.SliceData(ciphertext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), &want[0], true)
		return same(tag, binary.LittleEndian.Uint64(want[:]), binary.LittleEndian.Uint64(want[8:]))
	default:
		return a.open(dst, nonce, ciphertext, tag, aad)
	}
}

// shortAVX512 seals or opens a message of n bytes under a nonce of 12. It stores the tag, or returns 0 if the one there is
// right.
//
//go:noescape
func shortAVX512(c *core, dst, src *byte, n int, nonce, aad *byte, aadN int, tag *byte, open bool) (diff uint64)
