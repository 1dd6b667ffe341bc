//go:build !purego

package chacha

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"testing"

	"kcrypto/registry"
)

// TestSumsMixed hands a sum from one way of adding to another, in any order, from any sum that one may leave on, and compares
// with arithmetic modulo 2^130 - 5. Words are mostly next to 0, 2^64 and powers of two.
func TestSumsMixed(t *testing.T) {
	source := newRand(t)
	rng, none := rand.New(source), make([]byte, tagSize)
	eachRung(t, func(t *testing.T, impl impl) {
		c := newCore(registry.Config{Chunk: 1024}, impl, 20)
		for range 2000 {
			m := poly1305{
				h: [3]uint64{edgeWord(rng), edgeWord(rng), rng.Uint64() % 5},
				r: [2]uint64{edgeWord(rng) & 0x0ffffffc0fffffff, edgeWord(rng) & 0x0ffffffc0ffffffc},
			}
			if m.h[2] == 4 {
				m.h[1] >>= 36 // sumIFMA leaves less than 2^130 + 2^92, others less than that
			}
			start, want := m, numberOf(m.h[:]...)
			for range 1 + rng.IntN(5) {
				text := edgeText(rng, 1+rng.IntN(70))
				switch way := rng.IntN(3); {
				case way == 0:
					m.blocks(text)
				case way == 1 && impl == avx512IFMA:
					addIFMA(&m, nil, text, ending{})
				case way == 1 && impl != ssse3:
					addAVX2(&m, nil, text, ending{})
				default:
					c.addPadded(&m, text)
				}
				addNumbers(want, &m, text)
			}
			if got := numberOf(m.h[:]...); m.h[2] > 4 || got.Mod(got, prime).Cmp(want) != 0 {
				t.Fatalf("from %x: %x is left, which is not %x", start, m.h, want)
			}
			rest, got := edgeText(rng, 1)[:rng.IntN(tagSize)], make([]byte, tagSize)
			addNumbers(want, &m, append(bytes.Clone(rest), none[len(rest):]...)[:(len(rest)+15)&^15])
			addNumbers(want, &m, binary.LittleEndian.AppendUint64([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 1))
			c.finish((*[tagSize]byte)(got), &m, rest, 1<<63-1, 1)
			if low, high := binary.LittleEndian.Uint64(got), binary.LittleEndian.Uint64(got[8:]); numberOf(low, high).Cmp(want.And(want, low128)) != 0 {
				t.Fatalf("from %x: tag %x", start, got)
			}
		}
	})
}

var (
	prime  = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))
	low128 = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
)

// numberOf is the number of some words, the lowest first.
func numberOf(words ...uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[i]))
	}
	return n
}

// addNumbers adds whole blocks to a sum under m's r.
func addNumbers(sum *big.Int, m *poly1305, text []byte) {
	for r := numberOf(m.r[:]...); len(text) > 0; text = text[polySize:] {
		sum.Add(sum, numberOf(binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:]), 1))
		sum.Mul(sum, r).Mod(sum, prime)
	}
}

func edgeText(rng *rand.Rand, blocks int) (text []byte) {
	for range 2 * blocks {
		text = binary.LittleEndian.AppendUint64(text, edgeWord(rng))
	}
	return text
}

func edgeWord(rng *rand.Rand) uint64 {
	near := uint64(rng.IntN(16)) - 8
	switch rng.IntN(4) {
	case 0:
		return near
	case 1:
		return 1<<rng.IntN(64) + near
	case 2:
		return 1<<64 - 1
	}
	return rng.Uint64()
}
