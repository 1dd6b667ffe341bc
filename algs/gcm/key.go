package gcm

import (
	"crypto/subtle"
	"encoding/binary"

	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// key is gcm(aes) under one key. It has no pointers, so that it can be wiped and is nothing to the garbage collector.
type key struct {
	cipher aes.Cipher
	powers powers
}

func newKey(registry.Config) registry.AEAD { return new(key) }

// SetKey takes a key of 16, 24 or 32 bytes.
func (k *key) SetKey(key []byte) error {
	k.expand(key)
	return nil
}

// Wipe overwrites the key.
func (k *key) Wipe() { *k = key{} }

// Seal encrypts and authenticates.
func (k *key) Seal(dst, nonce, plaintext, aad []byte) {
	text := dst[:len(plaintext)]
	j0 := k.j0(nonce)
	mask := k.xorKeyStream(text, plaintext, &j0)
	y := k.hash(k.hash(element{}, aad), text)
	tag := k.tag(y, len(aad), len(text), mask)
	copy(dst[len(text):], tag[:])
}

// Open authenticates and decrypts.
func (k *key) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	y := k.hash(k.hash(element{}, aad), ciphertext)
	j0 := k.j0(nonce)
	mask := k.xorKeyStream(dst, ciphertext, &j0)
	want := k.tag(y, len(aad), len(ciphertext), mask)
	return subtle.ConstantTimeCompare(want[:len(tag)], tag) == 1
}

// gmac is for rfc4543.
func (k *key) gmac(nonce, aad, iv, text []byte) [tagSize]byte {
	var head [2 * blockSize]byte // the beginning, up to a block's end
	n := copy(head[:], aad)
	n += copy(head[n:], iv)
	more := copy(head[n:], text)
	y := k.hash(k.hash(element{}, head[:n+more]), text[more:])
	j0 := k.j0(nonce)
	return k.tag(y, n+len(text), 0, k.xorKeyStream(nil, nil, &j0))
}

// j0 makes the first counter block, SP 800-38D section 7.1 step 2.
func (k *key) j0(nonce []byte) [blockSize]byte {
	if len(nonce) == nonceSize {
		j0 := [blockSize]byte{blockSize - 1: 1}
		copy(j0[:], nonce)
		return j0
	}
	y := k.hash(element{}, nonce)
	return k.hashLengths(y, 0, len(nonce)).bytes()
}

// tag finishes GHASH with the sizes in bytes of the additional data and the text, and encrypts it.
func (k *key) tag(y element, aad, text int, mask element) [tagSize]byte {
	return k.hashLengths(y, aad, text).add(mask).bytes()
}

// hashLengths takes GHASH over the block of two lengths, which are bytes here and bits there.
func (k *key) hashLengths(y element, a, b int) element {
	var block [blockSize]byte
	binary.BigEndian.PutUint64(block[:], uint64(a)*8)
	binary.BigEndian.PutUint64(block[8:], uint64(b)*8)
	return k.hash(y, block[:])
}
