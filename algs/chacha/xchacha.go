package chacha

import (
	"encoding/binary"

	"kcrypto/registry"
)

// derive makes sub a core with the key that HChaCha makes of c's key and the 16 bytes of nonce. It does not return
// one: that would leave a copy on the stack.
//
// HChaCha (draft-irtf-cfrg-xchacha, section 2.2) takes the first and the last four words as they come out of the
// rounds, while the block function adds its input to every word at the end. So it is a block of keystream less the
// input, and whatever computes blocks computes subkeys.
func (c *core) derive(sub *core, nonce []byte) {
	var block [BlockSize]byte
	c.xor(block[:], block[:], nonce, 0)
	sub.rounds, sub.chunk, sub.impl, sub.sixteens, sub.scalar = c.rounds, c.chunk, c.impl, c.sixteens, c.scalar
	for i := range 4 {
		sub.key[i] = binary.LittleEndian.Uint32(block[4*i:]) - constants[i]
		sub.key[4+i] = binary.LittleEndian.Uint32(block[48+4*i:]) - binary.LittleEndian.Uint32(nonce[4*i:])
	}
	clear(block[:])
}

// xstream is XChaCha as a stream cipher. Its IV is 16 bytes for HChaCha, 8 bytes of nonce, and the little-endian block
// counter of 64 bits.
type xstream struct {
	core
}

func newXStream(i impl, rounds int) func(registry.Config) registry.Skcipher {
	return func(c registry.Config) registry.Skcipher { return &xstream{newCore(c, i, rounds)} }
}

// under makes s the stream under the subkey for iv, and sets innerIV to iv's counter and nonce in the order of the
// state's words.
func (x *xstream) under(s *stream, innerIV *[16]byte, iv []byte) {
	copy(innerIV[:8], iv[24:32])
	copy(innerIV[8:], iv[16:24])
	x.derive(&s.core, iv[:16])
	s.wide = true
}

// Encrypt XORs src with the keystream of iv.
func (x *xstream) Encrypt(dst, src, iv []byte) { x.XORBlocks(dst, src, iv, 0) }

// Decrypt does the same.
func (x *xstream) Decrypt(dst, src, iv []byte) { x.XORBlocks(dst, src, iv, 0) }

// XORBlocks XORs src with the keystream from block number block on under iv.
func (x *xstream) XORBlocks(dst, src, iv []byte, block uint64) {
	var s stream
	var innerIV [16]byte
	x.under(&s, &innerIV, iv)
	s.XORBlocks(dst, src, innerIV[:], block)
	s.Wipe()
}

// Blocks is how many blocks there are before the counter of iv runs over.
func (x *xstream) Blocks(iv []byte) uint64 {
	return blocksFrom64(binary.LittleEndian.Uint64(iv[24:]))
}

// Bind derives the subkey for iv.
func (x *xstream) Bind(iv []byte) (registry.StreamCipher, []byte) {
	s, innerIV := new(stream), new([16]byte)
	x.under(s, innerIV, iv)
	return s, innerIV[:]
}

// inner makes sub a core with the subkey for a nonce of 24 bytes, and returns the nonce of 12 for that.
func (c *core) inner(sub *core, nonce []byte) (rest [nonceSize]byte) {
	copy(rest[4:], nonce[16:])
	c.derive(sub, nonce[:16])
	return rest
}
