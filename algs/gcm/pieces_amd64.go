//go:build !purego

package gcm

import (
	"encoding/binary"
	"unsafe"

	"kcrypto/registry"
)

var _ registry.PieceAEAD = (*asmKey)(nil)

// Pieces is the way in for messages in pieces.
func (k *asmKey) Pieces() (registry.Pieces, []byte) { return (*asmPieces)(k), nil }

// asmPieces is a key for messages in pieces.
type asmPieces asmKey

// asmMessage is such a message, in a PieceState.
type asmMessage struct {
	state
	text, aad uint64 // bytes
}

var _ [unsafe.Sizeof(registry.PieceState{}) - unsafe.Sizeof(asmMessage{})]byte // it has space

func asmMessageIn(st *registry.PieceState) *asmMessage { return (*asmMessage)(unsafe.Pointer(st)) }

// Unit is what a call of assembly takes that does not end a message.
func (*asmPieces) Unit() int { return loopBytes }

// Begin begins a message.
func (p *asmPieces) Begin(st *registry.PieceState, nonce, aad []byte) {
	k, m := (*asmKey)(p), asmMessageIn(st)
	*m = asmMessage{state: state{begin: 1}, aad: uint64(len(aad))}
	iv := unsafe.SliceData(nonce)
	if len(nonce) != nonceSize || len(aad) > k.chunk {
		iv, aad = k.prepare(&m.state, nonce, aad)
	}
	k.seal(&m.state, iv, aad, nil, nil, nil)
	m.begin = 0
}

// Seal encrypts and authenticates.
func (p *asmPieces) Seal(st *registry.PieceState, dst, src []byte) {
	k, m := (*asmKey)(p), asmMessageIn(st)
	m.text += uint64(len(src))
	for len(src) > 0 {
		n := min(len(src), k.chunk)
		k.seal(&m.state, nil, nil, dst, src[:n], nil)
		dst, src = dst[n:], src[n:]
	}
}

// Open authenticates and decrypts.
func (p *asmPieces) Open(st *registry.PieceState, dst, src []byte) {
	k, m := (*asmKey)(p), asmMessageIn(st)
	m.text += uint64(len(src))
	for len(src) > 0 {
		n := min(len(src), k.chunk)
		k.open(&m.state, nil, nil, dst, src[:n], nil)
		dst, src = dst[n:], src[n:]
	}
}

// Keystream seals zeros, as the end of a message that nobody gets: there is no assembly for keystream alone.
func (p *asmPieces) Keystream(st *registry.PieceState, dst []byte) {
	k, m := (*asmKey)(p), asmMessageIn(st)
	clear(dst)
	for len(dst) > 0 {
		n := min(len(dst), k.chunk)
		s := m.state
		k.seal(&s, nil, nil, dst, dst[:n], &s.tag)
		s = state{}
		next := binary.LittleEndian.Uint32(m.counter[:]) + uint32(n/blockSize)
		binary.LittleEndian.PutUint32(m.counter[:], next)
		dst = dst[n:]
	}
}

// Hash authenticates ciphertext.
func (p *asmPieces) Hash(st *registry.PieceState, ciphertext []byte) {
	k, m := (*asmKey)(p), asmMessageIn(st)
	m.text += uint64(len(ciphertext))
	if len(ciphertext) > 0 {
		k.hashAll(&m.state, ciphertext)
	}
}

// End makes the tag.
func (p *asmPieces) End(st *registry.PieceState, tag []byte) {
	k, m := (*asmKey)(p), asmMessageIn(st)
	m.lengths = [2]uint64{m.text * 8, m.aad * 8}
	k.seal(&m.state, nil, nil, nil, nil, &m.tag)
	putTag(tag, &m.tag)
	*m = asmMessage{}
}
