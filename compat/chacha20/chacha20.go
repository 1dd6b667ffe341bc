// Package chacha20 replaces golang.org/x/crypto/chacha20 (RFC 8439, and the XChaCha draft): the same names, results,
// panics and errors, by the best driver of chacha20.
//
//	import "kcrypto/compat/chacha20" // was: "golang.org/x/crypto/chacha20"
//
// A [Cipher] is plain memory, as x/crypto's is: it may live on the stack, a copy of it is a second stream that
// continues at the same position, and its key is not wiped. [kcrypto.NewSkcipher] with "chacha20" wipes it on Close,
// can go back in the stream, and needs no object for each message (XORKeyStreamAt).
//
// The transforms that do the work are kept in a pool between calls and shared by all Ciphers. A transform keeps its
// driver for life, so kcrypto.SetPriority has no effect on them until the garbage collector has emptied the pool.
package chacha20

import (
	"crypto/cipher"
	"crypto/subtle"
	"errors"

	"golang.org/x/crypto/chacha20"

	"kcrypto/internal/overlap"
)

// Sizes in bytes.
const (
	KeySize    = 32 // of a key
	NonceSize  = 12 // of ChaCha20's nonce; chosen at random, at most 2^32 of them under one key
	NonceSizeX = 24 // of XChaCha20's nonce, which may be random
)

const (
	blockSize = 64
	ivSize    = 4 + NonceSize
	// end is the length in bytes of the longest keystream there is: 2^32 blocks.
	end = blockSize << 32
)

// Cipher is the keystream of one key and nonce, at a position. It is a cipher.Stream, for one goroutine.
type Cipher struct {
	key [KeySize]byte
	iv  [ivSize]byte // a counter of 0, and the nonce, as chacha20's IV has it
	at  uint64       // bytes of keystream used
	// block is the keystream of the block that at lies in, if it is known: the first call that starts inside it, or is
	// shorter than it, computes it.
	block [blockSize]byte
	known bool
}

var _ cipher.Stream = (*Cipher)(nil)

// NewUnauthenticatedCipher makes a Cipher of a key of 32 bytes, and a nonce of 12 bytes for ChaCha20 or 24 for
// XChaCha20, at the beginning of its keystream. Other sizes are errors; so is a KCRYPTO variable that cannot be
// understood (registry.ErrConfig). Nothing authenticates what a Cipher encrypts.
func NewUnauthenticatedCipher(key, nonce []byte) (*Cipher, error) {
	return (&Cipher{}).start(key, nonce) // short enough to be inlined, so that the Cipher can stay on the caller's stack
}

func (c *Cipher) start(key, nonce []byte) (*Cipher, error) {
	if len(key) != KeySize {
		return nil, errors.New("chacha20: wrong key size")
	}
	switch len(nonce) {
	case NonceSize:
		copy(c.iv[4:], nonce)
	case NonceSizeX:
		// The first 16 bytes of the nonce make a key, the other 8 the nonce under it, after 4 zeros (the draft's 2.3).
		key, _ = chacha20.HChaCha20(key, nonce[:16])
		copy(c.iv[8:], nonce[16:])
	default:
		return nil, errors.New("chacha20: wrong nonce size")
	}
	if err := workers.Ready(); err != nil {
		return nil, err
	}
	copy(c.key[:], key)
	return c, nil
}

// SetCounter moves to the beginning of block number counter of the keystream, a block being 64 bytes. It panics if that
// is before the end of what was used already, or if a part of the last block was used.
func (c *Cipher) SetCounter(counter uint32) {
	if next := (c.at + blockSize - 1) / blockSize; uint64(counter) < next {
		panic("chacha20: SetCounter attempted to rollback counter")
	}
	c.at = uint64(counter) * blockSize
}

// XORKeyStream XORs src with the next len(src) bytes of the keystream into dst[:len(src)], which may be src itself or
// must not overlap it. Calls on pieces equal one call on the whole. It panics before any output if dst is shorter, if
// they overlap, or if less than len(src) is left of the keystream's 2^38 bytes.
func (c *Cipher) XORKeyStream(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	if len(dst) < len(src) {
		panic("chacha20: output smaller than input")
	}
	dst = dst[:len(src)]
	if overlap.Inexact(dst, src) {
		panic("chacha20: invalid buffer overlap")
	}
	if uint64(len(src)) > end-c.at {
		panic("chacha20: counter overflow")
	}
	if c.at%blockSize != 0 || len(src) < blockSize {
		n := c.inBlock(dst, src)
		dst, src = dst[n:], src[n:]
	}
	if len(src) > 0 {
		c.compute(dst, src, c.at)
		c.at += uint64(len(src))
		c.known = false
	}
}

// inBlock XORs src with the rest of the block that the position lies in, and returns the number of bytes.
func (c *Cipher) inBlock(dst, src []byte) int {
	used := c.at % blockSize
	if used == 0 || !c.known {
		c.computeBlock(c.at - used)
		c.known = true
	}
	n := subtle.XORBytes(dst, src, c.block[used:])
	clear(c.block[used:][:n])
	c.at += uint64(n)
	return n
}

// HChaCha20 makes a key of 32 bytes of a key of 32 bytes and a nonce of 16 (the XChaCha draft, 2.2). It is x/crypto's.
func HChaCha20(key, nonce []byte) ([]byte, error) { return chacha20.HChaCha20(key, nonce) }
