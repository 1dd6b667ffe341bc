// Package ours tells this module's own drivers from those of others, who cannot import it. What is ours keeps the rules
// that let a caller's nonce stay on the stack (see internal/noescape); the registry wraps what is not.
package ours

// Module is the name that this module's drivers bear, and that the registry refuses to all others.
const Module = "kcrypto"

// Mark vouches for the drivers and templates that a registry begins with. The zero value, the only one that other
// modules have, does not.
type Mark struct{ vouched bool }

// Vouch returns the mark of this module's own tables.
func Vouch() Mark { return Mark{true} }

// Vouched reports whether the mark is one of Vouch's.
func (m Mark) Vouched() bool { return m.vouched }

// Guarded is what the objects are that the registry puts before those of drivers that are not ours.
type Guarded interface{ Guarded() }

// Direct is a symmetric cipher with a shorter way for short messages, which is Encrypt or Decrypt for n bytes: all
// arguments are addresses and numbers, which fit into registers. Each slice more is three words that are stored before
// a call and loaded behind it.
type Direct interface {
	Direct(dst, src *byte, n int, iv *byte, decrypt bool)
}
