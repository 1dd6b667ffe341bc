// Package chacha20poly1305 replaces golang.org/x/crypto/chacha20poly1305 (RFC 8439, and the XChaCha draft): the same
// names, results, panics and errors, by the best drivers of rfc7539(chacha20,poly1305) and xchacha20poly1305.
//
//	import "kcrypto/compat/chacha20poly1305" // was: "golang.org/x/crypto/chacha20poly1305"
//
// One rule is stricter than x/crypto's, whose amd64 code accepts an output of Open that overlaps only the tag, and then
// fails: here, any overlap but an exact one panics. [kcrypto.NewAEAD] has the driver's name too, and a Close that wipes
// the key; here the garbage collector does that.
package chacha20poly1305

import (
	"crypto/cipher"
	"crypto/fips140"
	"errors"

	"kcrypto/compat/internal/aead"
)

// Sizes in bytes.
const (
	KeySize    = 32 // of either AEAD's key
	NonceSize  = 12 // of New's nonces; chosen at random, at most 2^32 of them under one key
	NonceSizeX = 24 // of NewX's nonces, which may be random
	Overhead   = 16 // of the tag: how much longer a ciphertext is than its plaintext
)

// rules are the rules of both of x/crypto's AEADs.
var rules = aead.Rules{
	MaxText:    1<<38 - 64,
	SealNonce:  "chacha20poly1305: bad nonce length passed to Seal",
	OpenNonce:  "chacha20poly1305: bad nonce length passed to Open",
	SealLong:   "chacha20poly1305: plaintext too large",
	OpenLong:   "chacha20poly1305: ciphertext too large",
	Overlap:    "chacha20poly1305: invalid buffer overlap of output and input",
	OverlapAAD: "chacha20poly1305: invalid buffer overlap of output and additional data",
	Forged:     errors.New("chacha20poly1305: message authentication failed"),
}

var (
	rfc8439 = aead.NewKind(&rules, "rfc7539(chacha20,poly1305)", NonceSize, Overhead)
	xchacha = aead.NewKind(&rules, "xchacha20poly1305", NonceSizeX, Overhead)
)

// New makes a ChaCha20-Poly1305 AEAD of a key of 32 bytes, which is copied. It may be used by any number of goroutines
// at once. Errors: another key size; GODEBUG=fips140=only, as in x/crypto; registry.ErrConfig for a KCRYPTO variable
// that cannot be understood.
func New(key []byte) (cipher.AEAD, error) { return newAEAD(rfc8439, key) }

// NewX is New for XChaCha20-Poly1305, with nonces of 24 bytes.
func NewX(key []byte) (cipher.AEAD, error) { return newAEAD(xchacha, key) }

func newAEAD(kind *aead.Kind, key []byte) (cipher.AEAD, error) {
	if fips140.Enforced() {
		return nil, errors.New("chacha20poly1305: use of ChaCha20Poly1305 is not allowed in FIPS 140-only mode")
	}
	if len(key) != KeySize {
		return nil, errors.New("chacha20poly1305: bad key length")
	}
	return kind.New(key)
}
