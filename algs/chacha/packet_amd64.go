//go:build !purego

package chacha

// Sizes of a packet in bytes: of a text that is encrypted or decrypted, and its tag computed, in one call.
const (
	packetMin = 3*BlockSize + 1
	packetMax = 8 * BlockSize
	packetAAD = 128 // of additional data at most, which are added one block at a time
)

// suitsPacket tells whether a message is one for packetIFMA.
func (c *core) suitsPacket(n, aad int) bool {
	return c.impl == avx512IFMA && uint(n-packetMin) <= packetMax-packetMin && aad <= packetAAD && n+aad <= c.chunk
}

// packetIFMA is ChaCha20-Poly1305 of n bytes, 193 to 512, under c's key and a nonce of 12 bytes, with up to 255 bytes of
// additional data. open says that src is ciphertext. The tag is that of the ciphertext, which is read before it is overwritten.
//
//go:noescape
func packetIFMA(c *core, dst, src *byte, n int, nonce, aad *byte, aadN int, tag *byte, open bool)
