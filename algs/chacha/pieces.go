package chacha

import (
	"unsafe"

	"kcrypto/registry"
)

var (
	_ registry.PieceAEAD = (*genericAEAD)(nil)
	_ registry.PieceAEAD = (*genericXAEAD)(nil)
	_ registry.PieceAEAD = (*stdlib)(nil)
)

// Pieces is the way in for messages in pieces.
func (g *genericAEAD) Pieces() (registry.Pieces, []byte) { return (*genericPieces)(&g.core), nil }

// Pieces is the way in for messages in pieces.
func (g *genericXAEAD) Pieces() (registry.Pieces, []byte) { return (*genericPieces)(&g.core), nil }

// Pieces is the generic code's: Go's has no way in.
func (s *stdlib) Pieces() (registry.Pieces, []byte) { return (*genericPieces)(&s.portable), nil }

// genericPieces is a key for messages in pieces, with nonces of 12 bytes or, for XChaCha, 24.
type genericPieces core

// genericMessage is such a message, in a PieceState. It has all that comes after Begin: st is under the message's own
// key with XChaCha.
type genericMessage struct {
	st        state // the next block
	sum       poly1305
	text, aad uint64 // bytes
}

var _ [unsafe.Sizeof(registry.PieceState{}) - unsafe.Sizeof(genericMessage{})]byte // it has space

func genericMessageIn(st *registry.PieceState) *genericMessage {
	return (*genericMessage)(unsafe.Pointer(st))
}

// Unit is a block.
func (*genericPieces) Unit() int { return BlockSize }

// Begin begins a message.
func (p *genericPieces) Begin(st *registry.PieceState, nonce, aad []byte) {
	m := genericMessageIn(st)
	*m = genericMessage{aad: uint64(len(aad))}
	if len(nonce) == nonceSize {
		g := genericAEAD{core(*p)}
		g.begin(&m.st, &m.sum, nonce, aad)
		g.Wipe()
		return
	}
	var sub genericAEAD
	rest := (*core)(p).inner(&sub.core, nonce)
	sub.begin(&m.st, &m.sum, rest[:], aad)
	sub.Wipe()
}

// Seal encrypts and authenticates.
func (p *genericPieces) Seal(st *registry.PieceState, dst, src []byte) {
	p.xor(st, dst, src)
	p.Hash(st, dst)
}

// Open authenticates and decrypts.
func (p *genericPieces) Open(st *registry.PieceState, dst, src []byte) {
	p.Hash(st, src)
	p.xor(st, dst, src)
}

// Keystream makes blocks of keystream.
func (p *genericPieces) Keystream(st *registry.PieceState, dst []byte) {
	clear(dst)
	p.xor(st, dst, dst)
}

func (p *genericPieces) xor(st *registry.PieceState, dst, src []byte) {
	xorGeneric(dst, src, &genericMessageIn(st).st, p.rounds)
}

// Hash authenticates ciphertext.
func (*genericPieces) Hash(st *registry.PieceState, ciphertext []byte) {
	m := genericMessageIn(st)
	m.sum.padded(ciphertext)
	m.text += uint64(len(ciphertext))
}

// End makes the tag.
func (*genericPieces) End(st *registry.PieceState, tag []byte) {
	m := genericMessageIn(st)
	m.sum.finish(tag, m.aad, m.text)
	*m = genericMessage{}
}
