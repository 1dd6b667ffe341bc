// Package esp is what the AEADs of IPsec's ESP share (RFC 4106, 4309, 4543, 7634): the key is followed by 4 bytes of
// salt (RFC 4309: 3), which begin every nonce; the 8 bytes that each packet carries, the explicit IV, end it.
package esp

import (
	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// Sizes in bytes.
const (
	SaltSize  = 4
	IVSize    = 8
	NonceSize = SaltSize + IVSize
)

// Salted is an AEAD's key with its salt. It has no Seal and Open: see AEAD.
type Salted struct {
	Inner registry.AEAD
	Lacks int // bytes by which the salt is shorter than SaltSize
	Salt  [SaltSize]byte
}

// SetKey takes a key of Inner and the salt.
func (s *Salted) SetKey(key []byte) error {
	n := len(key) - (SaltSize - s.Lacks)
	copy(s.Salt[:], key[n:])
	return s.Inner.SetKey(key[:n])
}

// Wipe overwrites the key and the salt.
func (s *Salted) Wipe() {
	clear(s.Salt[:])
	s.Inner.Wipe()
}

// Nonce joins salt and IV in full, which stays on the caller's stack. Inlined in another package it would not: there
// the compiler does not see that noescape's generic function keeps nothing.
//
//go:noinline
func (s *Salted) Nonce(full *[NonceSize]byte, iv []byte) []byte {
	salt := SaltSize - s.Lacks
	copy(full[:], s.Salt[:salt])
	copy(full[salt:], iv)
	return noescape.Slice(full[:salt+IVSize])
}

// AEAD is Inner under nonces of salt and IV. The additional data is SPI|SN and passes unchanged.
type AEAD struct{ Salted }

// Seal encrypts and authenticates. The nonce is the 8 bytes of explicit IV.
func (a *AEAD) Seal(dst, iv, plaintext, aad []byte) {
	var full [NonceSize]byte
	a.Inner.Seal(dst, a.Nonce(&full, iv), plaintext, aad)
}

// Open authenticates and decrypts. The nonce is the 8 bytes of explicit IV.
func (a *AEAD) Open(dst, iv, ciphertext, tag, aad []byte) bool {
	var full [NonceSize]byte
	return a.Inner.Open(dst, a.Nonce(&full, iv), ciphertext, tag, aad)
}
