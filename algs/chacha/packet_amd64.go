//go:build !purego

package chacha

import "unsafe"

// Sizes of a packet: a text that is encrypted or decrypted, and its tag computed, in one call.
const (
	packetMin = 3*BlockSize + 1
	packetMax = 8 * BlockSize
	packetAAD = 128 // bytes of additional data at most, which are added one block at a time
)

// isPacket tells whether a text of n bytes is a packet for c.
func (c *core) isPacket(aad []byte, n int) bool {
	return c.impl == avx512IFMA && uint(n-packetMin) <= packetMax-packetMin && len(aad) <= packetAAD && n+len(aad) <= c.chunk
}

// packet is packetIFMA without the addresses.
//
//go:noinline
func (c *core) packet(tag *[tagSize]byte, dst, src []byte, iv *[16]byte, aad []byte, open int) {
	packetIFMA(c, unsafe.SliceData(dst), unsafe.SliceData(src), len(src), iv, unsafe.SliceData(aad), len(aad), tag, open)
}

// packetIFMA is ChaCha20-Poly1305 of n bytes, 193 to 512, under c's key and an IV whose counter is 0, with up to 255 bytes of
// additional data. open is 1 if src is ciphertext, else 0. The tag is that of the ciphertext, which is read before it is
// overwritten.
//
//go:noescape
func packetIFMA(c *core, dst, src *byte, n int, iv *[16]byte, aad *byte, aadN int, tag *[tagSize]byte, open int)
