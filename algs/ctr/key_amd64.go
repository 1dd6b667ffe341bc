//go:build !purego

package ctr

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"kcrypto/algs/internal/chunk"
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// loopBytes is what the loop of the widest assembly takes at a time, and a multiple of what the others take.
const loopBytes = 512

// asmKey is what asmCTR and asmXCTR share: an AES key for the drivers in assembly. It has no pointers.
type asmKey struct {
	aes.Schedule // it comes first, so that the assembly has the round keys' address at once
	impl         aes.Impl
	chunk        int // bytes that one call of assembly may take, a multiple of loopBytes
}

// newKey is an asmKey without a key. Its chunk is far below 2^32 blocks, which mayCarry needs.
func newKey(i aes.Impl, c registry.Config) asmKey {
	return asmKey{aes.NewSchedule(), i, chunk.Round(min(c.Chunk, 1<<30), loopBytes)}
}

// Blocks has no end: the counters wrap, and nobody makes 2^64 blocks.
func (k *asmKey) Blocks([]byte) uint64 { return math.MaxUint64 }

// fits reports whether n bytes are something to do, and not more than one call of assembly may take.
func (k *asmKey) fits(n int) bool { return uint(n-1) < uint(k.chunk) }

// asmCTR is ctr(aes) under one key, for the drivers in assembly.
type asmCTR struct{ asmKey }

func newAsmCTR(i aes.Impl) func(registry.Config) registry.Skcipher {
	return func(c registry.Config) registry.Skcipher { return &asmCTR{newKey(i, c)} }
}

// Encrypt XORs src with the keystream of iv.
func (k *asmCTR) Encrypt(dst, src, iv []byte) { k.XORBlocks(dst, src, iv, 0) }

// Decrypt is Encrypt.
func (k *asmCTR) Decrypt(dst, src, iv []byte) { k.XORBlocks(dst, src, iv, 0) }

// XORBlocks XORs src with the keystream of iv from a block on. It is the step that package chunk describes.
func (k *asmCTR) XORBlocks(dst, src, iv []byte, block uint64) {
	if !k.fits(len(src)) || mayCarry(iv, block) && carries(len(src), iv, block) {
		k.split(dst, src, iv, block)
		return
	}
	// &dst[0] and so on, without the comparisons that fits has answered: 2 % of a message of 16 bytes.
	d, s, v, n := unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(iv), len(src)
	switch k.impl {
	case aes.AESNI:
		ctrAESNI(&k.asmKey, d, s, n, v, block)
	case aes.AESNIAVX:
		ctrAESNIAVX(&k.asmKey, d, s, n, v, block)
	case aes.VAESAVX2:
		ctrVAESAVX2(&k.asmKey, d, s, n, v, block)
	case aes.VAESAVX512:
		ctrVAESAVX512(&k.asmKey, d, s, n, v, block)
	}
}

// Direct is XORBlocks from block 0 on, as package ours has it. What the switch of XORBlocks takes is too much for the
// shortest messages.
func (k *asmCTR) Direct(dst, src *byte, n int, iv *byte, _ bool) {
	v := unsafe.Slice(iv, blockSize)
	if k.impl == aes.VAESAVX512 && k.fits(n) && !mayCarry(v, 0) {
		ctrVAESAVX512(&k.asmKey, dst, src, n, iv, 0)
	} else {
		k.XORBlocks(unsafe.Slice(dst, n), unsafe.Slice(src, n), v, 0)
	}
}

// mayCarry reports whether a carry out of the counter's low half is possible in a message of one chunk: there is none
// while that half's upper 32 bits are not all ones and what is added is below 2^32. (It looks at 4 bytes for the
// reason that loadIV in the generator gives.)
func mayCarry(iv []byte, block uint64) bool {
	return binary.BigEndian.Uint32(iv[8:12]) == math.MaxUint32 || block >= 1<<31
}

// carries reports whether a carry goes from the counter's low half to the high one between the IV and the last of n
// bytes, at least one, from a block on.
func carries(n int, iv []byte, block uint64) bool {
	last, carry := bits.Add64(block, uint64(n-1)/blockSize, 0)
	_, again := bits.Add64(binary.BigEndian.Uint64(iv[8:]), last, 0)
	return carry+again > 0
}

// split does what is more than one chunk, or has a carry in it, in pieces that are and have not.
func (k *asmCTR) split(dst, src, iv []byte, block uint64) {
	var at [blockSize]byte
	for c := parse(iv).plus(block); len(src) > 0; {
		n := min(len(src), k.chunk)
		if left := -c.lo; left != 0 && left < uint64(n)/blockSize+1 {
			n = min(n, int(left)*blockSize)
		}
		c.put(at[:])
		k.XORBlocks(dst[:n], src[:n], at[:], 0)
		dst, src, c = dst[n:], src[n:], c.plus(uint64(n)/blockSize)
	}
}

// Bind returns a copy of the key.
func (k *asmCTR) Bind(iv []byte) (registry.StreamCipher, []byte) {
	c := *k
	return &c, iv
}

// asmXCTR is xctr(aes) under one key, for the drivers in assembly.
type asmXCTR struct{ asmKey }

func newAsmXCTR(i aes.Impl) func(registry.Config) registry.Skcipher {
	return func(c registry.Config) registry.Skcipher { return &asmXCTR{newKey(i, c)} }
}

// Encrypt XORs src with the keystream of iv.
func (k *asmXCTR) Encrypt(dst, src, iv []byte) { k.XORBlocks(dst, src, iv, 0) }

// Decrypt is Encrypt.
func (k *asmXCTR) Decrypt(dst, src, iv []byte) { k.XORBlocks(dst, src, iv, 0) }

// XORBlocks XORs src with the keystream of iv from a block on. It is the step that package chunk describes.
func (k *asmXCTR) XORBlocks(dst, src, iv []byte, block uint64) {
	if !k.fits(len(src)) {
		k.split(dst, src, iv, block)
		return
	}
	d, s, v, n := unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(iv), len(src)
	switch k.impl {
	case aes.AESNIAVX:
		xctrAESNIAVX(&k.asmKey, d, s, n, v, block)
	case aes.VAESAVX2:
		xctrVAESAVX2(&k.asmKey, d, s, n, v, block)
	case aes.VAESAVX512:
		xctrVAESAVX512(&k.asmKey, d, s, n, v, block)
	}
}

// split cuts at chunks.
func (k *asmXCTR) split(dst, src, iv []byte, block uint64) {
	at := [blockSize]byte(iv) // iv may lie in dst
	for len(src) > 0 {
		n := min(len(src), k.chunk)
		k.XORBlocks(dst[:n], src[:n], at[:], block)
		dst, src, block = dst[n:], src[n:], block+uint64(n)/blockSize
	}
}

// Bind returns a copy of the key.
func (k *asmXCTR) Bind(iv []byte) (registry.StreamCipher, []byte) {
	c := *k
	return &c, iv
}
