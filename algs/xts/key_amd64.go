//go:build !purego

package xts

import (
	"kcrypto/internal/aes"
	"kcrypto/internal/chunk"
	"kcrypto/registry"
)

// asmKey is xts(aes) under one key, for the drivers in assembly. It has no pointers.
type asmKey struct {
	weakKeys
	enc, dec [240]byte // round keys of Key1
	tweak    [240]byte // round keys of Key2
	rounds   uint32
	impl     impl
	chunk    int // bytes that one call of assembly may take, a multiple of asmBatch
}

type tweakBlock [blockSize]byte

const (
	asmBatch = 512 // bytes: what the widest main loop takes at a time, and a multiple of what the others take
	group    = 32  // sectors whose tweaks are encrypted in one pass
)

func newAsmKey(i impl) func(registry.Config) registry.Skcipher {
	return func(c registry.Config) registry.Skcipher {
		k := blank(i, chunk.Round(c.Chunk, asmBatch))
		return &k
	}
}

// blank is a key object without a key. It has rounds all the same: assembly counts back from the last round key, and with
// 0 it would read what lies before the object.
func blank(i impl, most int) asmKey { return asmKey{impl: i, chunk: most, rounds: 10} }

// SetKey takes a key of 32, 48 or 64 bytes: one for the data and one as long for the tweak.
func (k *asmKey) SetKey(key []byte) error {
	k.Wipe() // a shorter key's schedule leaves the end of a longer one's, from which that key can be computed
	half := len(key) / 2
	k.rounds = uint32(aes.ExpandKeyAESNI(&k.enc, key[:half]))
	aes.ExpandKeyAESNI(&k.tweak, key[half:])
	aes.InvertKeyAESNI(&k.dec, &k.enc, int(k.rounds))
	return nil
}

// Wipe overwrites the key.
func (k *asmKey) Wipe() { *k = blank(k.impl, k.chunk) }

// Encrypt encrypts one data unit. The iv is its tweak.
func (k *asmKey) Encrypt(dst, src, iv []byte) { k.unit(dst, src, &iv[0], false) }

// Decrypt decrypts one data unit. The iv is its tweak.
func (k *asmKey) Decrypt(dst, src, iv []byte) { k.unit(dst, src, &iv[0], true) }

// unit encrypts or decrypts one data unit in calls of a chunk each. A last one of less than a block cannot be done
// alone, because of stealing.
func (k *asmKey) unit(dst, src []byte, iv *byte, decrypt bool) {
	var tweak tweakBlock
	for len(src) >= k.chunk+blockSize {
		k.crypt(&dst[0], &src[0], k.chunk, 1, iv, &tweak, decrypt)
		dst, src, iv = dst[k.chunk:], src[k.chunk:], nil
	}
	k.crypt(&dst[0], &src[0], len(src), 1, iv, &tweak, decrypt)
}

// EncryptSectors encrypts consecutive sectors, each a data unit whose tweak is its number, little-endian.
func (k *asmKey) EncryptSectors(dst, src []byte, sectorSize int, first uint64) {
	k.sectors(dst, src, sectorSize, first, false)
}

// DecryptSectors decrypts what EncryptSectors encrypted.
func (k *asmKey) DecryptSectors(dst, src []byte, sectorSize int, first uint64) {
	k.sectors(dst, src, sectorSize, first, true)
}

func (k *asmKey) sectors(dst, src []byte, size int, first uint64, decrypt bool) {
	var tweaks [group]tweakBlock
	for len(src) > 0 {
		count := min(len(src)/size, k.chunk/size, group)
		if count == 0 { // a sector longer than a chunk
			count = 1
			tweak{lo: first}.put(tweaks[0][:])
			k.unit(dst[:size], src[:size], &tweaks[0][0], decrypt)
		} else {
			k.numbers(&tweaks, first, count)
			k.crypt(&dst[0], &src[0], size, count, nil, &tweaks[0], decrypt)
		}
		dst, src = dst[size*count:], src[size*count:]
		first += uint64(count)
	}
}
