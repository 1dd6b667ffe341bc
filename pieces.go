package kcrypto

import (
	"crypto/subtle"
	"fmt"
	"runtime"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// message is a message in pieces: what Sealer, UnverifiedOpener, Verify, SealParts and OpenParts share. Long pieces go
// to the driver as they are. Short ones, and what a long one has besides whole units, go through two buffers: keystream
// that was made ahead, and the ciphertext that became of it, which is authenticated all at once.
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
	size  uint64
	state registry.PieceState

	ahead  int // bytes of keystream in stream
	used   int // of those, bytes that text had, whose ciphertext is in sum
	stream [lookahead]byte
	sum    [lookahead]byte
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
	m.unit, m.block = m.way.Unit(), a.driver.ChunkSize
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
		m.way.Keystream(m.hidden(), noescape.Slice(m.stream[:m.ahead]))
		m.use(dst, src, open)
	}
	runtime.KeepAlive(m.aead) // the cleanup wipes the key
}

// use seals or opens as much of src as there is keystream for, and returns how much that is.
func (m *message) use(dst, src []byte, open bool) int {
	n := min(len(src), m.ahead-m.used)
	stream, sum := m.stream[m.used:][:n], m.sum[m.used:]
	if open {
		copy(sum, src[:n]) // dst may be the same memory
	}
	subtle.XORBytes(dst, src[:n], stream)
	if !open {
		copy(sum, dst[:n])
	}
	if m.used += n; m.used == m.ahead {
		m.flush()
	}
	return n
}

// flush authenticates the ciphertext that waits.
func (m *message) flush() {
	if m.used > 0 {
		m.way.Hash(m.hidden(), noescape.Slice(m.sum[:m.used]))
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
	want := all[:m.aead.tagSize]
	m.end(want)
	ok := subtle.ConstantTimeCompare(want, tag) == 1
	clear(want)
	return ok
}

// drop wipes what there is of a message.
func (m *message) drop() {
	if m.begun {
		m.state = registry.PieceState{}
		clear(m.stream[:])
		clear(m.sum[:])
	}
	m.begun = false
}
