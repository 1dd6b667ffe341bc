package kcrypto

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"kcrypto/internal/noescape"
	"kcrypto/internal/ours"
	"kcrypto/internal/overlap"
	"kcrypto/registry"
)

// Skcipher is a transform for a symmetric cipher without authentication: ctr, xctr, xts, ecb, chacha20 and similar
// ones. Whoever can change its ciphertext changes the plaintext unnoticed; use an AEAD where that matters.
//
// After SetKey it may be used by any number of goroutines at once. SetKey and Close may not run beside other calls.
// It keeps its driver for life. A transform that is dropped without Close is cleaned up by the garbage collector:
// its key wiped, its reference on the driver given back. It must not be copied.
type Skcipher struct {
	_       noCopy
	impl    registry.Skcipher
	stream  registry.StreamCipher   // impl, if it is one
	sectors registry.SectorCipher   // impl, if it is one
	units   registry.UnitCipher     // impl, if it is one
	loops   bool                    // a sector may be a message, with a SectorIV's IV
	direct  ours.Direct             // impl, if it is one
	weak    registry.WeakKeyChecker // impl, if weak keys are to be refused
	plain   bool                    // usual says it all
	mask    int                     // plain: bits that no length has
	top     int                     // plain: where the IV's counter has its highest byte, -1 if none runs over
	most    uint64                  // plain: bytes before any counter runs over whose highest byte is not 0xff
	life    lifecycle
	maxSize uint64
	driver  *registry.Driver
	handle  *registry.Handle // nil inside a self-test
	cleanup runtime.Cleanup  // unset inside a self-test, which holds no reference on a driver
}

// newSkcipher is newAEAD for a symmetric cipher.
func newSkcipher(d *registry.Driver, c registry.Config, o *options) (*Skcipher, error) {
	switch {
	case o.nonceSize != unset && o.nonceSize != d.IVSize:
		return nil, nonceSizeError(d, o.nonceSize)
	case o.authSize != unset && o.authSize != 0:
		return nil, fmt.Errorf("kcrypto: %s is no AEAD and has no tag, WithAuthSize(%d) does not apply: %w",
			d.Algorithm, o.authSize, registry.ErrAuthSize)
	}
	impl, err := construct(d, d.NewSkcipher, c)
	if err != nil {
		return nil, err
	}
	s := &Skcipher{impl: impl, driver: d, maxSize: limit(d.MaxSize), life: noKey}
	s.stream, _ = s.impl.(registry.StreamCipher)
	s.direct, _ = s.impl.(ours.Direct)
	s.sectors, _ = s.impl.(registry.SectorCipher)
	s.units, _ = s.impl.(registry.UnitCipher)
	s.loops = d.IVSize == sectorIVSize && s.stream == nil &&
		(s.sectors != nil || s.units != nil || slices.Contains(sectorAlgorithms, d.Algorithm))
	s.mask = max(d.MultipleOf, 1) - 1
	// A driver that is not ours may have a counter of any form.
	_, guarded := s.impl.(ours.Guarded)
	if s.plain = !guarded && d.MultipleOf&s.mask == 0; s.plain {
		s.top, s.most = counterBound(s.stream, d)
	}
	if o.forbidWeak {
		s.weak, _ = s.impl.(registry.WeakKeyChecker)
		if s.weak == nil && d.Algorithm == "xts(aes)" {
			return nil, fmt.Errorf(
				"kcrypto: %w: %s does not know weak keys, which WithForbidWeakKeys asks for: choose another driver",
				registry.ErrUnavailable, d.Name)
		}
	}
	return s, nil
}

// bind ties s to the reference h on its driver, and to the cleanup that gives it back.
func (s *Skcipher) bind(h *registry.Handle) {
	s.handle = h
	s.cleanup = runtime.AddCleanup(s, keyed.drop, keyed{s.impl, h})
}

// SetKey sets or replaces the key. Its length must be one of Info().KeySizes and, with WithForbidWeakKeys, it must
// not be weak (registry.ErrKeySize); after an error there is no key. The key is copied, and wiped when it is
// replaced and on Close.
func (s *Skcipher) SetKey(key []byte) error {
	if !s.life.open() {
		return errClosed
	}
	s.life = noKey
	if err := setKey(s.impl, s.driver, s.weak, key); err != nil {
		return err
	}
	s.life = ready
	return nil
}

// IVSize is the size in bytes of the IV that the other methods take; 0 means none is used.
func (s *Skcipher) IVSize() int {
	if s.driver == nil {
		return 0
	}
	return s.driver.IVSize
}

// BlockSize is 1 for stream ciphers, else the cipher's block in bytes (16 for xts and ecb); 0 for a transform that
// nobody allocated.
func (s *Skcipher) BlockSize() int {
	if s.driver == nil {
		return 0
	}
	return s.driver.BlockSize
}

