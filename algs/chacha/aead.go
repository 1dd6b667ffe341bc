package chacha

import (
	"crypto/subtle"
	"encoding/binary"

	"kcrypto/registry"
)

// tagSize is Poly1305's tag in bytes; RFC 8439 has no shorter one.
const tagSize = 16

// aead is ChaCha20-Poly1305, RFC 8439 section 2.8.
type aead struct {
	core
}

func newAEAD(i impl) func(registry.Config) registry.AEAD {
	return func(c registry.Config) registry.AEAD { return withBatches(&aead{newCore(c, i, 20)}) }
}

// begin sets st to the first block of text under an IV whose counter is 0, and starts the authenticator with the key
// from block 0 and the additional data.
func (c *core) begin(st *state, m *poly1305, iv *[16]byte, aad []byte) {
	var block [BlockSize]byte
	c.input(st, iv[:])
	xorGeneric(block[:], block[:], st, c.rounds)
	m.init(block[:32])
	clear(block[:])
	m.padded(aad)
}

// finish adds the two lengths, writes the tag, and wipes the sum.
func (m *poly1305) finish(tag []byte, aadLen, textLen int) {
	var lengths [16]byte
	binary.LittleEndian.PutUint64(lengths[0:], uint64(aadLen))
	binary.LittleEndian.PutUint64(lengths[8:], uint64(textLen))
	m.blocks(lengths[:])
	m.sum(tag)
	*m = poly1305{}
}

// ivOf returns a nonce of 12 bytes behind a counter of 0.
func ivOf(nonce []byte) (iv [16]byte) {
	copy(iv[4:], nonce)
	return iv
}

// seal encrypts and authenticates a message of any size, with a nonce of 12 bytes.
func (c *core) seal(dst, nonce, plaintext, aad []byte) {
	iv := ivOf(nonce)
	if c.sealAsm(dst, &iv, plaintext, aad) {
		return
	}
	var st state
	var m poly1305
	c.begin(&st, &m, &iv, aad)
	out, in := dst, plaintext
	for len(in) > 0 {
		n := min(len(in), c.chunk)
		xorGeneric(out[:n], in[:n], &st, c.rounds)
		m.padded(out[:n])
		out, in = out[n:], in[n:]
	}
	m.finish(out, len(aad), len(plaintext))
	st = state{}
}

// open is seal's counterpart. It decrypts before it knows the answer.
func (c *core) open(dst, nonce, ciphertext, tag, aad []byte) bool {
	iv := ivOf(nonce)
	if ok, done := c.openAsm(dst, &iv, ciphertext, tag, aad); done {
		return ok
	}
	var st state
	var m poly1305
	c.begin(&st, &m, &iv, aad)
	out, in := dst, ciphertext
	for len(in) > 0 {
		n := min(len(in), c.chunk)
		m.padded(in[:n])
		xorGeneric(out[:n], in[:n], &st, c.rounds)
		out, in = out[n:], in[n:]
	}
	var want [tagSize]byte
	m.finish(want[:], len(aad), len(ciphertext))
	st = state{}
	return subtle.ConstantTimeCompare(tag, want[:]) == 1
}
