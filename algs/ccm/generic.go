package ccm

import (
	"crypto/subtle"
	"encoding/binary"

	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// generic is ccm(aes) under one key, by portable code: a block of the CBC-MAC and one of the key stream go through
// package aes together, which works on several blocks at once. It has no pointers.
type generic struct{ aes.Cipher }

func newGeneric(registry.Config) registry.AEAD { return new(generic) }

// Wipe overwrites the key.
func (g *generic) Wipe() { *g = generic{} }

// Seal encrypts and authenticates.
func (g *generic) Seal(dst, nonce, plaintext, aad []byte) {
	n := len(plaintext)
	tag := g.crypt(dst[:n], nonce, plaintext, aad, len(dst)-n, false)
	copy(dst[n:], tag[:])
}

// Open authenticates and decrypts.
func (g *generic) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	want := g.crypt(dst, nonce, ciphertext, aad, len(tag), true)
	return subtle.ConstantTimeCompare(want[:len(tag)], tag) == 1
}

// crypt encrypts or decrypts src into dst and returns the tag, of which only tagLen bytes count.
func (g *generic) crypt(dst, nonce, src, aad []byte, tagLen int, decrypt bool) [tagSize]byte {
	s := newState(nonce, len(src), len(aad), tagLen)
	s.counter = s.stream
	g.begin(&s)
	if len(aad) > 0 {
		block, rest := firstAAD(aad)
		g.mac(&s, block[:])
		g.mac(&s, rest)
	}
	for len(src) > 0 {
		n := min(len(src), blockSize)
		var text [blockSize]byte // plaintext, padded with zeros
		if copy(text[:], src[:n]); decrypt {
			subtle.XORBytes(text[:n], src[:n], s.stream[:])
			copy(dst, text[:n])
		} else {
			subtle.XORBytes(dst[:n], src[:n], s.stream[:])
		}
		subtle.XORBytes(s.y[:], s.y[:], text[:])
		g.next(&s)
		dst, src = dst[n:], src[n:]
	}
	tag := s.y
	subtle.XORBytes(tag[:], tag[:], s.mask[:])
	s.wipe()
	return tag
}

// begin encrypts B_0, A_0 and A_1.
func (g *generic) begin(s *state) {
	var blocks [3 * blockSize]byte
	copy(blocks[:], s.y[:])
	copy(blocks[blockSize:], s.mask[:])
	copy(blocks[2*blockSize:], s.stream[:])
	g.EncryptBlocks(blocks[:], blocks[:])
	copy(s.y[:], blocks[:])
	copy(s.mask[:], blocks[blockSize:])
	copy(s.stream[:], blocks[2*blockSize:])
}

// next encrypts a block of the CBC-MAC and the next counter block.
func (g *generic) next(s *state) {
	count := s.counter[blockSize-8:] // no legal message's counter runs over into the nonce
	binary.BigEndian.PutUint64(count, binary.BigEndian.Uint64(count)+1)
	var blocks [2 * blockSize]byte
	copy(blocks[:], s.y[:])
	copy(blocks[blockSize:], s.counter[:])
	g.EncryptBlocks(blocks[:], blocks[:])
	copy(s.y[:], blocks[:])
	copy(s.stream[:], blocks[blockSize:])
}

// mac takes the CBC-MAC over data, the last block padded with zeros.
func (g *generic) mac(s *state, data []byte) {
	for ; len(data) > 0; data = data[min(len(data), blockSize):] {
		subtle.XORBytes(s.y[:], s.y[:], data[:min(len(data), blockSize)])
		g.EncryptBlocks(s.y[:], s.y[:])
	}
}
