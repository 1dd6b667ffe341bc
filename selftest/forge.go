package selftest

import (
	"bytes"
	"fmt"
)

// shortestForgedTag is the smallest tag in bytes that is relied on to refuse a random message.
const shortestForgedTag = 8

// checkInauthentic makes inauthentic message i and has it refused: half of them are random ciphertexts, half are
// sealed messages with one bit changed.
func (r *run) checkInauthentic(i int) error {
	d := &r.subject.Driver
	m, l := r.plainMessage(r.rng.IntN(comparisons)), r.randomLayout()
	m.kind, m.index = "inauthentic message", i
	m.in = r.rng.text(legalLength(d, r.rng.length(fullMessageLimit)))
	if m.tag < shortestForgedTag {
		m.tag = defaultTag(d)
	}
	r.at = position{m, l}
	a, err := r.keyedAEAD(m, l)
	if err != nil {
		return err
	}
	forged, nonce, aad, how := r.rng.bytes(len(m.in)+m.tag), m.iv, m.aad, "a random ciphertext"
	if r.rng.oneIn(2) {
		forged = a.Seal(nil, m.iv, m.in, m.aad)
		nonce, aad = bytes.Clone(m.iv), bytes.Clone(m.aad)
		how = r.spoil(forged, nonce, aad, m.tag)
	}
	return r.checkForged(a, m, l, forged, r.mem.iv.place(l.iv, nonce), r.mem.aad.place(l.aad, aad), how)
}

// spoil changes one bit of a sealed message, of its nonce or of its additional data, and says which.
func (r *run) spoil(sealed, nonce, aad []byte, tag int) string {
	part, name := sealed[len(sealed)-tag:], "tag"
	switch r.rng.IntN(4) {
	case 0:
		part, name = aad, "additional data"
	case 1:
		part, name = nonce, "nonce"
	case 2:
		part, name = sealed, "ciphertext and tag"
	}
	if len(part) == 0 {
		part, name = sealed, "ciphertext and tag"
	}
	bit := r.rng.IntN(8 * len(part))
	part[bit/8] ^= 1 << (bit % 8)
	return fmt.Sprintf("bit %d of the %s flipped", bit, name)
}
