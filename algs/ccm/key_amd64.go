//go:build !purego

package ccm

import (
	"crypto/subtle"

	"kcrypto/algs/internal/chunk"
	"kcrypto/algs/internal/consttime"
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// asmKey is ccm(aes) under one key, for the drivers in assembly. It has no pointers.
type asmKey struct {
	aes.Schedule
	impl  aes.Impl
	chunk int // bytes that one call of assembly may take, a multiple of blockSize
}

func newAsm(i aes.Impl) func(registry.Config) registry.AEAD {
	return func(c registry.Config) registry.AEAD {
		return &asmKey{aes.NewSchedule(), i, chunk.Round(c.Chunk, blockSize)}
	}
}

// Seal encrypts and authenticates.
func (k *asmKey) Seal(dst, nonce, plaintext, aad []byte) {
	s := newState(nonce, len(plaintext), len(aad), len(dst)-len(plaintext))
	k.begin(&s)
	k.macAAD(&s, aad)
	for len(plaintext) >= blockSize {
		n := min(len(plaintext)&^(blockSize-1), k.chunk)
		k.seal(&s, &dst[0], &plaintext[0], n)
		dst, plaintext = dst[n:], plaintext[n:]
	}
	if n := len(plaintext); n > 0 {
		var text [blockSize]byte
		copy(text[:], plaintext)
		subtle.XORBytes(dst[:n], plaintext, s.stream[:])
		k.mac(&s, &text[0], blockSize)
		dst = dst[n:]
	}
	tag := s.finish()
	consttime.PutCut(dst, &tag)
}

// Open authenticates and decrypts.
func (k *asmKey) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	s := newState(nonce, len(ciphertext), len(aad), len(tag))
	k.begin(&s)
	k.macAAD(&s, aad)
	for len(ciphertext) >= blockSize {
		n := min(len(ciphertext)&^(blockSize-1), k.chunk)
		k.open(&s, &dst[0], &ciphertext[0], n)
		dst, ciphertext = dst[n:], ciphertext[n:]
	}
	if n := len(ciphertext); n > 0 {
		var text [blockSize]byte
		subtle.XORBytes(text[:n], ciphertext, s.stream[:])
		copy(dst, text[:n])
		k.mac(&s, &text[0], blockSize)
	}
	want := s.finish()
	return consttime.EqualCut(&want, tag)
}

// finish returns the tag and wipes the state.
func (s *state) finish() (tag [tagSize]byte) {
	subtle.XORBytes(tag[:], s.y[:], s.mask[:])
	s.wipe()
	return tag
}

// macAAD takes the CBC-MAC over the additional data with its length.
func (k *asmKey) macAAD(s *state, aad []byte) {
	if len(aad) == 0 {
		return
	}
	block, aad := firstAAD(aad)
	k.mac(s, &block[0], blockSize)
	for len(aad) >= blockSize {
		n := min(len(aad)&^(blockSize-1), k.chunk)
		k.mac(s, &aad[0], n)
		aad = aad[n:]
	}
	if len(aad) > 0 {
		clear(block[copy(block[:], aad):])
		k.mac(s, &block[0], blockSize)
	}
}

// begin encrypts B_0, A_0 and A_1.
func (k *asmKey) begin(s *state) {
	switch k.impl {
	case aes.AESNI:
		beginAESNI(k, s)
	case aes.AESNIAVX:
		beginAESNIAVX(k, s)
	case aes.VAESAVX2:
		beginVAESAVX2(k, s)
	case aes.VAESAVX512:
		beginVAESAVX512(k, s)
	}
}

// mac is a step as package chunk describes it, over whole blocks. So are seal and open.
//
//go:noinline
func (k *asmKey) mac(s *state, data *byte, n int) {
	switch k.impl {
	case aes.AESNI:
		macAESNI(k, s, data, n)
	case aes.AESNIAVX:
		macAESNIAVX(k, s, data, n)
	case aes.VAESAVX2:
		macVAESAVX2(k, s, data, n)
	case aes.VAESAVX512:
		macVAESAVX512(k, s, data, n)
	}
}

//go:noinline
func (k *asmKey) seal(s *state, dst, src *byte, n int) {
	switch k.impl {
	case aes.AESNI:
		sealAESNI(k, s, dst, src, n)
	case aes.AESNIAVX:
		sealAESNIAVX(k, s, dst, src, n)
	case aes.VAESAVX2:
		sealVAESAVX2(k, s, dst, src, n)
	case aes.VAESAVX512:
		sealVAESAVX512(k, s, dst, src, n)
	}
}

//go:noinline
func (k *asmKey) open(s *state, dst, src *byte, n int) {
	switch k.impl {
	case aes.AESNI:
		openAESNI(k, s, dst, src, n)
	case aes.AESNIAVX:
		openAESNIAVX(k, s, dst, src, n)
	case aes.VAESAVX2:
		openVAESAVX2(k, s, dst, src, n)
	case aes.VAESAVX512:
		openVAESAVX512(k, s, dst, src, n)
	}
}
