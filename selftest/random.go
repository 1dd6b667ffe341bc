package selftest

import (
	crand "crypto/rand"
	"encoding/binary"
	"math/rand/v2"
)

// source is a generator of everything random in one run.
type source struct {
	*rand.Rand
	bytesFrom *rand.ChaCha8
	seed      uint64
}

// newSource returns the generator of seed, or of one drawn from crypto/rand if seed is 0.
func newSource(seed uint64) *source {
	var s [32]byte
	if seed == 0 {
		crand.Read(s[:8])
		seed = max(binary.LittleEndian.Uint64(s[:]), 1)
	}
	binary.LittleEndian.PutUint64(s[:], seed)
	c := rand.NewChaCha8(s)
	return &source{rand.New(c), c, seed}
}

func (s *source) oneIn(n int) bool { return s.IntN(n) == 0 }

// bytes returns n random bytes.
func (s *source) bytes(n int) []byte {
	b := make([]byte, n)
	s.bytesFrom.Read(b)
	return b
}

func choose[T any](s *source, from ...T) T { return from[s.IntN(len(from))] }

// text returns n bytes as Linux's testmgr makes them: constant, ascending, or random, with some bits and bytes
// changed half of the time. Plain patterns find code that mixes up blocks; changed ones find code that drops bits.
func (s *source) text(n int) []byte {
	b := s.bytes(n)
	first, step := byte(s.IntN(256)), byte(0)
	switch s.IntN(4) {
	case 0:
		step = choose[byte](s, 0, 0, 1, 0xff)
	case 1:
		step = byte(s.IntN(256))
	default:
		return b
	}
	for i := range b {
		b[i] = first + byte(i)*step
	}
	if n > 0 && s.oneIn(2) {
		for range 1 + s.IntN(4) {
			b[s.IntN(n)] ^= choose(s, byte(1)<<s.IntN(8), byte(1+s.IntN(255)))
		}
	}
	return b
}

// length returns a message length up to limit bytes with the probabilities of Linux's testmgr: short ones are as
// frequent as long ones, and powers of two are frequent.
func (s *source) length(limit int) int {
	n := s.IntN(limit + 1)
	switch s.IntN(4) {
	case 0:
		n %= 64
	case 1:
		n %= 256
	case 2:
		n %= 1024
	}
	if n > 0 && s.oneIn(4) {
		for n&(n-1) != 0 {
			n &= n - 1
		}
	}
	return n
}
