//go:build !purego

package chacha

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"kcrypto/registry"
)

// TestSumsMixed hands a sum from one way of adding to another, in any order, from any sum that one may leave on, and
// compares with arithmetic modulo 2^130 - 5. Words are mostly next to 0, 2^64 and powers of two.
func TestSumsMixed(t *testing.T) {
	source := newRand(t)
	rng, none := rand.New(source), make([]byte, tagSize)
	eachImpl(t, func(t *testing.T, impl impl) {
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
					sumIFMA(&m, nil, 0, &text[0], len(text), nil, 0, 0)
				case way == 1 && impl != ssse3:
					sumAVX2(&m, nil, 0, &text[0], len(text), nil, 0, 0)
				case way == 1:
					c.addPadded(&m, text)
				default:
					c.add(&m, nil, text, ending{})
				}
				addNumbers(want, &m, text)
			}
			if got := numberOf(m.h[:]...); m.h[2] > 4 || got.Mod(got, prime).Cmp(want) != 0 {
				t.Fatalf("from %x: %x is left, which is not %x", start, m.h, want)
			}
			rest, got := edgeText(rng, 1)[:rng.IntN(tagSize)], make([]byte, tagSize)
			addNumbers(want, &m, append(bytes.Clone(rest), none[len(rest):]...)[:(len(rest)+15)&^15])
			addNumbers(want, &m, binary.LittleEndian.AppendUint64([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 1))
			c.add(&m, nil, rest, ending{&got[0], 1<<63 - 1, 1})
			tag := numberOf(binary.LittleEndian.Uint64(got), binary.LittleEndian.Uint64(got[8:]))
			if tag.Cmp(want.And(want, low128)) != 0 {
				t.Fatalf("from %x: tag %x", start, got)
			}
		}
	})
}

// TestCarries makes what comes down from above 2^130 carry through all words, in every place beside a pass and where
// a pass ends. Random text does that once in 2^64 blocks, so the text is made against the sum as assembly has it:
// left as a multiplication leaves it, but finished where a pass begins. That is tried for every block.
func TestCarries(t *testing.T) {
	source := newRand(t)
	rng := rand.New(source)
	const blocks, inPlace = 150, -1
	eachImpl(t, func(t *testing.T, impl impl) {
		c := newCore(registry.Config{Chunk: 1 << 16}, impl, 20)
		for _, size := range []int{inPlace, 0, 2, 4, 6, 11, 24, 60} { // blocks of text
			for begin := range blocks {
				for _, r := range [][2]uint64{{rng.Uint64() & 0x0ffffffc0fffffff, rng.Uint64() & 0x0ffffffc0ffffffc}, {1, 0}} {
					m := poly1305{h: [3]uint64{rng.Uint64(), rng.Uint64(), rng.Uint64() % 4}, r: r}
					want := m
					buf := append(carrying(rng, &m, begin, blocks), make([]byte, max(size, 0)*BlockSize)...)
					sum, text, lag := buf[:blocks*polySize], buf[blocks*polySize:], lagSrc
					switch size {
					case inPlace:
						text, lag = sum, noLag
					case 0:
						lag = noLag
					}
					want.blocks(sum)
					mc := beside(&m, sum, lag)
					c.call(text, text, &make([]byte, 16)[0], 1, &mc)
					m.blocks(sum[len(sum)-mc.n:])
					got, right := numberOf(m.h[:]...), numberOf(want.h[:]...)
					if m.h[2] > 4 || got.Mod(got, prime).Cmp(right.Mod(right, prime)) != 0 {
						t.Fatalf("%d blocks of text, r %x, carries from block %d on: got %x, want %x", size, r, begin, m.h, right)
					}
				}
			}
		}
	})
}

// TestCarriesOfMessages does the same with whole messages: the key for the sum is not ours to choose, but additional
// data and ciphertext are.
func TestCarriesOfMessages(t *testing.T) {
	source := newRand(t)
	rng, key := rand.New(source), random(source, keySize)
	reference := &genericAEAD{newCore(registry.Config{Chunk: 1 << 16}, generic, 20)}
	reference.SetKey(key)
	eachImpl(t, func(t *testing.T, impl impl) {
		a := newAEADOf(impl, key)
		for _, size := range [][2]int{{1, 1}, {4, 4}, {1, 12}, {1, 16}, {8, 32}, {1, 64}, {9, 89}, {20, 0}, {1, 300}} {
			blocks := size[0] + size[1]
			for begin := 0; begin < blocks; begin += 1 + blocks/40 {
				nonce := random(source, nonceSize)
				keystream := make([]byte, (1+size[1]/4+1)*BlockSize)
				iv := ivOf(nonce)
				reference.xorPortable(keystream, keystream, iv[:], 0)
				var m poly1305
				m.init(keystream[:32])
				text := carrying(rng, &m, begin, blocks)
				aad, plaintext := text[:size[0]*polySize], text[size[0]*polySize:]
				subtle.XORBytes(plaintext, plaintext, keystream[BlockSize:])
				want, got := make([]byte, len(plaintext)+tagSize), make([]byte, len(plaintext)+tagSize)
				reference.Seal(want, nonce, plaintext, aad)
				if a.Seal(got, nonce, plaintext, aad); !bytes.Equal(got, want) {
					t.Fatalf("%d blocks of additional data and %d of text, carries from %d on: sealed %x, want %x",
						size[0], size[1], begin, got, want)
				}
				sealed, tag := want[:len(plaintext)], want[len(plaintext):]
				for _, dst := range [][]byte{make([]byte, len(plaintext)), sealed} {
					if !a.Open(dst, nonce, sealed, tag, aad) || !bytes.Equal(dst, plaintext) {
						t.Fatalf("%d blocks of additional data and %d of text, carries from %d on: not opened", size[0], size[1], begin)
					}
				}
			}
		}
	})
}

