package ecb

import (
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// generic is ecb(aes) under one key, by portable code. It has no pointers.
type generic struct{ aes.Cipher }

func newGeneric(registry.Config) registry.Skcipher { return new(generic) }

// Encrypt encrypts the blocks of src. There is no iv.
func (g *generic) Encrypt(dst, src, _ []byte) { g.EncryptBlocks(dst, src) }

// Decrypt decrypts the blocks of src. There is no iv.
func (g *generic) Decrypt(dst, src, _ []byte) { g.DecryptBlocks(dst, src) }
