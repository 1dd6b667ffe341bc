package gcm

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/fips140"
	"slices"
	"sync"
	"sync/atomic"

	"kcrypto/registry"
)

// stdlib is gcm(aes) by Go's crypto/cipher. What that lacks, which is tags under 12 bytes and tags under 16 with a nonce
// that is not 12, is filled in by the generic code.
//
// Go's objects hold the key where only their own packages reach it: Wipe and SetKey overwrite the copy that is kept
// here and drop the others for the garbage collector.
type stdlib struct {
	block cipher.Block
	aead  atomic.Pointer[cipher.AEAD] // for the sizes of nonce and tag last asked for: a transform does not mix them

	raw  [32]byte                // the key, for fill
	size int                     // its size in bytes
	fill atomic.Pointer[generic] // the generic code, made when first needed
}

func newStdlib(registry.Config) registry.AEAD { return new(stdlib) }

// stdlibUnavailable says why crypto/cipher would refuse every key.
func stdlibUnavailable() string {
	if fips140.Enforced() {
		return "crypto/cipher refuses GCM with a nonce of the caller's under GODEBUG=fips140=only"
	}
	return ""
}

// SetKey takes a key of 16, 24 or 32 bytes. It fails under GODEBUG=fips140=only.
func (s *stdlib) SetKey(key []byte) error {
	s.Wipe()
	block, err := aes.NewCipher(key)
	if err != nil {
		return err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return err
	}
	s.block = block
	s.aead.Store(&aead)
	s.size = copy(s.raw[:], key)
	return nil
}

// Wipe overwrites the key as far as it can be reached, and drops the rest.
func (s *stdlib) Wipe() {
	s.block = nil
	s.aead.Store(nil)
	clear(s.raw[:])
	if k := s.fill.Swap(nil); k != nil {
		k.Wipe()
	}
}

// Seal encrypts and authenticates.
func (s *stdlib) Seal(dst, nonce, plaintext, aad []byte) {
	std := s.std(len(nonce), len(dst)-len(plaintext))
	switch {
	case std == nil:
		s.generic().Seal(dst, nonce, plaintext, aad)
	case overruns(len(plaintext), len(dst)):
		buf := buffers.Get().(*[]byte)
		*buf = slices.Grow((*buf)[:0], len(dst)+blockSize)
		copy(dst, std.Seal(*buf, nonce, plaintext, aad))
		buffers.Put(buf)
	default:
		std.Seal(dst[:0], nonce, plaintext, aad)
	}
}

// buffers has byte slices for whoever cannot work on the caller's memory. Nothing secret goes into them.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// overruns reports whether crypto/cipher would leave the size bytes of n bytes of text and their tag: its assembly
// stores, and in Open loads, the last block of the text whole, which reaches beyond tags of less than 16 bytes
// (golang.org/issue/80288).
func overruns(n, size int) bool {
	last := n % blockSize
	return last > 0 && n-last+blockSize > size
}

// Open authenticates and decrypts.
func (s *stdlib) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	n := len(ciphertext)
	std := s.std(len(nonce), len(tag))
	switch {
	case std == nil:
		return s.generic().Open(dst, nonce, ciphertext, tag, aad)
	case overruns(n, n+len(tag)):
		buf := buffers.Get().(*[]byte)
		*buf = append(append(slices.Grow((*buf)[:0], n+blockSize+tagSize), ciphertext...), tag...)
		_, err := std.Open(dst[:0], nonce, *buf, aad)
		buffers.Put(buf)
		return err == nil
	}
	_, err := std.Open(dst[:0], nonce, joined(ciphertext, tag), aad)
	return err == nil
}

// std returns crypto/cipher's object for these sizes in bytes, or nil if it has none.
func (s *stdlib) std(nonce, tag int) cipher.AEAD {
	if last := *s.aead.Load(); last.NonceSize() == nonce && last.Overhead() == tag {
		return last
	}
	if tag < tagSize && (tag < 12 || nonce != nonceSize) {
		return nil
	}
	return s.bind(nonce, tag)
}

// bind makes crypto/cipher's object for these sizes the current one.
func (s *stdlib) bind(nonce, tag int) cipher.AEAD {
	var std cipher.AEAD
	var err error
	if nonce == nonceSize {
		std, err = cipher.NewGCMWithTagSize(s.block, tag)
	} else {
		std, err = cipher.NewGCMWithNonceSize(s.block, nonce)
	}
	if err != nil {
		return nil // enforcement of FIPS 140 began after SetKey: the generic code can still serve
	}
	s.aead.Store(&std)
	return std
}

// generic returns the generic code under the same key.
func (s *stdlib) generic() *generic {
	if k := s.fill.Load(); k != nil {
		return k
	}
	k := new(generic)
	k.SetKey(s.raw[:s.size])            // it returns no error
	if !s.fill.CompareAndSwap(nil, k) { // another goroutine was faster
		k.Wipe()
	}
	return s.fill.Load()
}

// joined returns ciphertext and tag as the one slice that crypto/cipher wants: the caller's memory where the tag
// directly follows, as it does unless the caller keeps tags apart, and else a copy.
func joined(ciphertext, tag []byte) []byte {
	n := len(ciphertext)
	switch {
	case n == 0:
		return tag
	case cap(ciphertext) >= n+len(tag) && &ciphertext[:n+1][n] == &tag[0]:
		return ciphertext[:n+len(tag)]
	}
	return append(ciphertext[:n:n], tag...)
}
