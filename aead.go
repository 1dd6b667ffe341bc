package kcrypto

import (
	"crypto/cipher"
	"fmt"
	"runtime"
	"slices"

	"kcrypto/internal/noescape"
	"kcrypto/internal/overlap"
	"kcrypto/registry"
)

// AEAD is a transform for authenticated encryption with associated data (RFC 5116). It is a cipher.AEAD.
//
// After SetKey it may be used by any number of goroutines at once. SetKey, SetAuthSize and Close may not run beside
// other calls. It keeps its driver for life. A transform that is dropped without Close is cleaned up by the garbage
// collector: its key wiped, its reference on the driver given back. It must not be copied.
type AEAD struct {
	_         noCopy
	impl      registry.AEAD
	plain     bool // takes additional data of any size
	life      lifecycle
	keys      uint32 // how many keys there were
	nonceSize int
	tagSize   int
	maxSize   uint64
	maxAAD    uint64
	driver    *registry.Driver
	handle    *registry.Handle // nil inside a self-test
	cleanup   runtime.Cleanup  // unset inside a self-test, which holds no reference on a driver
}

var _ cipher.AEAD = (*AEAD)(nil)

// newAEAD makes the transform that a caller of driver d gets, whoever that is: AllocAEAD after the self-test, or
// the self-test itself.
func newAEAD(d *registry.Driver, c registry.Config, o *options) (*AEAD, error) {
	a := &AEAD{
		driver:    d,
		nonceSize: d.IVSize,
		tagSize:   d.AuthSizes[len(d.AuthSizes)-1],
		maxSize:   limit(d.MaxSize),
		maxAAD:    limit(d.MaxAAD),
		plain:     d.AADSizes == nil,
		life:      noKey,
	}
	if n := o.nonceSize; n != unset && n != d.IVSize {
		if !d.TakesNonce(n) {
			return nil, nonceSizeError(d, n)
		}
		a.nonceSize, a.maxSize = n, limit(d.Longest(n))
	}
	if o.authSize != unset {
		if err := a.SetAuthSize(o.authSize); err != nil {
			return nil, err
		}
	}
	var err error
	if a.impl, err = construct(d, d.NewAEAD, c); err != nil {
		return nil, err
	}
	return a, nil
}

// bind ties a to the reference h on its driver, and to the cleanup that gives it back.
func (a *AEAD) bind(h *registry.Handle) {
	a.handle = h
	a.cleanup = runtime.AddCleanup(a, keyed.drop, keyed{a.impl, h})
}

// SetKey sets or replaces the key. Its length must be one of Info().KeySizes (registry.ErrKeySize); after an error
// there is no key. The key is copied, and wiped when it is replaced and on Close.
func (a *AEAD) SetKey(key []byte) error {
	if !a.life.open() {
		return errClosed
	}
	a.life = noKey
	a.keys++
	if err := setKey(a.impl, a.driver, nil, key); err != nil {
		return err
	}
	a.life = ready
	return nil
}

// SetAuthSize sets the tag size in bytes, one of Info().AuthSizes (registry.ErrAuthSize). The default is the
// largest. Short tags make forgeries likely: NIST SP 800-38D appendix C has the limits for 4 and 8 bytes.
func (a *AEAD) SetAuthSize(n int) error {
	if !a.life.open() {
		return errClosed
	}
	if !slices.Contains(a.driver.AuthSizes, n) {
		return fmt.Errorf("kcrypto: %w: %d bytes for %s, want one of %v",
			registry.ErrAuthSize, n, a.driver.Algorithm, a.driver.AuthSizes)
	}
	a.tagSize = n
	return nil
}

// NonceSize is the size in bytes of the nonce that Seal and Open want.
func (a *AEAD) NonceSize() int { return a.nonceSize }

// Overhead is the tag size in bytes: how much longer a ciphertext is than its plaintext.
func (a *AEAD) Overhead() int { return a.tagSize }

// Seal encrypts and authenticates plaintext, authenticates additionalData, and appends ciphertext and tag to dst.
// To encrypt in place use plaintext[:0] as dst; any other overlap of the output with plaintext or additionalData
// is refused. A nonce must never be used twice with one key.
//
// Like any cipher.AEAD it panics on a caller's mistake: no key, a nonce of the wrong size, a message over the
// algorithm's limit, an overlap, or additional data of a size that an RFC template does not know.
func (a *AEAD) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	n := len(dst) + len(plaintext) + a.tagSize
	if a.usual(len(nonce), len(plaintext), len(additionalData)) && uint(n) <= uint(cap(dst)) {
		out := dst[len(dst):n:n]
		if !overlap.Inexact(out, plaintext) && !overlap.Any(out, additionalData) {
			a.impl.Seal(out, noescape.Bytes(nonce), plaintext, noescape.Bytes(additionalData))
			runtime.KeepAlive(a) // the cleanup wipes the key
			return dst[:n]
		}
	}
	return a.sealChecked(dst, nonce, plaintext, additionalData)
}

// Open checks and decrypts ciphertext, which ends with the tag, and appends the plaintext to dst. To decrypt in
// place use ciphertext[:0] as dst. Overlaps are as for Seal, and panic.
//
// Errors: registry.ErrAuth if the message is not authentic (then nothing of it is left in dst), also for one
// shorter than the tag; ErrNonceSize, ErrLength, ErrNoKey, ErrClosed.
func (a *AEAD) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	m := len(ciphertext) - a.tagSize
	n := len(dst) + m
	if a.usual(len(nonce), m, len(additionalData)) && uint(n) <= uint(cap(dst)) {
		out := dst[len(dst):n:n]
		if !overlap.Inexact(out, ciphertext) && !overlap.Any(out, additionalData) {
			ok := a.impl.Open(out, noescape.Bytes(nonce), ciphertext[:m], ciphertext[m:], noescape.Bytes(additionalData))
			runtime.KeepAlive(a) // the cleanup wipes the key
			if !ok {
				clear(dst[n-(len(ciphertext)-a.tagSize) : n])
				return nil, errAuth
			}
			return dst[:n], nil
		}
	}
	return a.openChecked(dst, nonce, ciphertext, additionalData)
}

