package gcm

import (
	"crypto/aes"
	"crypto/cipher"
	"slices"
	"sync"
	"sync/atomic"

	"kcrypto/internal/gostd"
	"kcrypto/registry"
)

// stdlib is gcm(aes) by Go's crypto/cipher. What that lacks, which is tags under 12 bytes and tags under 16 with a
// nonce that is not 12, is filled in by the generic code.
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

// SetKey takes a key of 16, 24 or 32 bytes. It fails under GODEBUG=fips140=only.
func (s *stdlib) SetKey(key []byte) error {
	s.Wipe()
	block, err := aes.NewCipher(key)
	if err != nil {
		return err
	}
	aead, err := gostd.NewGCM(block, nonceSize, tagSize)
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
	case gostd.GCMOverruns(len(plaintext), len(dst)):
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

// Open authenticates and decrypts.
func (s *stdlib) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	n := len(ciphertext)
	std := s.std(len(nonce), len(tag))
	switch {
	case std == nil:
		return s.generic().Open(dst, nonce, ciphertext, tag, aad)
	case gostd.GCMOverruns(n, n+len(tag)):
		buf := buffers.Get().(*[]byte)
		*buf = append(append(slices.Grow((*buf)[:0], n+blockSize+tagSize), ciphertext...), tag...)
		_, err := std.Open(dst[:0], nonce, *buf, aad)
		buffers.Put(buf)
		return err == nil
	}
	_, err := std.Open(dst[:0], nonce, gostd.Joined(ciphertext, tag), aad)
	return err == nil
}

// std returns crypto/cipher's object for these sizes in bytes, or nil if it has none: then the generic code serves. (So
// it does if enforcement of FIPS 140 began after SetKey.)
func (s *stdlib) std(nonce, tag int) cipher.AEAD {
	if last := *s.aead.Load(); last.NonceSize() == nonce && last.Overhead() == tag {
		return last
	}
	std, err := gostd.NewGCM(s.block, nonce, tag)
	if err != nil {
		return nil
	}
	kept := std // not std itself, which would be allocated before the error is known
	s.aead.Store(&kept)
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
