package ctr

import (
	"crypto/aes"
	"crypto/cipher"
	"math"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// stdlib is ctr(aes) by Go's crypto/cipher. Each call allocates a cipher.Stream, and Go's cipher.Block cannot be wiped:
// Wipe drops the reference.
type stdlib struct {
	block cipher.Block
	chunk int // bytes; crypto/cipher's own loop stays in assembly too long to be stopped
}

func newStdlib(c registry.Config) registry.Skcipher {
	return &stdlib{chunk: max(c.Chunk/blockSize, 1) * blockSize}
}

// SetKey takes a key of 16, 24 or 32 bytes.
func (s *stdlib) SetKey(key []byte) (err error) {
	s.block, err = aes.NewCipher(key)
	return err
}

// Wipe drops the key.
func (s *stdlib) Wipe() { s.block = nil }

// Encrypt XORs src with the keystream of iv.
func (s *stdlib) Encrypt(dst, src, iv []byte) { s.XORBlocks(dst, src, iv, 0) }

// Decrypt is Encrypt.
func (s *stdlib) Decrypt(dst, src, iv []byte) { s.XORBlocks(dst, src, iv, 0) }

// Blocks has no end: the counter wraps, and nobody makes 2^64 blocks.
func (s *stdlib) Blocks([]byte) uint64 { return math.MaxUint64 }

// Bind shares the cipher.Block, which is never changed: SetKey replaces it.
func (s *stdlib) Bind(iv []byte) (registry.StreamCipher, []byte) {
	c := *s
	return &c, iv
}

// XORBlocks XORs src with the keystream of iv from a block on.
func (s *stdlib) XORBlocks(dst, src, iv []byte, block uint64) {
	var start [blockSize]byte
	parse(iv).plus(block).put(start[:])
	stream := cipher.NewCTR(s.block, noescape.Slice(start[:]))
	for len(src) > 0 {
		n := min(len(src), s.chunk)
		stream.XORKeyStream(dst, src[:n])
		dst, src = dst[n:], src[n:]
	}
}
