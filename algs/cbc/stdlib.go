package cbc

import (
	"crypto/aes"
	"crypto/cipher"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// stdlib is cbc(aes) by Go's crypto/cipher, which works on one block at a time in both directions. Each call allocates
// a cipher.BlockMode, and Go's cipher.Block cannot be wiped: Wipe drops the reference.
type stdlib struct{ block cipher.Block }

func newStdlib(registry.Config) registry.Skcipher { return new(stdlib) }

// SetKey takes a key of 16, 24 or 32 bytes.
func (s *stdlib) SetKey(key []byte) (err error) {
	s.block, err = aes.NewCipher(key)
	return err
}

// Wipe drops the key.
func (s *stdlib) Wipe() { s.block = nil }

// Encrypt encrypts the blocks of src.
func (s *stdlib) Encrypt(dst, src, iv []byte) {
	start := [blockSize]byte(iv) // iv may lie in dst
	cipher.NewCBCEncrypter(s.block, noescape.Slice(start[:])).CryptBlocks(dst, src)
}

// Decrypt decrypts the blocks of src.
func (s *stdlib) Decrypt(dst, src, iv []byte) {
	start := [blockSize]byte(iv)
	cipher.NewCBCDecrypter(s.block, noescape.Slice(start[:])).CryptBlocks(dst, src)
}
