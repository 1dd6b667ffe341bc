package ctr

import (
	"crypto/subtle"
	"encoding/binary"
	"math"

	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// bufferBytes is how many bytes of counters are encrypted at a time, on the stack: enough for package aes, which works
// on several blocks at once. It is far below any chunk, and Go code can be stopped anywhere, so the chunk setting
// changes nothing here.
const bufferBytes = 32 * blockSize

// genericCTR is ctr(aes) under one key, by portable code. Like genericXCTR it has no pointers, so that it can be copied
// and wiped.
type genericCTR struct{ aes.Cipher }

func newGenericCTR(registry.Config) registry.Skcipher { return new(genericCTR) }

// Encrypt XORs src with the keystream of iv.
func (g *genericCTR) Encrypt(dst, src, iv []byte) { g.XORBlocks(dst, src, iv, 0) }

// Decrypt is Encrypt.
func (g *genericCTR) Decrypt(dst, src, iv []byte) { g.XORBlocks(dst, src, iv, 0) }

// Blocks has no end: the counter wraps, and nobody makes 2^64 blocks.
func (g *genericCTR) Blocks([]byte) uint64 { return math.MaxUint64 }

// Bind returns a copy of the key.
func (g *genericCTR) Bind(iv []byte) (registry.StreamCipher, []byte) {
	c := *g
	return &c, iv
}

// XORBlocks XORs src with the keystream of iv from a block on.
func (g *genericCTR) XORBlocks(dst, src, iv []byte, block uint64) {
	var buf [bufferBytes]byte
	for n := parse(iv).plus(block); len(src) > 0; n = n.plus(bufferBytes / blockSize) {
		b := buf[:blocksIn(src)*blockSize]
		for i, c := 0, n; i < len(b); i, c = i+blockSize, c.plus(1) {
			c.put(b[i:])
		}
		dst, src = xorEncrypted(&g.Cipher, dst, src, b)
	}
	clear(buf[:])
}

// genericXCTR is xctr(aes) under one key, by portable code.
type genericXCTR struct{ aes.Cipher }

func newGenericXCTR(registry.Config) registry.Skcipher { return new(genericXCTR) }

// Encrypt XORs src with the keystream of iv.
func (x *genericXCTR) Encrypt(dst, src, iv []byte) { x.XORBlocks(dst, src, iv, 0) }

// Decrypt is Encrypt.
func (x *genericXCTR) Decrypt(dst, src, iv []byte) { x.XORBlocks(dst, src, iv, 0) }

// Blocks is one less than the 64-bit counter has values, which begin with 1.
func (x *genericXCTR) Blocks([]byte) uint64 { return math.MaxUint64 }

// Bind returns a copy of the key.
func (x *genericXCTR) Bind(iv []byte) (registry.StreamCipher, []byte) {
	c := *x
	return &c, iv
}

// XORBlocks XORs src with the keystream of iv from a block on.
func (x *genericXCTR) XORBlocks(dst, src, iv []byte, block uint64) {
	var buf [bufferBytes]byte
	low, high := binary.LittleEndian.Uint64(iv), [8]byte(iv[8:]) // a copy: iv may lie in dst
	for n := block + 1; len(src) > 0; n += bufferBytes / blockSize {
		b := buf[:blocksIn(src)*blockSize]
		for i, c := 0, n; i < len(b); i, c = i+blockSize, c+1 {
			binary.LittleEndian.PutUint64(b[i:], low^c)
			copy(b[i+8:], high[:])
		}
		dst, src = xorEncrypted(&x.Cipher, dst, src, b)
	}
	clear(buf[:])
}

// blocksIn is how many blocks of keystream the next step over src takes.
func blocksIn(src []byte) int { return (min(len(src), bufferBytes) + blockSize - 1) / blockSize }

// xorEncrypted encrypts the counters, XORs src with them as far as they go, and returns what is left to do.
func xorEncrypted(c *aes.Cipher, dst, src, counters []byte) (restDst, restSrc []byte) {
	c.EncryptBlocks(counters, counters)
	n := subtle.XORBytes(dst, src, counters)
	return dst[n:], src[n:]
}
