// Package ccm has the drivers of ccm(aes), AES in counter mode with CBC-MAC (RFC 3610, NIST SP 800-38C), and the
// template rfc4309, the way in which IPsec's ESP uses it.
//
// The CBC-MAC of the lengths, the additional data and the plaintext is encrypted as the tag, and the text by counter
// mode. The size of the nonce, 7 to 13 bytes, and that of the number of bytes in the text, 8 to 2, are 15 together. So
// the longer the nonce, the shorter the longest message.
//
// A nonce must never be used twice with one key: that gives away the XOR of the two texts.
package ccm

import (
	"encoding/binary"
	"math"

	"kcrypto/registry"
)

const (
	algorithm = "ccm(aes)"

	blockSize = 16            // bytes
	nonceSize = 12            // bytes: that of RFC 5116's AEAD_AES_128_CCM, of TLS (RFC 6655), and of ZFS
	tagSize   = 16            // bytes: the longest tag, which the shorter ones begin
	maxText   = 1<<24 - 1     // bytes, under a nonce of 12
	maxAAD    = math.MaxInt64 // bytes: RFC 3610 section 2.2 has 2^64 - 1
	shortAAD  = 1<<16 - 1<<8  // bytes: from here on the length takes more than two
)

// nonces are the sizes of nonces with the longest text under each: what is left of 15 bytes counts the text's.
func nonces() (list []registry.NonceSize) {
	for size := 7; size <= 13; size++ {
		n := registry.NonceSize{Size: size}
		if count := 8 * (15 - size); count < 64 {
			n.MaxSize = 1<<count - 1
		}
		list = append(list, n)
	}
	return list
}

// state is a message under way. begin of a key turns the first three blocks into what they are from then on.
type state struct {
	y       [blockSize]byte // B_0, then the CBC-MAC so far
	mask    [blockSize]byte // A_0, then its encryption, which masks the tag
	stream  [blockSize]byte // A_1, then the key stream of the next block of text
	counter [blockSize]byte // the block that stream is the encryption of; in assembly, with its bytes reversed
}

// newState makes B_0, A_0 and A_1 (RFC 3610 sections 2.2 and 2.3) of the sizes in bytes of text, additional data and
// tag.
func newState(nonce []byte, text, aad, tag int) (s state) {
	count := 15 - len(nonce) // bytes that count
	s.y[0] = byte((tag-2)/2<<3 | (count - 1))
	if aad > 0 {
		s.y[0] |= 1 << 6
	}
	binary.BigEndian.PutUint64(s.y[8:], uint64(text))
	copy(s.y[1:], nonce)
	s.mask[0] = byte(count - 1)
	copy(s.mask[1:], nonce)
	s.stream = s.mask
	s.stream[blockSize-1] = 1
	return s
}

// wipe overwrites the state: with the mask of a tag somebody could forge one under the same nonce.
//
//go:noinline
func (s *state) wipe() { *s = state{} }

// firstAAD makes the first block of the additional data, at least one byte, which begins with its length (RFC 3610
// section 2.2), and returns what is left of the data.
func firstAAD(aad []byte) (block [blockSize]byte, rest []byte) {
	head, n := block[:], uint64(len(aad))
	switch {
	case n < shortAAD:
		binary.BigEndian.PutUint16(head, uint16(n))
		head = head[2:]
	case n <= math.MaxUint32:
		head[0], head[1] = 0xff, 0xfe
		binary.BigEndian.PutUint32(head[2:], uint32(n))
		head = head[6:]
	default:
		head[0], head[1] = 0xff, 0xff
		binary.BigEndian.PutUint64(head[2:], n)
		head = head[10:]
	}
	return block, aad[copy(head, aad):]
}
