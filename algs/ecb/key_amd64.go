//go:build !purego

package ecb

import (
	"kcrypto/algs/internal/chunk"
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// loopBytes is what the loop of the widest assembly takes at a time, and a multiple of what the others take.
const loopBytes = 512

// asmKey is ecb(aes) under one key, for the drivers in assembly. It has no pointers.
type asmKey struct {
	aes.FullSchedule
	impl  aes.Impl
	chunk int // bytes that one call of assembly may take, a multiple of loopBytes
}

func newAsm(i aes.Impl) func(registry.Config) registry.Skcipher {
	return func(c registry.Config) registry.Skcipher {
		return &asmKey{aes.NewFullSchedule(), i, chunk.Round(c.Chunk, loopBytes)}
	}
}

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
	case aes.AESNI:
		encryptAESNI(k, dst, src, n)
	case aes.VAESAVX2:
		encryptVAESAVX2(k, dst, src, n)
	case aes.VAESAVX512:
		encryptVAESAVX512(k, dst, src, n)
	}
}

// decrypt is a step as package chunk describes it.
func (k *asmKey) decrypt(dst, src *byte, n int) {
	switch k.impl {
	case aes.AESNI:
		decryptAESNI(k, dst, src, n)
	case aes.VAESAVX2:
		decryptVAESAVX2(k, dst, src, n)
	case aes.VAESAVX512:
		decryptVAESAVX512(k, dst, src, n)
	}
}
