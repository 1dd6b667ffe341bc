// Package aead wraps transforms of this library as the cipher.AEADs of another package, with the same panics and the
// same errors, word for word, so that a program sees no difference but the speed.
package aead

import (
	"crypto/cipher"

	"kcrypto"
	"kcrypto/compat/internal/pool"
	"kcrypto/internal/overlap"
)

// Rules are the limits and the messages of the package that is replaced. A caller's mistake is a panic.
type Rules struct {
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
	rules     *Rules
	nonceSize int
	tagSize   int
	pool      *pool.Pool[kcrypto.AEAD]
}

// NewKind makes a Kind of an algorithm of this library. Sizes are in bytes.
func NewKind(m *Rules, algorithm string, nonceSize, tagSize int) *Kind {
	return &Kind{m, nonceSize, tagSize, pool.New(func() (*kcrypto.AEAD, error) {
		return kcrypto.AllocAEAD(algorithm, kcrypto.WithNonceSize(nonceSize), kcrypto.WithAuthSize(tagSize))
	})}
}

// New makes an AEAD of key, whose size the caller has checked. Errors are those of kcrypto.AllocAEAD.
func (k *Kind) New(key []byte) (cipher.AEAD, error) {
	if err := k.pool.Ready(); err != nil {
		return nil, err
	}
	d := &wrapped{kind: k, keySize: len(key)}
	copy(d.key[:], key)
	return d, nil
}

// wrapped has no method beyond those of cipher.AEAD: others would be open to type assertions, and programs would come
// to depend on them.
type wrapped struct {
	kind    *Kind
	keyed   pool.Keyed[kcrypto.AEAD, *kcrypto.AEAD]
	keySize int
	key     [32]byte
}

func (d *wrapped) NonceSize() int { return d.kind.nonceSize }

func (d *wrapped) Overhead() int { return d.kind.tagSize }

func (d *wrapped) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	k := d.kind
	if len(nonce) != k.nonceSize {
		panic(k.rules.SealNonce)
	}
	if uint64(len(plaintext)) > k.rules.MaxText {
		panic(k.rules.SealLong)
	}
	k.refuseOverlap(dst, len(plaintext)+k.tagSize, plaintext, additionalData)
	t, shared := d.keyed.Own(), false
	if t == nil {
		t, shared = d.keyed.Get(k.pool, d.key[:d.keySize])
	}
	ciphertext := t.Seal(dst, nonce, plaintext, additionalData)
	if shared {
		k.pool.Put(t)
	}
	return ciphertext
}

func (d *wrapped) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	k := d.kind
	if len(nonce) != k.nonceSize {
		panic(k.rules.OpenNonce)
	}
	n := len(ciphertext) - k.tagSize
	if n < 0 {
		return nil, k.rules.Forged
	}
	if uint64(n) > k.rules.MaxText {
		if k.rules.OpenLong != "" {
			panic(k.rules.OpenLong)
		}
		return nil, k.rules.Forged
	}
	k.refuseOverlap(dst, n, ciphertext, additionalData)
	t, shared := d.keyed.Own(), false
	if t == nil {
		t, shared = d.keyed.Get(k.pool, d.key[:d.keySize])
	}
	plaintext, err := t.Open(dst, nonce, ciphertext, additionalData)
	if shared {
		k.pool.Put(t)
	}
	if err != nil {
		return nil, k.rules.Forged
	}
	return plaintext, nil
}

// refuseOverlap looks for overlaps before the transform does, whose messages are others. The output is the n bytes that
// follow dst, if dst has that capacity; otherwise it is new memory, which overlaps nothing.
func (k *Kind) refuseOverlap(dst []byte, n int, input, aad []byte) {
	if cap(dst)-len(dst) < n {
		return
	}
	out := dst[len(dst) : len(dst)+n]
	if overlap.Inexact(out, input) {
		panic(k.rules.Overlap)
	}
	if overlap.Any(out, aad) {
		panic(k.rules.OverlapAAD)
	}
}