// TestManyMessages seals a million messages with IFMA: where its lanes become one sum, a carry comes once in 2^18 of
// them.
func TestManyMessages(t *testing.T) {
	r := newRand(t)
	key, plaintext, nonce := random(r, keySize), random(r, 256), random(r, nonceSize)
	reference := &genericAEAD{newCore(registry.Config{Chunk: 1 << 16}, generic, 20)}
	reference.SetKey(key)
	want, got := make([]byte, len(plaintext)+tagSize), make([]byte, len(plaintext)+tagSize)
	eachImpl(t, func(t *testing.T, impl impl) {
		a, messages := newAEADOf(impl, key), 1<<10
		if impl == avx512IFMA {
			messages = 1 << 20
		}
		for i := range messages {
			binary.LittleEndian.PutUint32(nonce, uint32(i))
			n := packetMin + i%(len(plaintext)-packetMin+1)
			reference.Seal(want[:n+tagSize], nonce, plaintext[:n], nil)
			if a.Seal(got[:n+tagSize], nonce, plaintext[:n], nil); !bytes.Equal(got[:n+tagSize], want[:n+tagSize]) {
				t.Fatalf("key %x, nonce %x, %d bytes: sealed %x, want %x", key, nonce, n, got[:n+tagSize], want[:n+tagSize])
			}
		}
	})
}

func newAEADOf(i impl, key []byte) *asmAEAD {
	a := &asmAEAD{newCore(registry.Config{Chunk: 1 << 16}, i, 20)}
	a.SetKey(key)
	return a
}

// carrying is text for m: random, and from a block on such that h and the block are all ones, before what is too high
// comes down or, if r is 1 and the sum stays, after that.
func carrying(rng *rand.Rand, m *poly1305, begin, blocks int) (text []byte) {
	h := m.h
	for i := range blocks {
		low, high := rng.Uint64(), rng.Uint64()
		if i == begin {
			h = foldUp(h, 0, 0, 0)
		}
		if i >= begin {
			low, high = ^h[0], ^h[1]
		}
		if i >= begin && m.r[0] == 1 {
			var borrow uint64
			low, borrow = bits.Sub64(low, h[2]>>2+h[2]&^3, 0)
			high -= borrow
		}
		text = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(text, low), high)
		h = product(foldUp(h, low, high, 1), m.r)
	}
	return text
}

// foldUp adds a block of three words to h, and 5 times what lies above 2^130.
func foldUp(h [3]uint64, low, high, top uint64) [3]uint64 {
	down := h[2]>>2 + h[2]&^3
	h0, carry := bits.Add64(h[0], low, 0)
	h1, carry := bits.Add64(h[1], high, carry)
	h2 := h[2]&3 + top + carry
	h0, carry = bits.Add64(h0, down, 0)
	h1, carry = bits.Add64(h1, 0, carry)
	return [3]uint64{h0, h1, h2 + carry}
}

// product is h*r with nothing brought down but what r1/4 does: see poly1305.blocks.
func product(h [3]uint64, r [2]uint64) [3]uint64 {
	q1 := r[1] + r[1]>>2
	n := new(big.Int).Mul(numberOf(h[0]), numberOf(r[0]))
	n.Add(n, new(big.Int).Mul(numberOf(h[1]), numberOf(q1)))
	e := new(big.Int).Mul(numberOf(h[0]), numberOf(r[1]))
	e.Add(e, new(big.Int).Mul(numberOf(h[1]), numberOf(r[0])))
	e.Add(e, new(big.Int).Mul(numberOf(h[2]), numberOf(q1)))
	e.Add(e, new(big.Int).Lsh(new(big.Int).Mul(numberOf(h[2]), numberOf(r[0])), 64))
	n.Add(n, e.Lsh(e, 64))
	word := func() uint64 {
		w := new(big.Int).And(n, low64).Uint64()
		n.Rsh(n, 64)
		return w
	}
	return [3]uint64{word(), word(), word()}
}

var (
	low64  = new(big.Int).SetUint64(1<<64 - 1)
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
