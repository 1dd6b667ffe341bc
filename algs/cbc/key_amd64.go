//go:build !purego

package cbc

import (
	"unsafe"

	"kcrypto/algs/internal/chunk"
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// loopBytes is what the loop of the widest assembly takes at a time, and a multiple of what the others take.
const loopBytes = 512

// asmKey is what asmCBC and asmCTS share: an AES key and CBC by it. It has no pointers.
type asmKey struct {
	aes.FullSchedule
	impl  aes.Impl
	chunk int // bytes that one call of assembly may take, a multiple of loopBytes
}

// asmCBC is cbc(aes) under one key, for the drivers in assembly.
type asmCBC struct{ asmKey }

func newAsm(i aes.Impl) constructor {
	return func(c registry.Config) registry.Skcipher { return &asmCBC{newKey(i, c)} }
}

// asmCTS is cts(cbc(aes)) under one key, for the drivers in assembly.
type asmCTS struct{ asmKey }

func newAsmCTS(i aes.Impl) constructor {
	return func(c registry.Config) registry.Skcipher { return &asmCTS{newKey(i, c)} }
}

// Encrypt encrypts 16 bytes or more.
func (k *asmCTS) Encrypt(dst, src, iv []byte) { encryptCTS(&k.asmKey, dst, src, iv) }

// Decrypt decrypts 16 bytes or more.
func (k *asmCTS) Decrypt(dst, src, iv []byte) { decryptCTS(&k.asmKey, dst, src, iv) }

func newKey(i aes.Impl, c registry.Config) asmKey {
	return asmKey{aes.NewFullSchedule(), i, chunk.Round(c.Chunk, loopBytes)}
}

// Encrypt encrypts the blocks of src, one after the other.
func (k *asmKey) Encrypt(dst, src, iv []byte) {
	before := iv
	for len(src) > k.chunk {
		k.encrypt(&dst[0], &src[0], k.chunk, &before[0])
		before = dst[k.chunk-blockSize:]
		dst, src = dst[k.chunk:], src[k.chunk:]
	}
	if len(src) > 0 {
		k.encrypt(&dst[0], &src[0], len(src), &before[0])
	}
}

// Decrypt decrypts the blocks of src, many at once.
func (k *asmKey) Decrypt(dst, src, iv []byte) {
	if len(src) > k.chunk {
		before := [blockSize]byte(iv)
		for len(src) > k.chunk {
			next := [blockSize]byte(src[k.chunk-blockSize:]) // before dst is written, which may be src
			k.decrypt(&dst[0], &src[0], k.chunk, &before[0])
			before = next
			dst, src = dst[k.chunk:], src[k.chunk:]
		}
		iv = before[:]
	}
	if len(src) > 0 {
		k.decrypt(&dst[0], &src[0], len(src), &iv[0])
	}
}

// Direct is Encrypt or Decrypt, as package ours has it.
func (k *asmCBC) Direct(dst, src *byte, n int, iv *byte, decrypt bool) {
	switch fits := uint(n-1) < uint(k.chunk); {
	case fits && decrypt && k.impl == aes.VAESAVX512:
		decryptVAESAVX512(&k.asmKey, dst, src, n, iv)
	case fits && decrypt:
		k.decrypt(dst, src, n, iv)
	case fits:
		k.encrypt(dst, src, n, iv)
	case decrypt:
		k.Decrypt(unsafe.Slice(dst, n), unsafe.Slice(src, n), unsafe.Slice(iv, blockSize))
	default:
		k.Encrypt(unsafe.Slice(dst, n), unsafe.Slice(src, n), unsafe.Slice(iv, blockSize))
	}
}

// encrypt is a step as package chunk describes it.
func (k *asmKey) encrypt(dst, src *byte, n int, iv *byte) {
	switch k.impl {
	case aes.AESNI:
		encryptAESNI(k, dst, src, n, iv)
	case aes.AESNIAVX:
		encryptAESNIAVX(k, dst, src, n, iv)
	case aes.VAESAVX2:
		encryptVAESAVX2(k, dst, src, n, iv)
	case aes.VAESAVX512:
		encryptVAESAVX512(k, dst, src, n, iv)
	}
}

// decrypt is a step as package chunk describes it.
func (k *asmKey) decrypt(dst, src *byte, n int, iv *byte) {
	switch k.impl {
	case aes.AESNI:
		decryptAESNI(k, dst, src, n, iv)
	case aes.AESNIAVX:
		decryptAESNIAVX(k, dst, src, n, iv)
	case aes.VAESAVX2:
		decryptVAESAVX2(k, dst, src, n, iv)
	case aes.VAESAVX512:
		decryptVAESAVX512(k, dst, src, n, iv)
	}
}