// Encrypt encrypts src to dst[:len(src)] as one message (for xts: one data unit). It does not change iv. dst and
// src may be the same memory; any other overlap is registry.ErrOverlap. dst may be longer than src.
//
// Errors, before anything is written: ErrNonceSize (iv), ErrLength (dst shorter than src; src shorter or longer
// than the algorithm allows, or no multiple of what it must be; a ChaCha counter that would run over), ErrNoKey,
// ErrClosed.
func (s *Skcipher) Encrypt(dst, src, iv []byte) error {
	if n := len(src); s.usual(len(dst), n, iv) && !overlap.Inexact(dst[:n], src) {
		switch {
		case s.direct != nil:
			s.direct.Direct(unsafe.SliceData(dst), unsafe.SliceData(src), n, unsafe.SliceData(noescape.Bytes(iv)), false)
		case s.stream != nil: // one call less than Encrypt, which is no other for these
			s.stream.XORBlocks(dst[:n], src, noescape.Bytes(iv), 0)
		default:
			s.impl.Encrypt(dst[:n], src, noescape.Bytes(iv))
		}
		runtime.KeepAlive(s) // the cleanup wipes the key
		return nil
	}
	return s.checked(registry.Skcipher.Encrypt, dst, src, iv)
}

// Decrypt is the inverse of Encrypt, with the same rules.
func (s *Skcipher) Decrypt(dst, src, iv []byte) error {
	if n := len(src); s.usual(len(dst), n, iv) && !overlap.Inexact(dst[:n], src) {
		switch {
		case s.direct != nil:
			s.direct.Direct(unsafe.SliceData(dst), unsafe.SliceData(src), n, unsafe.SliceData(noescape.Bytes(iv)), true)
		case s.stream != nil: // one call less than Decrypt, which is no other for these
			s.stream.XORBlocks(dst[:n], src, noescape.Bytes(iv), 0)
		default:
			s.impl.Decrypt(dst[:n], src, noescape.Bytes(iv))
		}
		runtime.KeepAlive(s) // the cleanup wipes the key
		return nil
	}
	return s.checked(registry.Skcipher.Decrypt, dst, src, iv)
}

// usual reports whether a message with these lengths is one that needs no other check than that for overlap. It
// repeats part of check so that such a message meets no call on its way to the driver. Each call stores the arguments
// anew, and a processor has a few dozen places for stores on their way: short messages that make many wait for one
// another. (Zen 4, 64 places, ctr(aes), 16 and 512 bytes: 59 and 103 cycles a message by way of check, 37 and 88 here.)
func (s *Skcipher) usual(dst, n int, iv []byte) bool {
	return s.life == ready && s.plain && len(iv) == s.driver.IVSize && n <= dst && n >= s.driver.MinSize &&
		uint64(n) <= s.most && n&s.mask == 0 && (s.top < 0 || iv[s.top] != 0xff)
}

// checked calls crypt, a method of the driver's key object, after every check.
func (s *Skcipher) checked(crypt func(c registry.Skcipher, dst, src, iv []byte), dst, src, iv []byte) error {
	if err := s.check(dst, src, iv); err != nil {
		return err
	}
	crypt(s.impl, dst[:len(src)], src, noescape.Bytes(iv))
	runtime.KeepAlive(s) // the cleanup wipes the key
	return nil
}

// check holds the arguments of Encrypt and Decrypt to their rules. The common case is one comparison chain; the
// words are made elsewhere.
func (s *Skcipher) check(dst, src, iv []byte) error {
	d, n := s.driver, len(src)
	if s.life != ready || len(iv) != d.IVSize || len(dst) < n || n < d.MinSize || uint64(n) > s.maxSize ||
		(d.MultipleOf > 1 && n%d.MultipleOf != 0) {
		return s.complaint(len(dst), n, len(iv))
	}
	if overlap.Inexact(dst[:n], src) {
		return errOverlap
	}
	if s.stream != nil {
		return s.checkCounter(n, iv)
	}
	return nil
}

func (s *Skcipher) complaint(dst, n, iv int) error {
	switch d := s.driver; {
	case s.life != ready:
		return s.life.err()
	case iv != d.IVSize:
		return fmt.Errorf("kcrypto: %w: an IV of %d bytes for %s, want %d", registry.ErrNonceSize, iv, d.Algorithm, d.IVSize)
	case dst < n:
		return fmt.Errorf("kcrypto: %w: output of %d bytes for %d bytes of input", registry.ErrLength, dst, n)
	case n < d.MinSize:
		return fmt.Errorf("kcrypto: %w: %d bytes for %s, want at least %d", registry.ErrLength, n, d.Algorithm, d.MinSize)
	case uint64(n) > s.maxSize:
		return fmt.Errorf("kcrypto: %w: %d bytes for %s, want at most %d", registry.ErrLength, n, d.Algorithm, s.maxSize)
	default:
		return fmt.Errorf("kcrypto: %w: %d bytes for %s, want a multiple of %d",
			registry.ErrLength, n, d.Algorithm, d.MultipleOf)
	}
}

// Driver is the name of the driver that serves this transform, for its whole life; "" for one that nobody allocated.
func (s *Skcipher) Driver() string {
	if s.driver == nil {
		return ""
	}
	return s.driver.Name
}

// Info describes the driver that serves this transform; it is empty for one that nobody allocated.
func (s *Skcipher) Info() registry.Info {
	if s.handle == nil {
		return registry.Info{}
	}
	return s.handle.Info()
}

// Close wipes the key and gives back the reference on the driver. A second Close does nothing. Streams made from
// the transform live on: they have a key of their own.
func (s *Skcipher) Close() error {
	if !s.life.open() {
		return nil
	}
	s.life = closed
	s.cleanup.Stop()
	keyed{s.impl, s.handle}.drop()
	return nil
}
