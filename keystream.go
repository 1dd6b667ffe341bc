package kcrypto

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"math"
	"math/bits"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// What Stream, XORKeyStreamAt and the Encrypt of stream ciphers share: a keystream that can be entered anywhere, and
// the end of its counter.

// maxChunk is the largest keystream block of any stream cipher in bytes (ChaCha's).
const maxChunk = 64

// maxIV is the largest IV of any of this module's stream ciphers in bytes (XChaCha's).
const maxIV = 32

// keystream is a stream cipher with the IV it is used under.
type keystream struct {
	impl registry.StreamCipher
	iv   []byte
	size int // of a block in bytes
}

func (k *keystream) xor(dst, src []byte, block uint64) { k.impl.XORBlocks(dst, src, k.iv, block) }

// xorAt is xor from any byte of a block on: what lies before the first block border goes through a block of keystream.
func (k *keystream) xorAt(dst, src []byte, block uint64, skip int) {
	if skip > 0 && len(src) > 0 {
		var head [maxChunk]byte
		h := noescape.Slice(head[:k.size])
		k.xor(h, h, block)
		n := subtle.XORBytes(dst, src, h[skip:])
		clear(h)
		dst, src, block = dst[n:], src[n:], block+1
	}
	if len(src) > 0 {
		k.xor(dst, src, block)
	}
}

// checkCounter refuses a message that needs more blocks than the counter in iv has left.
func (s *Skcipher) checkCounter(n int, iv []byte) error {
	if s.blocks(iv) < blocksOf(uint64(n), uint64(s.driver.ChunkSize)) {
		return s.counterError()
	}
	return nil
}

// blocks asks the driver for the number of keystream blocks under iv.
func (s *Skcipher) blocks(iv []byte) uint64 {
	return s.stream.Blocks(noescape.Bytes(iv))
}

func (s *Skcipher) counterError() error {
	return fmt.Errorf("kcrypto: %w: the block counter of %s would run over: use a new IV for the rest",
		registry.ErrLength, s.driver.Algorithm)
}

// keystreamEnd is the offset at which the keystream ends by the driver's word, apart from what its counter says.
func (s *Skcipher) keystreamEnd() uint64 {
	if s.driver.MaxSize == 0 {
		return math.MaxUint64
	}
	return s.driver.MaxSize
}

// counterBound finds the byte of a stream cipher's IV that tells most about how near the end of its counter is: top,
// and the bytes, most, that there are under every IV in which that byte is not 0xff. top is -1 where no counter runs
// over before a message of the largest size ends.
func counterBound(c registry.StreamCipher, d *registry.Driver) (top int, most uint64) {
	size, whole := uint64(d.ChunkSize), limit(d.MaxSize)
	iv := bytes.Repeat([]byte{0xff}, d.IVSize)
	if c == nil || c.Blocks(iv) >= blocksOf(whole, size) {
		return -1, whole
	}
	for i := range iv {
		iv[i] = 0xfe
		if blocks := min(c.Blocks(iv), whole/size); blocks*size > most {
			top, most = i, blocks*size
		}
		iv[i] = 0xff
	}
	return top, most
}

// blocksOf is how many blocks of size bytes n bytes touch.
func blocksOf(n, size uint64) uint64 {
	blocks, rest := divide(n, size)
	if rest > 0 {
		blocks++
	}
	return blocks
}

// divide is n/size and n%size, without a division where size is a power of two, as it is for all of this module's
// ciphers: a few divisions take longer than the fastest drivers take for a short message.
func divide(n, size uint64) (quotient, rest uint64) {
	if size&(size-1) == 0 {
		return n >> bits.TrailingZeros64(size), n & (size - 1)
	}
	return n / size, n % size
}
