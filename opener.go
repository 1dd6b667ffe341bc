package kcrypto

import (
	"fmt"

	"kcrypto/internal/overlap"
	"kcrypto/registry"
)

// UnverifiedOpener opens a message that comes in pieces. What Open returns is NOT AUTHENTIC until Final has returned
// nil: an attacker may have chosen it. Nothing may be done with it until then that cannot be undone, and all of it must
// be dropped if Final returns an error. AEAD.OpenSeeker, OpenTo and Verify need no such care: use those where the
// message can be read twice, or where its plaintext goes to a file.
//
// It uses its AEAD's key, so Close and SetKey of that end its message. It is for one goroutine, several of one AEAD may
// be at work at once, and it must not be copied.
type UnverifiedOpener struct {
	_ noCopy
	message
}

// UnverifiedOpener begins to open a message in pieces, with all of the additional data. Errors are those of Sealer.
func (a *AEAD) UnverifiedOpener(nonce, additionalData []byte) (*UnverifiedOpener, error) {
	o := new(UnverifiedOpener)
	if err := o.begin(a, nonce, additionalData); err != nil {
		return nil, err
	}
	return o, nil
}

// Reset begins another message, and drops one that has not ended. Errors are those of AEAD.Sealer.
func (o *UnverifiedOpener) Reset(nonce, additionalData []byte) error {
	if o.aead == nil {
		return errClosed
	}
	return o.begin(o.aead, nonce, additionalData)
}

// Open decrypts the next piece of ciphertext, of any size and without the tag, and appends as many bytes of plaintext,
// which is not authentic yet, to dst. To decrypt in place use ciphertext[:0] as dst; any other overlap panics. It
// allocates nothing if dst has the capacity.
//
// Errors: registry.ErrLength if the message is over the algorithm's limit, ErrNoKey and ErrClosed if none is under way.
func (o *UnverifiedOpener) Open(dst, ciphertext []byte) ([]byte, error) {
	if n := len(dst) + len(ciphertext); o.short(len(ciphertext)) && uint(n) <= uint(cap(dst)) {
		if out := dst[len(dst):n]; !overlap.Inexact(out, ciphertext) {
			o.take(out, ciphertext, true)
			return dst[:n], nil
		}
	}
	return o.openAny(dst, ciphertext)
}

// openAny is Open for any piece.
func (o *UnverifiedOpener) openAny(dst, ciphertext []byte) ([]byte, error) {
	if err := o.complaint(len(ciphertext)); err != nil {
		return nil, err
	}
	ret, out := extend(dst, len(ciphertext))
	if overlap.Inexact(out, ciphertext) {
		panic(overlapComplaint(out, nil).Error())
	}
	o.crypt(out, ciphertext, true)
	return ret, nil
}

// Final ends the message and compares its tag with the one that came with it. If it returns nil, all that Open returned
// is authentic. Errors: registry.ErrAuth if it is not, ErrNoKey and ErrClosed if no message is under way.
func (o *UnverifiedOpener) Final(tag []byte) error {
	if err := o.complaint(0); err != nil {
		return err
	}
	if len(tag) != o.tag {
		o.drop()
		return fmt.Errorf("%w: a tag of %d bytes, want %d (%w)", errAuth, len(tag), o.tag, registry.ErrLength)
	}
	if !o.endsWith(tag) {
		return errAuth
	}
	return nil
}

// Close wipes what there is of a message. It returns nil; Reset may follow.
func (o *UnverifiedOpener) Close() error {
	o.drop()
	return nil
}
