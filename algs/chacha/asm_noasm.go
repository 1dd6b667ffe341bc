//go:build !amd64 || purego

package chacha

import "kcrypto/registry"

// asmDrivers is empty: this build has no assembly.
func asmDrivers() []registry.Driver { return nil }

// Seal encrypts and authenticates. The nonce has 12 bytes.
func (a *aead) Seal(dst, nonce, plaintext, aad []byte) { a.seal(dst, nonce, plaintext, aad) }

// Open authenticates and decrypts in one pass. The nonce has 12 bytes.
func (a *aead) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	return a.open(dst, nonce, ciphertext, tag, aad)
}

func (c *core) sealAsm(dst []byte, iv *[16]byte, plaintext, aad []byte) bool { return false }

func (c *core) openAsm(dst []byte, iv *[16]byte, ciphertext, tag, aad []byte) (ok, asm bool) {
	return false, false
}

func (c *core) once(dst, src, iv []byte, block uint64) { c.onceGeneric(dst, src, iv, block) }

// withBatches returns a: there is no assembly for batches.
func withBatches(a *aead) registry.AEAD { return a }
