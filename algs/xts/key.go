package xts

import (
	"crypto/subtle"

	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// key is xts(aes) under one key. It has no pointers, so that it can be wiped and is nothing to the garbage collector.
type key struct {
	weakKeys
	data, tweak aes.Cipher // Key1 and Key2 of the standard
}

func newKey(registry.Config) registry.Skcipher { return new(key) }

// SetKey takes a key of 32, 48 or 64 bytes: one for the data and one as long for the tweak.
func (k *key) SetKey(key []byte) error {
	half := len(key) / 2
	k.data.SetKey(key[:half])
	k.tweak.SetKey(key[half:])
	return nil
}

// Wipe overwrites the key.
func (k *key) Wipe() { *k = key{} }

// Encrypt encrypts one data unit. The iv is its tweak.
func (k *key) Encrypt(dst, src, iv []byte) {
	var t [blockSize]byte
	k.tweak.EncryptBlocks(t[:], iv)
	k.encrypt(dst, src, load(t[:]))
}

// Decrypt decrypts one data unit. The iv is its tweak.
func (k *key) Decrypt(dst, src, iv []byte) {
	var t [blockSize]byte
	k.tweak.EncryptBlocks(t[:], iv)
	k.decrypt(dst, src, load(t[:]))
}

// EncryptSectors encrypts consecutive sectors, each a data unit whose tweak is its number, little-endian.
func (k *key) EncryptSectors(dst, src []byte, sectorSize int, first uint64) {
	var tweaks [batch]byte
	for len(src) > 0 {
		for b := k.tweaks(&tweaks, first, len(src)/sectorSize); len(b) > 0; b = b[blockSize:] {
			k.encrypt(dst[:sectorSize], src[:sectorSize], load(b))
			dst, src = dst[sectorSize:], src[sectorSize:]
			first++
		}
	}
}

// DecryptSectors decrypts what EncryptSectors encrypted.
func (k *key) DecryptSectors(dst, src []byte, sectorSize int, first uint64) {
	var tweaks [batch]byte
	for len(src) > 0 {
		for b := k.tweaks(&tweaks, first, len(src)/sectorSize); len(b) > 0; b = b[blockSize:] {
			k.decrypt(dst[:sectorSize], src[:sectorSize], load(b))
			dst, src = dst[sectorSize:], src[sectorSize:]
			first++
		}
	}
}

// tweaks encrypts the tweaks of the sectors from number first on, as many of the count as fit in buf, and returns them.
func (k *key) tweaks(buf *[batch]byte, first uint64, count int) []byte {
	all := buf[:min(count, batch/blockSize)*blockSize]
	for b := all; len(b) > 0; b = b[blockSize:] {
		tweak{lo: first}.put(b)
		first++
	}
	k.tweak.EncryptBlocks(all, all)
	return all
}

// weakKeys is registry.WeakKeyChecker for all keys here.
type weakKeys struct{}

// WeakKey finds keys whose halves are equal, which FIPS 140 forbids, in constant time.
func (weakKeys) WeakKey(key []byte) string {
	half := len(key) / 2
	if subtle.ConstantTimeCompare(key[:half], key[half:]) == 1 {
		return "its halves are equal"
	}
	return ""
}
