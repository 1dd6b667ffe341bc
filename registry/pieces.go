package registry

import "bytes"

// PieceAEAD is an AEAD whose messages may come in pieces.
type PieceAEAD interface {
	AEAD
	// Pieces returns the way in, or nil if there is none. It is asked anew for each message. salt is what begins each
	// nonce of Begin, before what the caller of this AEAD has for one.
	Pieces() (p Pieces, salt []byte)
}

// Pieces makes messages of pieces. The rules are AEAD's: everything has been checked, and nothing may be kept. Each
// message that is under way has a PieceState of its own; any number of goroutines may have one each.
//
// Begin is the first call for a message, and End the last. Between them text goes through Seal or Open, or through two
// calls: Keystream, and Hash with the ciphertext that became of it. Keystream may be ahead, so it counts by itself.
type Pieces interface {
	// Unit is the number of bytes of which Seal and Open take multiples: a power of two, at least Driver.ChunkSize and
	// at most 512.
	Unit() int
	// Begin makes st, whatever it holds, a message without text.
	Begin(st *PieceState, nonce, aad []byte)
	// Seal encrypts and authenticates src, a multiple of Unit bytes. dst is as long, and starts at the same byte or does
	// not overlap.
	Seal(st *PieceState, dst, src []byte)
	// Open authenticates and decrypts, with the rules of Seal.
	Open(st *PieceState, dst, src []byte)
	// Keystream writes the next bytes of the keystream, a multiple of Driver.ChunkSize.
	Keystream(st *PieceState, dst []byte)
	// Hash authenticates ciphertext. After a length that is no multiple of 16 bytes, only End may follow.
	Hash(st *PieceState, ciphertext []byte)
	// End writes the tag, of any legal size up to 64 bytes, and clears st.
	End(st *PieceState, tag []byte)
}

// PieceState is what a driver knows of a message under way: its own to fill, but not with pointers. Who drops a message
// clears it.
type PieceState [40]uint64

// Pieces hands on copies, as the other methods do.
func (g guardedAEAD) Pieces() (Pieces, []byte) {
	if a, ok := g.AEAD.(PieceAEAD); ok {
		if p, salt := a.Pieces(); p != nil {
			return guardedPieces{p}, bytes.Clone(salt)
		}
	}
	return nil, nil
}

// guardedPieces stands for Pieces of another module.
type guardedPieces struct{ Pieces }

// with has work use a copy of st on the heap.
func (g guardedPieces) with(st *PieceState, work func(st *PieceState)) {
	state := *st
	work(&state)
	*st, state = state, PieceState{}
}

func (g guardedPieces) Begin(st *PieceState, nonce, aad []byte) {
	g.with(st, func(st *PieceState) { g.Pieces.Begin(st, bytes.Clone(nonce), bytes.Clone(aad)) })
}

func (g guardedPieces) Seal(st *PieceState, dst, src []byte) {
	g.with(st, func(st *PieceState) { g.Pieces.Seal(st, dst, src) })
}

func (g guardedPieces) Open(st *PieceState, dst, src []byte) {
	g.with(st, func(st *PieceState) { g.Pieces.Open(st, dst, src) })
}

func (g guardedPieces) Keystream(st *PieceState, dst []byte) { g.data(st, dst, g.Pieces.Keystream) }

func (g guardedPieces) Hash(st *PieceState, ciphertext []byte) { g.data(st, ciphertext, g.Pieces.Hash) }

func (g guardedPieces) End(st *PieceState, tag []byte) { g.data(st, tag, g.Pieces.End) }

// data makes a call with a copy of data, which may lie on the stack.
func (g guardedPieces) data(st *PieceState, data []byte, call func(*PieceState, []byte)) {
	own := bytes.Clone(data)
	g.with(st, func(st *PieceState) { call(st, own) })
	copy(data, own)
	clear(own)
}
