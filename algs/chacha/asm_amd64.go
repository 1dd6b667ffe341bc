//go:build !purego

package chacha

//go:generate go -C ../../_asm run ./chacha

// The functions below XOR n bytes of src with the keystream that c's key makes of iv, 16 bytes, from a block on, into
// dst, and do what mc says. iv may lie in dst. The counter is one of 32 bits: it must not run over before the last
// block. mc may be nil, but if n is 0 it must not.

//go:noescape
func xorSSSE3(c *core, dst, src *byte, n int, iv *byte, block uint64, mc *mac)

//go:noescape
func xorAVX2(c *core, dst, src *byte, n int, iv *byte, block uint64, mc *mac)

//go:noescape
func xorAVX512(c *core, dst, src *byte, n int, iv *byte, block uint64, mc *mac)

// xorBlock does the same with 1 to 64 bytes.
//
//go:noescape
func xorBlock(c *core, dst, src *byte, n int, iv *byte, block uint64)

// macShort is all of Poly1305 for a short message under the one-time key that key begins with.
//
//go:noescape
func macShort(tag *[tagSize]byte, key *[BlockSize]byte, aad *byte, aadLen int, text *byte, textLen int)

// macRest ends a sum: it adds n bytes of text, with zeros up to a whole block, and the two lengths, and writes the tag.
//
//go:noescape
func macRest(tag *[tagSize]byte, m *poly1305, text *byte, n, aadLen, textLen int)

// sumAVX2 adds to m aadN and then textN bytes, each with zeros up to a whole block. With a tag, the two lengths are
// added, and the tag of the sum is what comes out; m stays as it was.
//
//go:noescape
func sumAVX2(m *poly1305, aad *byte, aadN int, text *byte, textN int, tag *byte, aadLen, textLen int)

// sumIFMA adds to m first aadN and then textN bytes, at least one, each with zeros up to a whole block. With a tag,
// the two lengths are added, and the tag of the sum is what comes out; m stays as it was.
//
//go:noescape
func sumIFMA(m *poly1305, aad *byte, aadN int, text *byte, textN int, tag *byte, aadLen, textLen int)

// shortAVX512 seals or opens a message of up to 192 bytes, with up to 64 bytes of additional data, under a nonce of
// 12. It stores the tag, or returns 0 if the one there is right.
//
//go:noescape
func shortAVX512(c *core, dst, src *byte, n int, nonce, aad *byte, aadN int, tag *byte, open bool) (diff uint64)

// packetIFMA is ChaCha20-Poly1305 of n bytes, 193 to 512, under c's key and a nonce of 12 bytes, with up to 255 bytes
// of additional data. open says that src is ciphertext. The tag is that of the ciphertext, which is read before it is
// overwritten.
//
//go:noescape
func packetIFMA(c *core, dst, src *byte, n int, nonce, aad *byte, aadN int, tag *byte, open bool)
