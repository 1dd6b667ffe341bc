package kcrypto

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"kcrypto/internal/overlap"
	"kcrypto/registry"
)

// SealParts is Seal for a message in several parts: it encrypts src, one part after the other, to dst, and writes the
// tag behind. Parts may be of any number and size, empty ones too, and need not end at the same places in dst and src.
// All of dst has Overhead bytes more than all of src.
//
// A byte of dst may be the same memory as that of src at the same place of the message; any other overlap, of dst's
// parts with each other or with the additional data too, is refused. Concurrency is as for Seal, and it allocates
// nothing for up to 64 parts.
//
// Errors, with nothing written: registry.ErrLength (dst does not fit, or a limit), ErrOverlap, ErrNonceSize, ErrNoKey,
// ErrClosed; ErrType if the driver has no way for pieces.
func (a *AEAD) SealParts(dst [][]byte, nonce []byte, src [][]byte, additionalData []byte) error {
	var m message
	text, err := m.beginParts(a, dst, src, nonce, additionalData, false)
	if err != nil {
		return err
	}
	d, s := cursor{parts: dst}, cursor{parts: src}
	m.cryptParts(&d, &s, text, false)
	var all [maxTag]byte
	tag := all[:m.tag]
	m.end(tag)
	d.write(tag)
	return nil
}

// OpenParts is Open for a message in several parts: it decrypts src, which ends with the tag, to dst. Rules and errors
// are those of SealParts, with all of src as much longer; registry.ErrAuth if the message is not authentic. Then dst is
// cleared.
func (a *AEAD) OpenParts(dst [][]byte, nonce []byte, src [][]byte, additionalData []byte) error {
	var m message
	text, err := m.beginParts(a, dst, src, nonce, additionalData, true)
	if err != nil {
		return err
	}
	d, s := cursor{parts: dst}, cursor{parts: src}
	m.cryptParts(&d, &s, text, true)
	var all [maxTag]byte
	tag := all[:m.tag]
	s.read(tag)
	if !m.endsWith(tag) {
		for _, part := range dst {
			clear(part)
		}
		return errAuth
	}
	return nil
}

// beginParts checks everything and begins the message. It returns the size of its text.
func (m *message) beginParts(a *AEAD, dst, src [][]byte, nonce, aad []byte, open bool) (text uint64, err error) {
	if a.life != ready {
		return 0, a.life.err()
	}
	tag, in, out := uint64(a.tagSize), total(src), total(dst)
	text, want := in, in+tag
	if open {
		if in < tag {
			return 0, a.complaint(nonce, int(in)-a.tagSize, aad)
		}
		text, want = in-tag, in-tag
	}
	switch {
	case text > a.maxSize:
		return 0, fmt.Errorf("kcrypto: %w: a message of %d bytes for %s, want at most %d",
			registry.ErrLength, text, a.driver.Algorithm, a.maxSize)
	case out != want:
		return 0, fmt.Errorf("kcrypto: %w: %d bytes in the parts of dst for %d in those of src, want %d",
			registry.ErrLength, out, in, want)
	}
	if err := overlapOfParts(dst, src, aad); err != nil {
		return 0, err
	}
	return text, m.begin(a, nonce, aad)
}

// cryptParts does text bytes of a message, as much at a time as lies together in both.
func (m *message) cryptParts(dst, src *cursor, text uint64, open bool) {
	for text > 0 {
		d, s := dst.rest(), src.rest()
		n := int(min(uint64(min(len(d), len(s))), text))
		if n < m.ahead-m.used {
			m.take(d[:n], s[:n], open)
		} else {
			m.crypt(d[:n], s[:n], open)
		}
		dst.skip(n)
		src.skip(n)
		text -= uint64(n)
	}
}

// cursor is a place in parts.
type cursor struct {
	parts [][]byte
	at    int // in the first one
}

// rest is what lies together from here on, at least one byte.
func (c *cursor) rest() []byte {
	for c.at == len(c.parts[0]) {
		c.parts, c.at = c.parts[1:], 0
	}
	return c.parts[0][c.at:]
}

func (c *cursor) skip(n int) { c.at += n }

// write copies all of p to here.
func (c *cursor) write(p []byte) {
	for len(p) > 0 {
		n := copy(c.rest(), p)
		c.skip(n)
		p = p[n:]
	}
}

// read copies what is here to all of p.
func (c *cursor) read(p []byte) {
	for len(p) > 0 {
		n := copy(p, c.rest())
		c.skip(n)
		p = p[n:]
	}
}

func total(parts [][]byte) (n uint64) {
	for _, p := range parts {
		n += uint64(len(p))
	}
	return n
}

// span is the memory of a part, and its place in the message.
type span struct{ from, to, place uintptr }

// overlapOfParts refuses parts of dst that share memory with each other, with the additional data, or with src at
// another place of the message.
func overlapOfParts(dst, src [][]byte, aad []byte) error {
	var some [64]span
	out := some[:0]
	for _, p := range dst {
		if overlap.Any(p, aad) {
			return overlapComplaint(p, aad)
		}
		out = appendSpan(out, p)
	}
	if overlapping(out) { // or in another order, which is rare
		slices.SortFunc(out, func(a, b span) int { return cmp.Compare(a.from, b.from) })
		if overlapping(out) {
			return overlapComplaint(nil, nil)
		}
	}
	at := 0 // the first of out that does not end before the part of src, if those are in order, too
	var s span
	for _, p := range src {
		if len(p) == 0 {
			continue
		}
		s = s.next(p)
		if at > 0 && out[at-1].to > s.from {
			at = 0
		}
		for at < len(out) && out[at].to <= s.from {
			at++
		}
		for i := at; i < len(out) && out[i].from < s.to; i++ {
			if out[i].from-out[i].place != s.from-s.place {
				return overlapComplaint(nil, nil)
			}
		}
	}
	return nil
}

// appendSpan appends the span of p, which follows the others, if that is not empty.
func appendSpan(spans []span, p []byte) []span {
	if len(p) == 0 {
		return spans
	}
	var last span
	if n := len(spans); n > 0 {
		last = spans[n-1]
	}
	return append(spans, last.next(p))
}

// next is the span of the part behind s, which is not empty.
func (s span) next(p []byte) span {
	from := uintptr(unsafe.Pointer(unsafe.SliceData(p)))
	return span{from, from + uintptr(len(p)), s.place + s.to - s.from}
}

// overlapping reports whether a span begins before the end of the one before it.
func overlapping(spans []span) bool {
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return true
		}
	}
	return false
}
