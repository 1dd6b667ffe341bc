package ctr

import (
	"crypto/subtle"
	"encoding/binary"
	"math"

	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// batch is how many bytes of counters are encrypted at a time: several batches of the bitsliced AES, on the stack.
// It is far below any chunk, and Go code can be stopped anywhere, so the chunk setting changes nothing here.
const batch = 32 * blockSize

// generic is ctr(aes) by portable code. Like xctr it has no pointers, so that it can be copied and wiped.
type generic struct{ cipher aes.Cipher }

func newGeneric(registry.Config) registry.Skcipher { return new(generic) }

// SetKey takes a key of 16, 24 or 32 bytes.
func (g *generic) SetKey(key []byte) error {
	g.cipher.SetKey(key)
	return nil
}

// Wipe overwrites the key.
func (g *generic) Wipe() { g.cipher.Wipe() }

// Encrypt XORs src with the keystream of iv.
func (g *generic) Encrypt(dst, src, iv []byte) { g.XORBlocks(dst, src, iv, 0) }

// Decrypt is Encrypt.
func (g *generic) Decrypt(dst, src, iv []byte) { g.XORBlocks(dst, src, iv, 0) }

// Blocks has no end: the counter wraps, and nobody makes 2^64 blocks.
func (g *generic) Blocks([]byte) uint64 { return math.MaxUint64 }

// Bind returns a copy of the key.
func (g *generic) Bind(iv []byte) (registry.StreamCipher, []byte) {
	c := *g
	return &c, iv
}

// XORBlocks XORs src with the keystream of iv from a block on.
func (g *generic) XORBlocks(dst, src, iv []byte, block uint64) {
	var buf [batch]byte
	for n := parse(iv).plus(block); len(src) > 0; n = n.plus(batch / blockSize) {
		b := buf[:blocksIn(src)*blockSize]
		for i, c := 0, n; i < len(b); i, c = i+blockSize, c.plus(1) {
			c.put(b[i:])
		}
		dst, src = xorEncrypted(&g.cipher, dst, src, b)
	}
	clear(buf[:])
}

// xctr is xctr(aes) by portable code.
type xctr struct{ cipher aes.Cipher }

func newXCTR(registry.Config) registry.Skcipher { return new(xctr) }

// SetKey takes a key of 16, 24 or 32 bytes.
func (x *xctr) SetKey(key []byte) error {
	x.cipher.SetKey(key)
	return nil
}

// Wipe overwrites the key.
func (x *xctr) Wipe() { x.cipher.Wipe() }

// Encrypt XORs src with the keystream of iv.
func (x *xctr) Encrypt(dst, src, iv []byte) { x.XORBlocks(dst, src, iv, 0) }

// Decrypt is Encrypt.
func (x *xctr) Decrypt(dst, src, iv []byte) { x.XORBlocks(dst, src, iv, 0) }

// Blocks is one less than the 64-bit counter has values, which begin with 1.
func (x *xctr) Blocks([]byte) uint64 { return math.MaxUint64 }

// Bind returns a copy of the key.
func (x *xctr) Bind(iv []byte) (registry.StreamCipher, []byte) {
	c := *x
	return &c, iv
}

// XORBlocks XORs src with the keystream of iv from a block on.
func (x *xctr) XORBlocks(dst, src, iv []byte, block uint64) {
	var buf [batch]byte
	low, high := binary.LittleEndian.Uint64(iv), [8]byte(iv[8:]) // a copy: iv may lie in dst
	for n := block + 1; len(src) > 0; n += batch / blockSize {
		b := buf[:blocksIn(src)*blockSize]
		for i, c := 0, n; i < len(b); i, c = i+blockSize, c+1 {
			binary.LittleEndian.PutUint64(b[i:], low^c)
			copy(b[i+8:], high[:])
		}
		dst, src = xorEncrypted(&x.cipher, dst, src, b)
	}
	clear(buf[:])
}

// blocksIn is how many blocks of keystream the next step over src takes.
func blocksIn(src []byte) int { return (min(len(src), batch) + blockSize - 1) / blockSize }

// xorEncrypted encrypts the counters, XORs src with them as far as they go, and returns what is left to do.
func xorEncrypted(c *aes.Cipher, dst, src, counters []byte) (restDst, restSrc []byte) {
	c.EncryptBlocks(counters, counters)
	n := subtle.XORBytes(dst, src, counters)
	return dst[n:], src[n:]
}
