//go:build !purego

package gcm

import (
	"unsafe"

	"kcrypto/algs/internal/chunk"
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// loopBytes is what the loop of the widest assembly takes at a time, and a multiple of what the others take.
const loopBytes = 512

// asmKey is gcm(aes) under one key, for the drivers in assembly. It has no pointers.
type asmKey struct {
	aes.Schedule
	impl   aes.Impl
	chunk  int        // bytes that one call of assembly may take, a multiple of loopBytes
	powers [1120]byte // powers of H that only assembly sees, in the layout of the implementation: _asm/gcm
}

// state is a message under way. It is on the stack, where nobody wipes it: the last call clears all from which the key
// could be computed.
type state struct {
	counter [blockSize]byte // the next counter block, bytes reversed
	y       [blockSize]byte // GHASH so far, bytes reversed
	tag     [tagSize]byte   // the encryption of J0, and in the end the tag
	lengths [2]uint64       // of the text and of the additional data, in bits
	begin   uint64          // 1 if the next call begins the message; without a nonce, counter is J0 then
	nonce   [blockSize]byte // for the assembly: what it makes counter blocks of
	key     [blockSize]byte // also
}

func newAsm(i aes.Impl) func(registry.Config) registry.AEAD {
	return func(c registry.Config) registry.AEAD {
		k := asmKey{Schedule: aes.NewSchedule(), impl: i, chunk: chunk.Round(c.Chunk, loopBytes)}
		if i == aes.VAESAVX512 {
			return &batchKey{k}
		}
		return &k
	}
}

// SetKey takes a key of 16, 24 or 32 bytes.
func (k *asmKey) SetKey(key []byte) error {
	err := k.Schedule.SetKey(key)
	k.expand()
	return err
}

// Wipe overwrites the key.
func (k *asmKey) Wipe() {
	k.Schedule.Wipe()
	clear(k.powers[:])
}

// expand makes the powers of H from the round keys.
func (k *asmKey) expand() {
	switch k.impl {
	case aes.AESNI:
		expandAESNI(k)
	case aes.AESNIAVX:
		expandAESNIAVX(k)
	case aes.VAESAVX2:
		expandVAESAVX2(k)
	case aes.VAESAVX512:
		expandVAESAVX512(k)
	}
}

// hash takes s.y over data, at least one byte, the last block padded with zeros.
//
//go:noinline
func (k *asmKey) hash(s *state, data []byte) {
	p := unsafe.SliceData(data)
	switch k.impl {
	case aes.AESNI:
		hashAESNI(k, s, p, len(data))
	case aes.AESNIAVX:
		hashAESNIAVX(k, s, p, len(data))
	case aes.VAESAVX2:
		hashVAESAVX2(k, s, p, len(data))
	case aes.VAESAVX512:
		hashVAESAVX512(k, s, p, len(data))
	}
}

// seal encrypts src to dst and authenticates it, one chunk of a message. With s.begin it takes J0 from nonce, 12 bytes,
// or from s.counter if that is nil, keeps its encryption in s.tag, and takes s.y over aad; without, nonce and aad are
// nil. If tag is not nil it is &s.tag, and the message ends with the tag there; else src is a multiple of loopBytes.
//
// The assembly of VAESAVX512 also takes a whole message, with a nonce of 12 bytes, if s is nil. Then tag is where the
// tag goes, 16 bytes, and for a message longer than onePass the encryption of J0 until then, and must not overlap src.
// That is batchKey's way.
//
// Every call of assembly is made in a function of its own that may grow the stack: that is where a goroutine can be
// stopped, since neither assembly nor a loop around it is.
//
//go:noinline
func (k *asmKey) seal(s *state, nonce *byte, aad, dst, src []byte, tag *[tagSize]byte) {
	a, d, p := unsafe.SliceData(aad), unsafe.SliceData(dst), unsafe.SliceData(src)
	switch k.impl {
	case aes.AESNI:
		sealAESNI(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case aes.AESNIAVX:
		sealAESNIAVX(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case aes.VAESAVX2:
		sealVAESAVX2(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case aes.VAESAVX512:
		sealVAESAVX512(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	}
}

// open is seal's counterpart. It authenticates what it decrypts.
//
//go:noinline
func (k *asmKey) open(s *state, nonce *byte, aad, dst, src []byte, tag *[tagSize]byte) {
	a, d, p := unsafe.SliceData(aad), unsafe.SliceData(dst), unsafe.SliceData(src)
	switch k.impl {
	case aes.AESNI:
		openAESNI(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case aes.AESNIAVX:
		openAESNIAVX(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case aes.VAESAVX2:
		openVAESAVX2(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	case aes.VAESAVX512:
		openVAESAVX512(k, s, nonce, a, len(aad), d, p, len(src), (*byte)(unsafe.Pointer(tag)))
	}
}
