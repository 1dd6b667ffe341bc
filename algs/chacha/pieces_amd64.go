//go:build !purego

package chacha

import (
	"unsafe"

	"kcrypto/registry"
)

var (
	_ registry.PieceAEAD = (*asmAEAD)(nil)
	_ registry.PieceAEAD = (*asmXAEAD)(nil)
)

// Pieces is the way in for messages in pieces.
func (a *asmAEAD) Pieces() (registry.Pieces, []byte) { return (*asmPieces)(&a.core), nil }

// Pieces is the way in for messages in pieces.
func (a *asmXAEAD) Pieces() (registry.Pieces, []byte) { return (*asmPieces)(&a.core), nil }

// asmPieces is a key for messages in pieces, with nonces of 12 bytes or, for XChaCha, 24.
type asmPieces core

// asmMessage is such a message, in a PieceState. It has all that comes after Begin: core has the message's own key with
// XChaCha.
type asmMessage struct {
	core
	iv        [16]byte
	block     uint64 // of keystream, the next one
	sum       poly1305
	text, aad uint64 // bytes
}

var _ [unsafe.Sizeof(registry.PieceState{}) - unsafe.Sizeof(asmMessage{})]byte // it has space

func asmMessageIn(st *registry.PieceState) *asmMessage { return (*asmMessage)(unsafe.Pointer(st)) }

// Unit is a block.
func (*asmPieces) Unit() int { return BlockSize }

// Begin begins a message.
func (p *asmPieces) Begin(st *registry.PieceState, nonce, aad []byte) {
	m := asmMessageIn(st)
	*m = asmMessage{block: 1, aad: uint64(len(aad))}
	if len(nonce) == nonceSize {
		m.core, m.iv = core(*p), ivOf(nonce)
	} else {
		rest := (*core)(p).inner(&m.core, nonce)
		m.iv = ivOf(rest[:])
	}
	var key [BlockSize]byte
	m.xor(key[:], key[:], m.iv[:], 0)
	m.sum.init(key[:32])
	clear(key[:])
	m.hash(aad)
}

// Seal encrypts and authenticates.
func (p *asmPieces) Seal(st *registry.PieceState, dst, src []byte) {
	asmMessageIn(st).crypt(dst, src, dst[:len(src)], lagDst)
}

// Open authenticates and decrypts.
func (p *asmPieces) Open(st *registry.PieceState, dst, src []byte) {
	lag := lagSrc
	if unsafe.SliceData(dst) == unsafe.SliceData(src) {
		lag = noLag
	}
	asmMessageIn(st).crypt(dst, src, src, lag)
}

// crypt encrypts or decrypts whole blocks, at least one, and adds sum, the ciphertext.
func (m *asmMessage) crypt(dst, src, sum []byte, lag int) {
	var p plan
	p.begin(&m.core, len(src), 0, lag)
	if lag == noLag { // the sum is ahead of the text from the beginning
		p.head, p.todo = 0, 0
	}
	m.run(&p, &m.sum, nil, &m.iv, m.block, dst, src, sum, nil, nil)
	m.block += uint64(len(src) / BlockSize)
	m.text += uint64(len(src))
}

// Keystream makes blocks of keystream.
func (p *asmPieces) Keystream(st *registry.PieceState, dst []byte) {
	m := asmMessageIn(st)
	clear(dst)
	for len(dst) > 0 {
		n := min(len(dst), m.chunk)
		m.xor(dst[:n], dst[:n], m.iv[:], m.block)
		m.block += uint64(n / BlockSize)
		dst = dst[n:]
	}
}

// Hash authenticates ciphertext.
func (*asmPieces) Hash(st *registry.PieceState, ciphertext []byte) {
	m := asmMessageIn(st)
	m.hash(ciphertext)
	m.text += uint64(len(ciphertext))
}

// hash adds data, with zeros up to a whole block of Poly1305.
func (m *asmMessage) hash(data []byte) {
	for len(data) > 0 {
		n := min(len(data), m.chunk)
		m.add(&m.sum, nil, data[:n], ending{})
		data = data[n:]
	}
}

// End makes the tag.
func (*asmPieces) End(st *registry.PieceState, tag []byte) {
	m := asmMessageIn(st)
	m.sum.finish(tag, m.aad, m.text)
	*m = asmMessage{}
}
