package kcrypto_test

import (
	"encoding/binary"
	"math/big"
	"slices"
	"sync"
	"testing"

	"golang.org/x/crypto/chacha20"

	"kcrypto/registry"
)

// A Poly1305 that does not reduce its accumulator, or loses a carry, is wrong for only a few values in 2^130. The texts
// here are computed to reach those values, at every position in a group of blocks.

// poly is Poly1305 over integers, RFC 8439 section 2.5.
type poly struct{ r, h *big.Int }

var (
	two128 = new(big.Int).Lsh(big.NewInt(1), 128)
	prime  = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))
)

// number returns the value of little-endian bytes.
func number(b []byte) *big.Int {
	b = slices.Clone(b)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

// block adds one whole block.
func (p *poly) block(b []byte) {
	p.h.Add(p.h, number(b)).Add(p.h, two128)
	p.h.Mul(p.h, p.r).Mod(p.h, prime)
}

// before returns the accumulator before a block of value c (with its 2^128), given the one after it: after/r - c.
func (p *poly) before(after, c *big.Int) *big.Int {
	x := new(big.Int).ModInverse(p.r, prime)
	x.Mul(x, after).Sub(x, c)
	return x.Mod(x, prime)
}

// polyTargets are the accumulators to reach: around 0 and the prime, and around the borders of limbs of 26, 44 and 64
// bits.
func polyTargets() []*big.Int {
	var list []*big.Int
	for _, small := range []int64{0, 1, 2, 3, 4, 5} {
		list = append(list, big.NewInt(small), new(big.Int).Sub(prime, big.NewInt(small+1)))
	}
	for _, bits := range []uint{26, 44, 52, 64, 78, 88, 104, 128, 129} {
		border := new(big.Int).Lsh(big.NewInt(1), bits)
		list = append(list, border, new(big.Int).Sub(border, big.NewInt(1)))
	}
	return list
}

// wantedSum says which text to compute: the number of blocks before the one that can be chosen, the accumulator to
// reach after it (or after the length block, if no block follows), and the number of blocks after it.
type wantedSum struct {
	before, after int
	target        *big.Int
}

// solve computes the message. For one in four random keys and nonces the solution is a block; it tries until it has
// one.
func (s *messageMaker) solve(algorithm string, q wantedSum) {
	for {
		nonce, aad := s.bytes(s.now.nonceSize), s.bytes(s.aadSize(0))
		n := 16 * (q.before + 1 + q.after)
		stream := chachaStreamOf(algorithm, s.now.key, nonce, 64+n)
		sealed := s.bytes(n)
		p := &poly{number(stream[:16]), new(big.Int)}
		p.r.And(p.r, number(unhex("ffffff0ffcffff0ffcffff0ffcffff0f"))) // the clamp
		for _, part := range [][]byte{aad, sealed[:16*q.before]} {
			for i := 0; i < len(part); i += 16 {
				var b [16]byte
				copy(b[:], part[i:])
				p.block(b[:])
			}
		}
		want := q.target
		if q.after == 0 { // the length block follows, and the target is what the tag is made from
			lengths := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(len(aad))), uint64(n))
			want = p.before(want, new(big.Int).Add(number(lengths), two128))
		}
		free := p.before(want, p.h) // after/r - h is the block
		if free.Sub(free, two128).Sign() < 0 || free.BitLen() > 128 {
			continue
		}
		b := free.FillBytes(make([]byte, 16))
		slices.Reverse(b)
		copy(sealed[16*q.before:], b)
		text := make([]byte, n)
		for i := range text {
			text[i] = sealed[i] ^ stream[64+i]
		}
		m := message{nonce: nonce, aad: aad, text: text}
		m.sealed = s.model.seal(s.now.key, nonce, text, aad, 16)
		s.now.messages = append(s.now.messages, m)
		return
	}
}

// chachaStreamOf returns the keystream of an AEAD of the ChaCha family. The first block has Poly1305's key.
func chachaStreamOf(algorithm string, key, nonce []byte, n int) []byte {
	switch algorithm {
	case "rfc7539esp(chacha20,poly1305)":
		key, nonce = key[:32], join(key[32:], nonce)
	case "xchacha20poly1305":
		key, nonce = must(chacha20.HChaCha20(key, nonce[:16])), join(make([]byte, 4), nonce[16:])
	}
	out := make([]byte, n)
	must(chacha20.NewUnauthenticatedCipher(key, nonce)).XORKeyStream(out, out)
	return out
}

func TestPoly1305Edges(t *testing.T) {
	for _, algorithm := range []string{"rfc7539(chacha20,poly1305)", "rfc7539esp(chacha20,poly1305)",
		"xchacha20poly1305"} {
		model := aeadModelOf(t, algorithm)
		all := sync.OnceValue(func() []keyedMessages {
			return makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) {
				for i, target := range polyTargets() {
					for before := range 36 {
						if testing.Short() && before%5 != i%5 {
							continue
						}
						s.solve(algorithm, wantedSum{before, 0, target})
						// After a first block the accumulator cannot be 0, so at least one block precedes here.
						s.solve(algorithm, wantedSum{before + 1, []int{1, 3, 4, 7, 8, 15, 16, 31}[before%8], target})
					}
				}
			})
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			for _, l := range all() {
				r := aeadChecker{t: t, a: newAEAD(t, d, l), key: l.key}
				for i := range l.messages {
					r.check(&l.messages[i])
				}
			}
		})
	}
}

// TestPoly1305Solved checks the solver itself: the tag of a solved message is the target plus s.
func TestPoly1305Solved(t *testing.T) {
	const algorithm = "rfc7539(chacha20,poly1305)"
	for _, target := range polyTargets() {
		l := makeMessages(newRandom(t.Name()), aeadModelOf(t, algorithm),
			func(s *messageMaker) { s.solve(algorithm, wantedSum{5, 0, target}) })[0]
		m := l.messages[0]
		tag := number(m.sealed[len(m.text):])
		tag.Sub(tag, number(chachaStreamOf(algorithm, l.key, m.nonce, 32)[16:])).Sub(tag, target)
		if tag.Mod(tag, two128).Sign() != 0 {
			t.Errorf("target %x: the tag differs by %x", target, tag)
		}
	}
}