// usual reports whether a message with these lengths needs no other check than those for dst's capacity and overlap. It
// repeats part of complaint for the reason that Skcipher.usual has. A message that is shorter than its tag has a
// negative length, which is too large as an unsigned one.
func (a *AEAD) usual(nonce, n, aad int) bool {
	return a.life == ready && a.plain && nonce == a.nonceSize && uint64(n) <= a.maxSize && uint64(aad) <= a.maxAAD
}

// sealChecked is Seal for any call.
func (a *AEAD) sealChecked(dst, nonce, plaintext, additionalData []byte) []byte {
	if err := a.complaint(nonce, len(plaintext), additionalData); err != nil {
		panic(err.Error())
	}
	ret, out := extend(dst, len(plaintext)+a.tagSize)
	if overlap.Inexact(out, plaintext) || overlap.Any(out, additionalData) {
		panic(overlapComplaint(out, additionalData).Error())
	}
	a.impl.Seal(out, noescape.Bytes(nonce), plaintext, noescape.Bytes(additionalData))
	runtime.KeepAlive(a)
	return ret
}

// openChecked is Open for any call.
func (a *AEAD) openChecked(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	n := len(ciphertext) - a.tagSize
	if err := a.complaint(nonce, n, additionalData); err != nil {
		return nil, err
	}
	ret, out := extend(dst, n)
	if overlap.Inexact(out, ciphertext) || overlap.Any(out, additionalData) {
		panic(overlapComplaint(out, additionalData).Error())
	}
	ok := a.impl.Open(out, noescape.Bytes(nonce), ciphertext[:n], ciphertext[n:], noescape.Bytes(additionalData))
	runtime.KeepAlive(a)
	if !ok {
		clear(out)
		return nil, errAuth
	}
	return ret, nil
}

// complaint says what is wrong with a call, n being the plaintext's length, or returns nil.
func (a *AEAD) complaint(nonce []byte, n int, aad []byte) error {
	switch d := a.driver; {
	case a.life != ready:
		return a.life.err()
	case len(nonce) != a.nonceSize:
		return fmt.Errorf("kcrypto: %w: %d bytes for %s, want %d",
			registry.ErrNonceSize, len(nonce), d.Algorithm, a.nonceSize)
	case n < 0:
		return fmt.Errorf("%w: a message of %d bytes has no room for a tag of %d (%w)",
			errAuth, n+a.tagSize, a.tagSize, registry.ErrLength)
	case uint64(n) > a.maxSize:
		return fmt.Errorf("kcrypto: %w: a message of %d bytes for %s, want at most %d",
			registry.ErrLength, n, d.Algorithm, a.maxSize)
	case d.AADSizes != nil && !slices.Contains(d.AADSizes, len(aad)):
		return fmt.Errorf("kcrypto: %w: additional data of %d bytes for %s, want one of %v",
			registry.ErrLength, len(aad), d.Algorithm, d.AADSizes)
	case uint64(len(aad)) > a.maxAAD:
		return fmt.Errorf("kcrypto: %w: additional data of %d bytes for %s, want at most %d",
			registry.ErrLength, len(aad), d.Algorithm, a.maxAAD)
	}
	return nil
}

// Driver is the name of the driver that serves this transform, for its whole life; "" for one that nobody allocated.
func (a *AEAD) Driver() string {
	if a.driver == nil {
		return ""
	}
	return a.driver.Name
}

// Info describes the driver that serves this transform; it is empty for one that nobody allocated.
func (a *AEAD) Info() registry.Info {
	if a.handle == nil {
		return registry.Info{}
	}
	return a.handle.Info()
}

// Close wipes the key and gives back the reference on the driver. A second Close does nothing.
func (a *AEAD) Close() error {
	if !a.life.open() {
		return nil
	}
	a.life = closed
	a.cleanup.Stop()
	keyed{a.impl, a.handle}.drop()
	return nil
}

// extend lengthens dst by n bytes, in place if its capacity allows, and returns the whole and the new part.
func extend(dst []byte, n int) (whole, added []byte) {
	total := len(dst) + n
	switch {
	case total < 0:
		panic(errTooLong(len(dst), n).Error())
	case cap(dst) >= total:
		whole = dst[:total]
	default:
		whole = make([]byte, total)
		copy(whole, dst)
	}
	return whole, whole[len(dst):]
}

// errTooLong is for a result that no slice of this machine can hold.
func errTooLong(before, n int) error {
	return fmt.Errorf("kcrypto: %w: %d bytes behind the %d of dst are more than a slice can hold",
		registry.ErrLength, n, before)
}

// overlapComplaint says which of crypto/cipher's rules a call broke.
func overlapComplaint(out, aad []byte) error {
	if overlap.Any(out, aad) {
		return fmt.Errorf("kcrypto: %w of output and additional data: keep additional data out of dst", registry.ErrOverlap)
	}
	return fmt.Errorf("kcrypto: %w of output and input: use input[:0] as dst, or separate memory", registry.ErrOverlap)
}
