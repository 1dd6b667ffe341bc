package kcrypto

import (
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"runtime"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// message is a message in pieces: what Sealer, UnverifiedOpener, Verify, SealParts and OpenParts share. Long pieces go
// to the driver as they are. Short ones, and what a long one has besides whole units, go through a buffer: of keystream
// that was made ahead, in whose place comes the ciphertext that it made, which is authenticated all at once.
//
// Its own memory is hidden from the compiler where the driver gets it (see internal/noescape), so that a message may be
// on the stack.
type message struct {
	aead  *AEAD
	keys  uint32 // aead.keys when the message began
	begun bool

	way   registry.Pieces
	unit  int // bytes that way takes multiples of
	block int // bytes of keystream that way makes multiples of
	tag   int // bytes
	size  uint64
	state registry.PieceState

	ahead  int             // bytes of keystream that were made
	used   int             // of those, bytes that text had
	buffer [lookahead]byte // ciphertext that is not authenticated yet, used bytes, and keystream behind it
}

// lookahead is how many bytes of keystream are made at a time for short pieces. A longer piece is a long one.
const lookahead = 1024

// maxTag is the longest tag of a message in pieces, in bytes.
const maxTag = 64

// begin begins a message; whatever was there is dropped.
func (m *message) begin(a *AEAD, nonce, aad []byte) error {
	m.drop()
	if err := a.complaint(nonce, 0, aad); err != nil {
		return err
	}
	var salt []byte
	if p, ok := a.impl.(registry.PieceAEAD); ok {
		m.way, salt = p.Pieces()
	}
	if m.way == nil || a.tagSize > maxTag {
		return fmt.Errorf("kcrypto: %w: %s has no way for messages in pieces; Seal and Open take them in one",
			registry.ErrType, a.driver.Name)
	}
	m.aead, m.keys, m.begun = a, a.keys, true
	m.unit, m.block, m.tag = m.way.Unit(), a.driver.ChunkSize, a.tagSize
	m.size, m.ahead, m.used = 0, 0, 0
	var full [32]byte
	if len(salt) > 0 {
		nonce = append(append(full[:0], salt...), nonce...)
	}
	state := m.hidden()
	m.way.Begin(state, noescape.Bytes(nonce), noescape.Bytes(aad))
	clear(full[:])
	runtime.KeepAlive(a) // the cleanup wipes the key
	return nil
}

// short reports whether a piece of n bytes is one that the buffer does, and whose only other check is for overlap. It
// repeats complaint, since the call of that takes longer.
func (m *message) short(n int) bool {
	return n < m.ahead-m.used && m.begun && m.aead.life == ready && m.aead.keys == m.keys &&
		uint64(n) <= m.aead.maxSize-m.size
}

// hidden is m's state as the driver gets it.
func (m *message) hidden() *registry.PieceState {
	return (*registry.PieceState)(noescape.Slice(m.state[:]))
}

// complaint says what is wrong with a piece of n bytes now, or returns nil.
func (m *message) complaint(n int) error {
	switch a := m.aead; {
	case !m.begun:
		return errEnded
	case a.life != ready:
		return a.life.err()
	case a.keys != m.keys:
		return errKeyGone
	case uint64(n) > a.maxSize-m.size:
		return fmt.Errorf("kcrypto: %w: a message of %d bytes and %d more for %s, want at most %d",
			registry.ErrLength, m.size, n, a.driver.Algorithm, a.maxSize)
	}
	return nil
}

var (
	errEnded = fmt.Errorf("kcrypto: %w: the message has ended; Reset begins another", registry.ErrClosed)

	errKeyGone = fmt.Errorf("kcrypto: %w: the message began under a key that was replaced; Reset begins another",
		registry.ErrNoKey)
)

// crypt seals or opens a piece, of which all has been checked.
func (m *message) crypt(dst, src []byte, open bool) {
	m.size += uint64(len(src))
	long := len(src) >= lookahead
	if m.ahead > 0 {
		n := m.use(dst, src, open)
		dst, src = dst[n:], src[n:]
	}
	if whole := len(src) &^ (m.unit - 1); long && whole > 0 {
		if open {
			m.way.Open(m.hidden(), dst[:whole], src[:whole])
		} else {
			m.way.Seal(m.hidden(), dst[:whole], src[:whole])
		}
		dst, src = dst[whole:], src[whole:]
	}
	if len(src) > 0 {
		m.ahead = lookahead
		if long { // so will be the next one, if there is one
			m.ahead = (len(src) + m.block - 1) / m.block * m.block
		}
		m.way.Keystream(m.hidden(), noescape.Slice(m.buffer[:m.ahead]))
		m.use(dst, src, open)
	}
	runtime.KeepAlive(m.aead) // the cleanup wipes the key
}

// take seals or opens a piece that is short.
func (m *message) take(dst, src []byte, open bool) {
	exchange(dst, src, m.buffer[m.used:][:len(src)], open)
	m.used += len(src)
	m.size += uint64(len(src))
}

// use seals or opens as much of src as there is keystream for, and returns how much that is.
func (m *message) use(dst, src []byte, open bool) int {
	n := min(len(src), m.ahead-m.used)
	exchange(dst[:n], src[:n], m.buffer[m.used:][:n], open)
	if m.used += n; m.used == m.ahead {
		m.flush()
	}
	return n
}

// exchange XORs src with the keystream in buffer into dst, which may be the same memory, and puts the ciphertext in the
// keystream's place. (All in one pass: for short pieces, two copies and a call of XORBytes take longer.)
func exchange(dst, src, buffer []byte, open bool) {
	for len(buffer) >= 64 && len(src) >= 64 && len(dst) >= 64 {
		d, s, b := (*[64]byte)(dst), (*[64]byte)(src), (*[64]byte)(buffer)
		if open {
			for i := 0; i < 64; i += 16 {
				openWord(d, s, b, i)
				openWord(d, s, b, i+8)
			}
		} else {
			for i := 0; i < 64; i += 16 {
				sealWord(d, s, b, i)
				sealWord(d, s, b, i+8)
			}
		}
		dst, src, buffer = dst[64:], src[64:], buffer[64:]
	}
	for i, key := range buffer {
		in := src[i]
		out := in ^ key
		dst[i], buffer[i] = out, out
		if open {
			buffer[i] = in
		}
	}
}

func sealWord(dst, src, buffer *[64]byte, i int) {
	out := binary.NativeEndian.Uint64(src[i:i+8]) ^ binary.NativeEndian.Uint64(buffer[i:i+8])
	binary.NativeEndian.PutUint64(dst[i:i+8], out)
	binary.NativeEndian.PutUint64(buffer[i:i+8], out)
}

func openWord(dst, src, buffer *[64]byte, i int) {
	in := binary.NativeEndian.Uint64(src[i : i+8])
	binary.NativeEndian.PutUint64(dst[i:i+8], in^binary.NativeEndian.Uint64(buffer[i:i+8]))
	binary.NativeEndian.PutUint64(buffer[i:i+8], in)
}

// flush authenticates the ciphertext that waits.
func (m *message) flush() {
	if m.used > 0 {
		m.way.Hash(m.hidden(), noescape.Slice(m.buffer[:m.used]))
	}
	m.ahead, m.used = 0, 0
}

// hash authenticates ciphertext that nobody decrypts.
func (m *message) hash(ciphertext []byte) {
	m.size += uint64(len(ciphertext))
	m.way.Hash(m.hidden(), ciphertext)
	runtime.KeepAlive(m.aead) // the cleanup wipes the key
}

// end ends the message and writes its tag.
func (m *message) end(tag []byte) {
	m.flush()
	m.way.End(m.hidden(), noescape.Slice(tag))
	runtime.KeepAlive(m.aead) // the cleanup wipes the key
	m.drop()
}

// endsWith ends the message and reports whether tag is its tag.
func (m *message) endsWith(tag []byte) bool {
	var all [maxTag]byte
	want := all[:m.tag]
	m.end(want)
	ok := subtle.ConstantTimeCompare(want, tag) == 1
	clear(want)
	return ok
}

// drop wipes what there is of a message.
func (m *message) drop() {
	if m.begun {
		m.state = registry.PieceState{}
		clear(m.buffer[:])
	}
	m.begun = false
}
