package chacha

import (
	"crypto/cipher"

	"kcrypto/internal/gostd"
	"kcrypto/registry"
)

// stdlib is golang.org/x/crypto/chacha20poly1305. That keeps the key where nothing else reaches it: Wipe and SetKey
// overwrite the copy that is kept here and drop the other for the garbage collector.
type stdlib struct {
	new      func(key []byte) (cipher.AEAD, error)
	aead     cipher.AEAD
	portable core // for messages in pieces
}

func newStdlib(c registry.Config) registry.AEAD {
	return &stdlib{new: gostd.NewChaCha20Poly1305, portable: newCore(c, generic, 20)}
}

func newXStdlib(c registry.Config) registry.AEAD {
	return &stdlib{new: gostd.NewXChaCha20Poly1305, portable: newCore(c, generic, 20)}
}

// SetKey takes a key of 32 bytes. It fails under GODEBUG=fips140=only.
func (s *stdlib) SetKey(key []byte) (err error) {
	if s.aead, err = s.new(key); err != nil {
		return err
	}
	return s.portable.SetKey(key)
}

// Wipe overwrites the key as far as it can be reached, and drops the rest.
func (s *stdlib) Wipe() {
	s.aead = nil
	s.portable.Wipe()
}

// Seal encrypts and authenticates.
func (s *stdlib) Seal(dst, nonce, plaintext, aad []byte) {
	s.aead.Seal(dst[:0], nonce, plaintext, aad)
}

// Open authenticates and decrypts.
func (s *stdlib) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	_, err := s.aead.Open(dst[:0], nonce, gostd.Joined(ciphertext, tag), aad)
	return err == nil
}
