package cbc

import (
	"crypto/subtle"

	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// bufferBytes is the number of bytes decrypted in one call of package aes, which works on several blocks at once.
const bufferBytes = 32 * blockSize

// generic is cbc(aes) under one key, by portable code. It has no pointers.
type generic struct{ aes.Cipher }

func newGeneric(registry.Config) registry.Skcipher { return new(generic) }

// Encrypt encrypts the blocks of src, one after the other.
func (g *generic) Encrypt(dst, src, iv []byte) {
	chain := [blockSize]byte(iv)
	for ; len(src) > 0; dst, src = dst[blockSize:], src[blockSize:] {
		subtle.XORBytes(chain[:], chain[:], src[:blockSize])
		g.EncryptBlocks(chain[:], chain[:])
		copy(dst, chain[:])
	}
}

// Decrypt decrypts the blocks of src, many at once.
func (g *generic) Decrypt(dst, src, iv []byte) {
	var before [bufferBytes]byte // the block of ciphertext before each one
	last := [blockSize]byte(iv)
	for len(src) > 0 {
		n := min(len(src), bufferBytes)
		copy(before[copy(before[:], last[:]):], src[:n-blockSize])
		last = [blockSize]byte(src[n-blockSize:])
		g.DecryptBlocks(dst[:n], src[:n])
		subtle.XORBytes(dst[:n], dst[:n], before[:n])
		dst, src = dst[n:], src[n:]
	}
}
