// Package aead dresses transforms of this library as the cipher.AEADs of another package: the same panics and the same
// errors, word for word, so that a program cannot tell them apart but by their speed.
package aead

import (
	"crypto/cipher"

	"kcrypto"
	"kcrypto/compat/internal/lend"
	"kcrypto/internal/overlap"
)

// Manners are the limits and the words of the package that is stood in for. What is said of a caller's mistake is said
// in a panic.
type Manners struct {
	MaxText    uint64 // bytes: longest plaintext
	SealNonce  string // Seal was given a nonce of the wrong size
	OpenNonce  string // so was Open
	SealLong   string // a plaintext over MaxText
	OpenLong   string // a ciphertext over MaxText and a tag; "" means that it counts as forged
	Overlap    string // output and input share memory, but not from the same byte on
	OverlapAAD string // output and additional data share memory
	Forged     error  // what Open returns for a message that is not authentic
}

// Kind is one AEAD of the other package, for any key.
type Kind struct {
	manners   *Manners
	nonceSize int
	tagSize   int
	store     *lend.Store[kcrypto.AEAD]
}

// NewKind makes a Kind of an algorithm of this library. Sizes are in bytes.
func NewKind(m *Manners, algorithm string, nonceSize, tagSize int) *Kind {
	return &Kind{m, nonceSize, tagSize, lend.NewStore(func() (*kcrypto.AEAD, error) {
		return kcrypto.AllocAEAD(algorithm, kcrypto.WithNonceSize(nonceSize), kcrypto.WithAuthSize(tagSize))
	})}
}

// New makes an AEAD of key, whose size the caller has checked. Errors are those of kcrypto.AllocAEAD.
func (k *Kind) New(key []byte) (cipher.AEAD, error) {
	if err := k.store.Ready(); err != nil {
		return nil, err
	}
	d := &dressed{kind: k, keySize: len(key)}
	copy(d.key[:], key)
	return d, nil
}

// dressed has no method beyond those of cipher.AEAD: others would be open to type assertions, and programs would come
// to depend on them.
type dressed struct {
	kind    *Kind
	place   lend.Place[kcrypto.AEAD, *kcrypto.AEAD]
	keySize int
	key     [32]byte
}

func (d *dressed) NonceSize() int { return d.kind.nonceSize }

func (d *dressed) Overhead() int { return d.kind.tagSize }

func (d *dressed) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	k := d.kind
	if len(nonce) != k.nonceSize {
		panic(k.manners.SealNonce)
	}
	if uint64(len(plaintext)) > k.manners.MaxText {
		panic(k.manners.SealLong)
	}
	k.refuseOverlap(dst, len(plaintext)+k.tagSize, plaintext, additionalData)
	t, lent := d.place.Own(), false
	if t == nil {
		t, lent = d.place.Take(k.store, d.key[:d.keySize])
	}
	ciphertext := t.Seal(dst, nonce, plaintext, additionalData)
	if lent {
		k.store.Put(t)
	}
	return ciphertext
}

func (d *dressed) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	k := d.kind
	if len(nonce) != k.nonceSize {
		panic(k.manners.OpenNonce)
	}
	n := len(ciphertext) - k.tagSize
	if n < 0 {
		return nil, k.manners.Forged
	}
	if uint64(n) > k.manners.MaxText {
		if k.manners.OpenLong != "" {
			panic(k.manners.OpenLong)
		}
		return nil, k.manners.Forged
	}
	k.refuseOverlap(dst, n, ciphertext, additionalData)
	t, lent := d.place.Own(), false
	if t == nil {
		t, lent = d.place.Take(k.store, d.key[:d.keySize])
	}
	plaintext, err := t.Open(dst, nonce, ciphertext, additionalData)
	if lent {
		k.store.Put(t)
	}
	if err != nil {
		return nil, k.manners.Forged
	}
	return plaintext, nil
}

// refuseOverlap looks for overlaps before the transform does, which would name them in its own words. The output is
// the n bytes that follow dst, if it has the capacity; if not, it is fresh memory and overlaps nothing.
func (k *Kind) refuseOverlap(dst []byte, n int, input, aad []byte) {
	if cap(dst)-len(dst) < n {
		return
	}
	out := dst[len(dst) : len(dst)+n]
	if overlap.Inexact(out, input) {
		panic(k.manners.Overlap)
	}
	if overlap.Any(out, aad) {
		panic(k.manners.OverlapAAD)
	}
}
