//go:build !purego

package gcm

import (
	"unsafe"

	"kcrypto/registry"
)

//go:generate go -C ../../_asm run ./gcm

// impl says which assembly a key was made for.
type impl uint8

const (
	aesni impl = iota
	aesniAVX
	vaesAVX2
	vaesAVX512
)

// expand makes the powers of H from the round keys.
func (k *asmKey) expand() {
	switch k.impl {
	case aesni:
		expandAESNI(k)
	case aesniAVX:
		expandAESNIAVX(k)
	case vaesAVX2:
		expandVAESAVX2(k)
	case vaesAVX512:
		expandVAESAVX512(k)
	}
}

// hash takes s.y over data, at least one byte, the last block padded with zeros.
//
//go:noinline
func (k *asmKey) hash(s *state, data []byte) {
	p := unsafe.SliceData(data)
	switch k.impl {
	case aesni:
		hashAESNI(k, s, p, len(data))
	case aesniAVX:
		hashAESNIAVX(k, s, p, len(data))
	case vaesAVX2:
		hashVAESAVX2(k, s, p, len(data))
	case vaesAVX512:
		hashVAESAVX512(k, s, p, len(data))
	}
}

// seal encrypts src to dst and authenticates it, one chunk of a message. With s.begin it takes J0 from nonce, 12 bytes,
// or from s.counter if that is nil, keeps its encryption in s.tag, and takes s.y over aad; without, nonce and aad are
// nil. If tag is not nil it is &s.tag, and the message ends with the tag there; else src is a multiple of asmBatch.
//
// The assembly of vaesAVX512 also takes a whole message, with a nonce of 12 bytes, if s is nil. Then tag is where the tag
// goes, 16 bytes, and for a message longer than onePass the encryption of J0 until then, and must not overlap src. That is
// batchKey's way.
//
// Every call of assembly is made in a function of its own that may grow the stack: that is where a goroutine can be
// stopped, since neither assembly nor a loop around it is.
//
//go:noinline
func (k *asmKey) seal(s *state, nonce *byte, aad, dst, src []byte, tag *[tagSize]byte) {
	a, d, p := unsafe.SliceData(aad), unsafe.SliceData(dst), unsafe.SliceData(src)
	switch k.impl {
	case aesni:
		sealAESNI(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case aesniAVX:
		sealAESNIAVX(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case vaesAVX2:
		sealVAESAVX2(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case vaesAVX512:
		sealVAESAVX512(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	}
}

// open is seal's counterpart. It authenticates what it decrypts.
//
//go:noinline
func (k *asmKey) open(s *state, nonce *byte, aad, dst, src []byte, tag *[tagSize]byte) {
	a, d, p := unsafe.SliceData(aad), unsafe.SliceData(dst), unsafe.SliceData(src)
	switch k.impl {
	case aesni:
		openAESNI(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case aesniAVX:
		openAESNIAVX(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case vaesAVX2:
		openVAESAVX2(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case vaesAVX512:
		openVAESAVX512(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	}
}

//go:noescape
func expandAESNI(k *asmKey)

//go:noescape
func hashAESNI(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealAESNI(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func openAESNI(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func expandAESNIAVX(k *asmKey)

//go:noescape
func hashAESNIAVX(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealAESNIAVX(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func openAESNIAVX(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func expandVAESAVX2(k *asmKey)

//go:noescape
func hashVAESAVX2(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealVAESAVX2(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func openVAESAVX2(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func expandVAESAVX512(k *asmKey)

//go:noescape
func hashVAESAVX512(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealVAESAVX512(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func openVAESAVX512(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

// batchVAESAVX512 seals the first n packets, at most 64, or opens them if diffs is not nil. The tag has tag bytes. Packets
// for which it is not made are left as they are, and their bits in skipped set. diffs gets for each of the others, in
// their order, the tag that came with it XORed with the one that it should have; it has room for a multiple of four.
//
//go:noescape
func batchVAESAVX512(k *asmKey, packets *registry.Packet, n, tag int, diffs *[window][tagSize]byte) (skipped uint64)
