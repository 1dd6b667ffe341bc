package chacha

import (
	"crypto/cipher"

	"kcrypto/internal/gostd"
	"kcrypto/registry"
)

// stdlib is golang.org/x/crypto/chacha20poly1305. Its key lies where only that package reaches it: Wipe and SetKey drop
// it for the garbage collector and cannot overwrite it.
type stdlib struct {
	new  func(key []byte) (cipher.AEAD, error)
	aead cipher.AEAD
}

func newStdlib(registry.Config) registry.AEAD  { return &stdlib{new: gostd.NewChaCha20Poly1305} }
func newXStdlib(registry.Config) registry.AEAD { return &stdlib{new: gostd.NewXChaCha20Poly1305} }

// SetKey takes a key of 32 bytes. It fails under GODEBUG=fips140=only.
func (s *stdlib) SetKey(key []byte) (err error) {
	s.aead, err = s.new(key)
	return err
}

// Wipe drops the key.
func (s *stdlib) Wipe() { s.aead = nil }

// Seal encrypts and authenticates.
func (s *stdlib) Seal(dst, nonce, plaintext, aad []byte) {
	s.aead.Seal(dst[:0], nonce, plaintext, aad)
}

// Open authenticates and decrypts.
func (s *stdlib) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	_, err := s.aead.Open(dst[:0], nonce, gostd.Joined(ciphertext, tag), aad)
	return err == nil
}
