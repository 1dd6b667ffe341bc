package cbc

import (
	"crypto/subtle"

	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// bufferBytes is the number of bytes decrypted in one call of package aes, which works on several blocks at once.
const bufferBytes = 32 * blockSize

// generic is what genericCBC and genericCTS share: CBC by portable code. It has no pointers.
type generic struct{ aes.Cipher }

// genericCBC is cbc(aes) under one key.
type genericCBC struct{ generic }

func newGeneric(registry.Config) registry.Skcipher { return new(genericCBC) }

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

// EncryptUnits encrypts units of size bytes, a block of each of many at once.
func (g *genericCBC) EncryptUnits(dst, src []byte, size int, ivs []byte) {
	var chains [bufferBytes]byte
	for len(src) > 0 {
		chain := chains[:copy(chains[:], ivs)]
		for at := 0; at < size; at += blockSize {
			for b, from := chain, at; len(b) > 0; b, from = b[blockSize:], from+size {
				subtle.XORBytes(b, b[:blockSize], src[from:])
			}
			g.EncryptBlocks(chain, chain)
			for b, to := chain, at; len(b) > 0; b, to = b[blockSize:], to+size {
				copy(dst[to:], b[:blockSize])
			}
		}
		done := len(chain) / blockSize * size
		dst, src, ivs = dst[done:], src[done:], ivs[len(chain):]
	}
}

// DecryptUnits decrypts one unit after the other.
func (g *genericCBC) DecryptUnits(dst, src []byte, size int, ivs []byte) {
	for ; len(src) > 0; dst, src, ivs = dst[size:], src[size:], ivs[blockSize:] {
		g.Decrypt(dst[:size], src[:size], ivs)
	}
}
