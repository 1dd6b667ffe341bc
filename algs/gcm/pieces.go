package gcm

import (
	"encoding/binary"
	"unsafe"

	"kcrypto/registry"
)

var (
	_ registry.PieceAEAD = (*generic)(nil)
	_ registry.PieceAEAD = (*stdlib)(nil)
)

// Pieces is the way in for messages in pieces.
func (g *generic) Pieces() (registry.Pieces, []byte) { return (*genericPieces)(g), nil }

// Pieces is the generic code's: Go's has no way in.
func (s *stdlib) Pieces() (registry.Pieces, []byte) { return s.generic().Pieces() }

// genericPieces is a key for messages in pieces.
type genericPieces generic

// genericMessage is such a message, in a PieceState.
type genericMessage struct {
	y, mask   element         // GHASH so far; the encryption of J0
	counter   [blockSize]byte // the last counter block that was used
	text, aad uint64          // bytes
}

var _ [unsafe.Sizeof(registry.PieceState{}) - unsafe.Sizeof(genericMessage{})]byte // it has space

func genericMessageIn(st *registry.PieceState) *genericMessage {
	return (*genericMessage)(unsafe.Pointer(st))
}

// Unit is a block.
func (*genericPieces) Unit() int { return blockSize }

// Begin begins a message.
func (p *genericPieces) Begin(st *registry.PieceState, nonce, aad []byte) {
	g := (*generic)(p)
	j0 := g.j0(nonce)
	*genericMessageIn(st) = genericMessage{
		y: g.hash(element{}, aad), mask: g.xorKeyStream(nil, nil, &j0), counter: j0, aad: uint64(len(aad)),
	}
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

// Keystream encrypts counter blocks.
func (p *genericPieces) Keystream(st *registry.PieceState, dst []byte) {
	clear(dst)
	p.xor(st, dst, dst)
}

// xor XORs whole blocks with the keystream.
func (p *genericPieces) xor(st *registry.PieceState, dst, src []byte) {
	m := genericMessageIn(st)
	(*generic)(p).xorKeyStream(dst, src, &m.counter)
	last := binary.BigEndian.Uint32(m.counter[nonceSize:]) + uint32(len(src)/blockSize)
	binary.BigEndian.PutUint32(m.counter[nonceSize:], last)
}

// Hash authenticates ciphertext.
func (p *genericPieces) Hash(st *registry.PieceState, ciphertext []byte) {
	m := genericMessageIn(st)
	m.y = p.powers.hash(m.y, ciphertext)
	m.text += uint64(len(ciphertext))
}

// End makes the tag.
func (p *genericPieces) End(st *registry.PieceState, tag []byte) {
	m := genericMessageIn(st)
	full := (*generic)(p).hashLengths(m.y, m.aad, m.text).add(m.mask).bytes()
	copy(tag, full[:])
	*m = genericMessage{}
}
