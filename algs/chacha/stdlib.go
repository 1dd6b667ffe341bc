package chacha

import (
	"crypto/cipher"
	"crypto/fips140"

	"golang.org/x/crypto/chacha20poly1305"

	"kcrypto/registry"
)

// stdlib is golang.org/x/crypto/chacha20poly1305. Its key lies where only that package reaches it: Wipe and SetKey drop
// it for the garbage collector and cannot overwrite it.
type stdlib struct {
	new  func(key []byte) (cipher.AEAD, error)
	aead cipher.AEAD
}

func newStdlib(registry.Config) registry.AEAD  { return &stdlib{new: chacha20poly1305.New} }
func newXStdlib(registry.Config) registry.AEAD { return &stdlib{new: chacha20poly1305.NewX} }

// stdlibUnavailable says why x/crypto would refuse every key.
func stdlibUnavailable() string {
	if fips140.Enforced() {
		return "golang.org/x/crypto/chacha20poly1305 refuses to work under GODEBUG=fips140=only"
	}
	return ""
}

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
	_, err := s.aead.Open(dst[:0], nonce, joined(ciphertext, tag), aad)
	return err == nil
}

// joined returns ciphertext and tag as the one slice that crypto/cipher wants: the caller's memory where the tag
// directly follows, as it does unless the caller stores tags apart, and else a copy.
func joined(ciphertext, tag []byte) []byte {
	n := len(ciphertext)
	switch {
	case n == 0:
		return tag
	case cap(ciphertext) >= n+len(tag) && &ciphertext[:n+1][n] == &tag[0]:
		return ciphertext[:n+len(tag)]
	}
	return append(ciphertext[:n:n], tag...)
}
