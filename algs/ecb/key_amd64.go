//go:build !purego

package ecb

import (
	"kcrypto/internal/aes"
	"kcrypto/internal/chunk"
	"kcrypto/registry"
)

// impl says which assembly a key object was made for. It never changes, and all of them read the same key schedules.
type impl uint8

const (
	aesni impl = iota + 1
	vaesAVX2
	vaesAVX512
)

// asmLoop is the number of bytes in the loop of the widest assembly: 8 registers of 64.
const asmLoop = 512

// asmKey is ecb(aes) in assembly. It has no pointers, so that it can be wiped and is nothing to the garbage collector.
type asmKey struct {
	enc, dec [240]byte // round keys in the order of use
	rounds   uint32
	impl     impl
	chunk    int // bytes that assembly may do at a stretch
}

func newAsmKey(i impl, c registry.Config) *asmKey {
	k := blank(i, chunk.Round(c.Chunk, asmLoop))
	return &k
}

// blank is a key object without a key. It has rounds all the same: assembly counts back from the last round key, and
// with 0 it would read what lies before the object.
func blank(i impl, chunk int) asmKey { return asmKey{impl: i, chunk: chunk, rounds: 10} }

// SetKey takes a key of 16, 24 or 32 bytes.
func (k *asmKey) SetKey(key []byte) error {
	k.Wipe() // a longer schedule would show behind a shorter one
	rounds := aes.ExpandKeyAESNI(&k.enc, key)
	aes.InvertKeyAESNI(&k.dec, &k.enc, rounds)
	k.rounds = uint32(rounds)
	return nil
}

// Wipe overwrites the key.
func (k *asmKey) Wipe() { *k = blank(k.impl, k.chunk) }

// Encrypt encrypts the blocks of src. There is no iv.
func (k *asmKey) Encrypt(dst, src, _ []byte) {
	for len(src) > k.chunk {
		k.encrypt(&dst[0], &src[0], k.chunk)
		dst, src = dst[k.chunk:], src[k.chunk:]
	}
	if len(src) > 0 {
		k.encrypt(&dst[0], &src[0], len(src))
	}
}

// Decrypt decrypts the blocks of src. There is no iv.
func (k *asmKey) Decrypt(dst, src, _ []byte) {
	for len(src) > k.chunk {
		k.decrypt(&dst[0], &src[0], k.chunk)
		dst, src = dst[k.chunk:], src[k.chunk:]
	}
	if len(src) > 0 {
		k.decrypt(&dst[0], &src[0], len(src))
	}
}

// encrypt is a step as package chunk describes it.
func (k *asmKey) encrypt(dst, src *byte, n int) {
	switch k.impl {
	case vaesAVX512:
		encryptVAESAVX512(k, dst, src, n)
	case vaesAVX2:
		encryptVAESAVX2(k, dst, src, n)
	case aesni:
		encryptAESNI(k, dst, src, n)
	}
}

// decrypt is a step as package chunk describes it.
func (k *asmKey) decrypt(dst, src *byte, n int) {
	switch k.impl {
	case vaesAVX512:
		decryptVAESAVX512(k, dst, src, n)
	case vaesAVX2:
		decryptVAESAVX2(k, dst, src, n)
	case aesni:
		decryptAESNI(k, dst, src, n)
	}
}
