package kcrypto

import "kcrypto/internal/overlap"

// Sealer seals a message that comes in pieces: what Seal would make of all of it, piece by piece, and then the tag. It
// uses its AEAD's key, so Close and SetKey of that end its message. It is for one goroutine, several of one AEAD may be
// at work at once, and it must not be copied.
type Sealer struct {
	_ noCopy
	message
}

// Sealer begins a message in pieces, with all of the additional data. A nonce must never be used twice with one key.
//
// Errors: ErrNonceSize, ErrLength (additional data), ErrNoKey, ErrClosed of package registry; ErrType if the driver has
// no way for pieces: ccm, rfc4309, rfc4543, and foreign drivers that are no registry.PieceAEAD.
func (a *AEAD) Sealer(nonce, additionalData []byte) (*Sealer, error) {
	s := new(Sealer)
	if err := s.begin(a, nonce, additionalData); err != nil {
		return nil, err
	}
	return s, nil
}

// Reset begins another message, and drops one that has not ended. Errors are those of AEAD.Sealer.
func (s *Sealer) Reset(nonce, additionalData []byte) error {
	if s.aead == nil {
		return errClosed
	}
	return s.begin(s.aead, nonce, additionalData)
}

// Seal encrypts the next piece, of any size, and appends as many bytes of ciphertext to dst. To encrypt in place use
// plaintext[:0] as dst; any other overlap is refused. It allocates nothing if dst has the capacity.
//
// It panics on a caller's mistake, as AEAD.Seal does: no message under way, a message over the algorithm's limit, an
// overlap.
func (s *Sealer) Seal(dst, plaintext []byte) []byte {
	if n := len(dst) + len(plaintext); s.short(len(plaintext)) && uint(n) <= uint(cap(dst)) {
		if out := dst[len(dst):n]; !overlap.Inexact(out, plaintext) {
			s.take(out, plaintext, false)
			return dst[:n]
		}
	}
	return s.sealAny(dst, plaintext)
}

// sealAny is Seal for any piece.
func (s *Sealer) sealAny(dst, plaintext []byte) []byte {
	if err := s.complaint(len(plaintext)); err != nil {
		panic(err.Error())
	}
	ret, out := extend(dst, len(plaintext))
	if overlap.Inexact(out, plaintext) {
		panic(overlapComplaint(out, nil).Error())
	}
	s.crypt(out, plaintext, false)
	return ret
}

// Final ends the message and appends its tag to dst, as many bytes as AEAD.Overhead was when the message began. It
// panics as Seal does.
func (s *Sealer) Final(dst []byte) []byte {
	if err := s.complaint(0); err != nil {
		panic(err.Error())
	}
	ret, out := extend(dst, s.tag)
	s.end(out)
	return ret
}

// Close wipes what there is of a message. It returns nil; Reset may follow.
func (s *Sealer) Close() error {
	s.drop()
	return nil
}
