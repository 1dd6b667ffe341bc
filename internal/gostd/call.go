package gostd

import (
	"crypto/cipher"
	"errors"

	"golang.org/x/crypto/chacha20poly1305"
)

const (
	blockSize = 16 // bytes, of AES
	gcmNonce  = 12 // bytes: GCM's nonce that is not hashed
	gcmTag    = 16 // bytes: GCM's longest tag
)

var errNoSuchGCM = errors.New("gostd: crypto/cipher has no GCM with these sizes of nonce and tag")

// NewGCM returns crypto/cipher's GCM for these sizes of nonce and tag in bytes. It fails for tags under 12 bytes, for
// tags under 16 with a nonce that is not 12, and under GODEBUG=fips140=only.
func NewGCM(block cipher.Block, nonce, tag int) (cipher.AEAD, error) {
	switch {
	case tag == gcmTag && nonce != gcmNonce:
		return cipher.NewGCMWithNonceSize(block, nonce)
	case tag >= 12 && nonce == gcmNonce:
		return cipher.NewGCMWithTagSize(block, tag)
	}
	return nil, errNoSuchGCM
}

// GCMOverruns reports whether crypto/cipher's GCM would leave the size bytes of n bytes of text and their tag: its
// assembly stores, and in Open loads, the last block of the text whole, which reaches beyond tags of less than 16 bytes
// (golang.org/issue/80288).
func GCMOverruns(n, size int) bool {
	last := n % blockSize
	return last > 0 && n-last+blockSize > size
}

// NewChaCha20Poly1305 returns x/crypto's AEAD of RFC 8439. It fails under GODEBUG=fips140=only.
func NewChaCha20Poly1305(key []byte) (cipher.AEAD, error) { return chacha20poly1305.New(key) }

// NewXChaCha20Poly1305 is NewChaCha20Poly1305 for nonces of 24 bytes.
func NewXChaCha20Poly1305(key []byte) (cipher.AEAD, error) { return chacha20poly1305.NewX(key) }

// Joined returns ciphertext and tag as the one slice that a cipher.AEAD takes: the caller's memory where the tag
// directly follows, as it does unless the caller keeps tags apart, and else a copy.
func Joined(ciphertext, tag []byte) []byte {
	n := len(ciphertext)
	switch {
	case n == 0:
		return tag
	case cap(ciphertext) >= n+len(tag) && &ciphertext[:n+1][n] == &tag[0]:
		return ciphertext[:n+len(tag)]
	}
	return append(ciphertext[:n:n], tag...)
}
