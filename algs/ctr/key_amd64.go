//go:build !purego

package ctr

import (
	"encoding/binary"
	"math"

	"kcrypto/internal/aes"
	"kcrypto/internal/chunk"
	"kcrypto/registry"
)

// impl says which assembly a key object was made for. It never changes, and all of them read the same key schedule.
type impl uint8

const (
	aesni impl = iota + 1
	aesniAVX
	vaesAVX2
	vaesAVX512
)

// asmLoop is the number of bytes in the loop of the widest assembly: 8 registers of 64.
const asmLoop = 512

// asmKey is an AES key for assembly. It has no pointers, so that it can be copied and wiped and is nothing to the
// garbage collector.
type asmKey struct {
	enc    [240]byte // round keys
	rounds uint32
	impl   impl
	chunk  int // bytes that assembly may do at a stretch
}

func newAsmKey(i impl, c registry.Config) asmKey {
	return asmKey{impl: i, chunk: chunk.Round(c.Chunk, asmLoop)}
}

// SetKey takes a key of 16, 24 or 32 bytes.
func (k *asmKey) SetKey(key []byte) error {
	k.Wipe() // a longer schedule would show behind a shorter one
	k.rounds = uint32(aes.ExpandKeyAESNI(&k.enc, key))
	return nil
}

// Wipe overwrites the key.
func (k *asmKey) Wipe() { *k = asmKey{impl: k.impl, chunk: k.chunk} }

// Blocks has no end: the counters wrap, and nobody makes 2^64 blocks.
func (k *asmKey) Blocks([]byte) uint64 { return math.MaxUint64 }

// fits reports whether n bytes are something to do, and not more than assembly may do at a stretch.
func (k *asmKey) fits(n int) bool { return uint(n-1) < uint(k.chunk) }

// asmCTR is ctr(aes) in assembly. Encrypt, Decrypt and XORBlocks are written out alike: one calling another would be
// a third of what Go code costs a message, since each level stores the arguments anew.
type asmCTR struct{ asmKey }

func newAsmCTR(i impl) func(registry.Config) registry.Skcipher {
	return func(c registry.Config) registry.Skcipher { return &asmCTR{newAsmKey(i, c)} }
}

// Encrypt XORs src with the keystream of iv.
func (k *asmCTR) Encrypt(dst, src, iv []byte) {
	if k.direct(len(src), iv, 0) {
		k.run(&dst[0], &src[0], len(src), &iv[0], 0)
		return
	}
	k.split(dst, src, iv, 0)
}

// Decrypt is Encrypt.
func (k *asmCTR) Decrypt(dst, src, iv []byte) {
	if k.direct(len(src), iv, 0) {
		k.run(&dst[0], &src[0], len(src), &iv[0], 0)
		return
	}
	k.split(dst, src, iv, 0)
}

// XORBlocks XORs src with the keystream of iv from a block on.
func (k *asmCTR) XORBlocks(dst, src, iv []byte, block uint64) {
	if k.direct(len(src), iv, block) {
		k.run(&dst[0], &src[0], len(src), &iv[0], block)
		return
	}
	k.split(dst, src, iv, block)
}

// Bind returns a copy of the key.
func (k *asmCTR) Bind(iv []byte) (registry.StreamCipher, []byte) {
	c := *k
	return &c, iv
}

// direct reports whether one call of the assembly does it: one chunk, and no carry out of the low half of the counter.
// There is none while that half's upper 32 bits are not all ones and what is added is below 2^32; one in 2^32 IVs
// takes the long way for nothing. (The comparison looks at 4 bytes for the reason that firstBlock in the generator
// gives.)
func (k *asmCTR) direct(n int, iv []byte, block uint64) bool {
	return k.fits(n) && binary.BigEndian.Uint32(iv[8:12]) != math.MaxUint32 && block < 1<<31
}

// split does what direct refuses: it cuts at chunks, and where a carry goes from the low half of the counter to the high
// one.
func (k *asmCTR) split(dst, src, iv []byte, block uint64) {
	var at [blockSize]byte
	for c := parse(iv).plus(block); len(src) > 0; {
		n := min(len(src), k.chunk)
		if left := -c.lo; left != 0 && left < uint64(n)/blockSize+1 {
			n = min(n, int(left)*blockSize)
		}
		c.put(at[:])
		k.run(&dst[0], &src[0], n, &at[0], 0)
		dst, src, c = dst[n:], src[n:], c.plus(uint64(n)/blockSize)
	}
}

// run is the step that package chunk describes.
func (k *asmCTR) run(dst, src *byte, n int, iv *byte, block uint64) {
	switch k.impl {
	case vaesAVX512:
		ctrVAESAVX512(&k.asmKey, dst, src, n, iv, block)
	case vaesAVX2:
		ctrVAESAVX2(&k.asmKey, dst, src, n, iv, block)
	case aesniAVX:
		ctrAESNIAVX(&k.asmKey, dst, src, n, iv, block)
	case aesni:
		ctrAESNI(&k.asmKey, dst, src, n, iv, block)
	}
}

// asmXCTR is xctr(aes) in assembly.
type asmXCTR struct{ asmKey }

func newAsmXCTR(i impl) func(registry.Config) registry.Skcipher {
	return func(c registry.Config) registry.Skcipher { return &asmXCTR{newAsmKey(i, c)} }
}

// Encrypt XORs src with the keystream of iv.
func (k *asmXCTR) Encrypt(dst, src, iv []byte) {
	if k.fits(len(src)) {
		k.run(&dst[0], &src[0], len(src), &iv[0], 0)
		return
	}
	k.split(dst, src, iv, 0)
}

// Decrypt is Encrypt.
func (k *asmXCTR) Decrypt(dst, src, iv []byte) {
	if k.fits(len(src)) {
		k.run(&dst[0], &src[0], len(src), &iv[0], 0)
		return
	}
	k.split(dst, src, iv, 0)
}

// XORBlocks XORs src with the keystream of iv from a block on.
func (k *asmXCTR) XORBlocks(dst, src, iv []byte, block uint64) {
	if k.fits(len(src)) {
		k.run(&dst[0], &src[0], len(src), &iv[0], block)
		return
	}
	k.split(dst, src, iv, block)
}

// Bind returns a copy of the key.
func (k *asmXCTR) Bind(iv []byte) (registry.StreamCipher, []byte) {
	c := *k
	return &c, iv
}

// split cuts at chunks.
func (k *asmXCTR) split(dst, src, iv []byte, block uint64) {
	start := [blockSize]byte(iv) // which may lie in dst
	for len(src) > 0 {
		n := min(len(src), k.chunk)
		k.run(&dst[0], &src[0], n, &start[0], block)
		dst, src, block = dst[n:], src[n:], block+uint64(n)/blockSize
	}
}

// run is the step that package chunk describes.
func (k *asmXCTR) run(dst, src *byte, n int, iv *byte, block uint64) {
	switch k.impl {
	case vaesAVX512:
		xctrVAESAVX512(&k.asmKey, dst, src, n, iv, block)
	case vaesAVX2:
		xctrVAESAVX2(&k.asmKey, dst, src, n, iv, block)
	case aesniAVX:
		xctrAESNIAVX(&k.asmKey, dst, src, n, iv, block)
	}
}
