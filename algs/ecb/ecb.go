// Package ecb is ecb(aes): AES on every block by itself (NIST SP 800-38A section 6.1). Equal blocks stay equal, so it
// hides next to nothing; it is here for people who build a mode of their own and want many blocks in one call.
package ecb

import (
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

const blockSize = aes.BlockSize

// generic is ecb(aes) by portable code.
type generic struct{ cipher aes.Cipher }

func newGeneric(registry.Config) registry.Skcipher { return new(generic) }

// SetKey takes a key of 16, 24 or 32 bytes.
func (g *generic) SetKey(key []byte) error {
	g.cipher.SetKey(key)
	return nil
}

// Wipe overwrites the key.
func (g *generic) Wipe() { g.cipher.Wipe() }

// Encrypt encrypts the blocks of src. There is no iv.
func (g *generic) Encrypt(dst, src, _ []byte) { g.cipher.EncryptBlocks(dst, src) }

// Decrypt decrypts the blocks of src. There is no iv.
func (g *generic) Decrypt(dst, src, _ []byte) { g.cipher.DecryptBlocks(dst, src) }
