package chacha

import (
	"crypto/subtle"
	"encoding/binary"

	"kcrypto/registry"
)

// tagSize is Poly1305's tag in bytes; RFC 8439 has no shorter one.
const tagSize = 16

// ivOf returns a nonce of 12 bytes behind a counter of 0.
func ivOf(nonce []byte) (iv [16]byte) {
	binary.LittleEndian.PutUint64(iv[:], uint64(binary.LittleEndian.Uint32(nonce))<<32)
	binary.LittleEndian.PutUint64(iv[8:], binary.LittleEndian.Uint64(nonce[4:]))
	return iv
}

// genericAEAD is ChaCha20-Poly1305, RFC 8439 section 2.8, by portable code.
type genericAEAD struct {
	core
}

func newGenericAEAD(c registry.Config) registry.AEAD { return &genericAEAD{newCore(c, generic, 20)} }

// Seal encrypts and authenticates. The nonce has 12 bytes.
func (g *genericAEAD) Seal(dst, nonce, plaintext, aad []byte) {
	var st state
	var m poly1305
	g.begin(&st, &m, nonce, aad)
	out, in := dst, plaintext
	for len(in) > 0 {
		n := min(len(in), g.chunk)
		xorGeneric(out[:n], in[:n], &st, g.rounds)
		m.padded(out[:n])
		out, in = out[n:], in[n:]
	}
	m.finish(out, uint64(len(aad)), uint64(len(plaintext)))
	st = state{}
}

// Open authenticates and decrypts in one pass: it decrypts before it knows the answer. The nonce has 12 bytes.
func (g *genericAEAD) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	var st state
	var m poly1305
	g.begin(&st, &m, nonce, aad)
	out, in := dst, ciphertext
	for len(in) > 0 {
		n := min(len(in), g.chunk)
		m.padded(in[:n])
		xorGeneric(out[:n], in[:n], &st, g.rounds)
		out, in = out[n:], in[n:]
	}
	var want [tagSize]byte
	m.finish(want[:], uint64(len(aad)), uint64(len(ciphertext)))
	st = state{}
	return subtle.ConstantTimeCompare(tag, want[:]) == 1
}

// begin sets st to the first block of text under a nonce, and starts the authenticator with the key from block 0 and
// the additional data.
func (g *genericAEAD) begin(st *state, m *poly1305, nonce, aad []byte) {
	var block [BlockSize]byte
	iv := ivOf(nonce)
	g.input(st, iv[:])
	xorGeneric(block[:], block[:], st, g.rounds)
	m.init(block[:32])
	clear(block[:])
	m.padded(aad)
}

// finish adds the two lengths, writes the tag, and wipes the sum.
func (m *poly1305) finish(tag []byte, aadLen, textLen uint64) {
	var lengths [16]byte
	binary.LittleEndian.PutUint64(lengths[0:], aadLen)
	binary.LittleEndian.PutUint64(lengths[8:], textLen)
	m.blocks(lengths[:])
	m.sum(tag)
	*m = poly1305{}
}

// genericXAEAD is XChaCha20-Poly1305, draft-irtf-cfrg-xchacha section 2.3, by portable code.
type genericXAEAD struct {
	core
}

func newGenericXAEAD(c registry.Config) registry.AEAD { return &genericXAEAD{newCore(c, generic, 20)} }

// Seal encrypts and authenticates. The nonce has 24 bytes.
func (g *genericXAEAD) Seal(dst, nonce, plaintext, aad []byte) {
	var sub genericAEAD
	rest := g.inner(&sub.core, nonce)
	sub.Seal(dst, rest[:], plaintext, aad)
	sub.Wipe()
}

// Open authenticates and decrypts in one pass. The nonce has 24 bytes.
func (g *genericXAEAD) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	var sub genericAEAD
	rest := g.inner(&sub.core, nonce)
	ok := sub.Open(dst, rest[:], ciphertext, tag, aad)
	sub.Wipe()
	return ok
}
