package chacha

import (
	"bytes"
	"encoding/binary"
	"math"

	"kcrypto/registry"
)

// core is what every object of this package is made of. It has no pointers, so that assembly can be handed its address
// and a copy is independent.
type core struct {
	key    [8]uint32
	rounds int // 20 or 12
	chunk  int // bytes to do in one call of the block code, maxChunk at most; a multiple of BlockSize
	impl   impl

	sixteens bool // with AVX-512, long texts go through passes of 16 blocks, not 24
	scalar   bool // a text of one block or less goes through general registers
}

const maxChunk = 1 << 29 // 2^23 blocks: see stream.fits

// impl says which code serves an object.
type impl uint8

const (
	generic impl = iota
	ssse3
	avx2
	avx512     // with Poly1305 in general registers
	avx512IFMA // with Poly1305 in vector registers
)

// passes is how many blocks long texts go through at a time with AVX-512: 24, of which 8 in 256-bit registers, or 16.
var passes = registry.Tuning{Name: "chacha.pass", Values: []string{"24", "16"}}

// oneBlock is where a block alone is made: in vector registers, which take the four quarter rounds of a round in one
// instruction each, or in general registers, which take more instructions, of less latency.
var oneBlock = registry.Tuning{Name: "chacha.block", Values: []string{"vector", "scalar"}}

func newCore(c registry.Config, i impl, rounds int) core {
	made := core{rounds: rounds, chunk: max(min(c.Chunk, maxChunk)&^(BlockSize-1), BlockSize), impl: i}
	made.sixteens = i >= avx512 && c.Value(passes) == "16"
	made.scalar = i >= ssse3 && c.Value(oneBlock) == "scalar"
	return made
}

// SetKey takes a key of 32 bytes. It returns no error.
func (c *core) SetKey(key []byte) error {
	for i := range c.key {
		c.key[i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	return nil
}

// Wipe overwrites the key.
func (c *core) Wipe() {
	clear(c.key[:])
}

// constants are the first four words of every input: "expand 32-byte k".
var constants = [4]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}

// input sets st to the block function's input for an IV of 16 bytes.
func (c *core) input(st *state, iv []byte) {
	copy(st[:4], constants[:])
	copy(st[4:12], c.key[:])
	st.setIV(iv)
}

// xorPortable XORs src with the keystream from a block on under iv, 16 bytes. The counter is as with xorGeneric.
func (c *core) xorPortable(dst, src, iv []byte, block uint64) {
	var st state
	c.input(&st, iv)
	st[12] += uint32(block)
	xorGeneric(dst, src, &st, c.rounds)
	clear(st[:])
}

// stream is ChaCha as a stream cipher. Its IV is the last four words of the block function's input, 16 bytes: the
// little-endian block counter of 32 bits (chacha20) or 64 bits (wide: inside xchacha), and the nonce.
type stream struct {
	core
	wide bool
}

func newStream(i impl) func(registry.Config) registry.Skcipher {
	return func(c registry.Config) registry.Skcipher { return &stream{core: newCore(c, i, 20)} }
}

// Encrypt XORs src with the keystream of iv.
func (s *stream) Encrypt(dst, src, iv []byte) { s.XORBlocks(dst, src, iv, 0) }

// Decrypt does the same.
func (s *stream) Decrypt(dst, src, iv []byte) { s.XORBlocks(dst, src, iv, 0) }

// position is the number of the block at which iv begins.
func (s *stream) position(iv []byte) uint64 {
	if s.wide {
		return binary.LittleEndian.Uint64(iv)
	}
	return uint64(binary.LittleEndian.Uint32(iv))
}

// XORBlocks XORs src with the keystream from block number block on under iv.
func (s *stream) XORBlocks(dst, src, iv []byte, block uint64) {
	if s.fits(len(src), iv, block) {
		s.xor(dst, src, iv, block)
	} else {
		s.split(dst, src, iv, block)
	}
}

// fits reports whether n bytes from a block on under iv are something to do, not more than xor may do at a stretch, and
// far from the end of the counter's low word: under 2^23 blocks and 2^23 more from one below 2^32 - 2^24.
func (s *stream) fits(n int, iv []byte, block uint64) bool {
	return uint(n-1) < uint(s.chunk) && iv[3] != 0xff && block < 1<<23
}

// split does what does not fit in pieces that do.
func (s *stream) split(dst, src, iv []byte, block uint64) {
	at := [16]byte(iv)
	for pos := s.position(iv) + block; len(src) > 0; {
		binary.LittleEndian.PutUint32(at[:], uint32(pos))
		if s.wide {
			binary.LittleEndian.PutUint64(at[:], pos)
		}
		toCarry := (1<<32 - uint64(uint32(pos))) * BlockSize
		n := int(min(uint64(len(src)), uint64(s.chunk), toCarry))
		s.xor(dst[:n], src[:n], at[:], 0)
		dst, src = dst[n:], src[n:]
		pos += uint64(n / BlockSize)
	}
}

// Blocks is how many blocks there are before the counter of iv runs over.
func (s *stream) Blocks(iv []byte) uint64 {
	if s.wide {
		return blocksFrom64(s.position(iv))
	}
	return 1<<32 - s.position(iv)
}

// blocksFrom64 is 2^64 - pos, or as near to it as 64 bits come.
func blocksFrom64(pos uint64) uint64 {
	if pos == 0 {
		return math.MaxUint64
	}
	return -pos
}

// Bind returns a copy of s and of iv: nothing depends on both.
func (s *stream) Bind(iv []byte) (registry.StreamCipher, []byte) {
	bound := *s
	return &bound, bytes.Clone(iv)
}
