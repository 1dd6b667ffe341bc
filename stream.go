package kcrypto

import (
	"crypto/cipher"
	"crypto/subtle"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"

	"kcrypto/internal/noescape"
	"kcrypto/internal/overlap"
	"kcrypto/registry"
)

// Stream is the keystream of one key and IV as a cipher.Stream with a position. It owns a copy of the key, which a
// later SetKey or Close of its Skcipher does not touch. It is for one goroutine, and must not be copied.
type Stream struct {
	_ noCopy
	keystream
	limit   uint64 // blocks in all
	end     uint64 // bytes in all, by the driver's word; math.MaxUint64 if there is none
	block   uint64 // the next block to compute
	left    int    // bytes of buf, at its end, that are keystream not yet used
	buf     [maxChunk]byte
	done    bool
	cleanup runtime.Cleanup // unset inside a self-test, which holds no reference on a driver
	handle  *registry.Handle
}

var _ cipher.Stream = (*Stream)(nil)

// Stream starts the keystream of iv at its beginning.
// Errors: registry.ErrType for a cipher that is none, ErrNonceSize, ErrNoKey, ErrClosed.
func (s *Skcipher) Stream(iv []byte) (*Stream, error) {
	if err := s.checkStream(iv); err != nil {
		return nil, err
	}
	bound, boundIV := s.stream.Bind(slices.Clone(iv))
	st := &Stream{
		keystream: keystream{bound, slices.Clone(boundIV), s.driver.ChunkSize},
		limit:     min(s.blocks(iv), blocksOf(s.keystreamEnd(), uint64(s.driver.ChunkSize))),
		end:       s.keystreamEnd(),
	}
	if s.handle != nil {
		st.handle = s.handle.Clone()
	}
	st.cleanup = runtime.AddCleanup(st, keyed.drop, keyed{bound, st.handle})
	runtime.KeepAlive(s) // the cleanup wipes the key
	return st, nil
}

// XORKeyStream XORs src with the next len(src) bytes of the keystream into dst, which may be src itself or apart
// from it. Any number of calls on pieces equals one call on the whole.
//
// Like any cipher.Stream it panics on a caller's mistake: dst shorter than src, an overlap, a closed Stream, or a
// message that would run the block counter over; always before any output.
func (s *Stream) XORKeyStream(dst, src []byte) {
	switch n := len(src); {
	case s.done || s.impl == nil:
		panic(errClosed.Error())
	case len(dst) < n:
		panic("kcrypto: output smaller than input: XORKeyStream wants len(dst) >= len(src)")
	case overlap.Inexact(dst[:n], src):
		panic(errOverlap.Error())
	case n > s.left && s.limit-s.block < blocksOf(uint64(n-s.left), uint64(s.size)):
		panic("kcrypto: the block counter of the stream would run over: use a new IV for the rest")
	case s.end != math.MaxUint64 && uint64(n) > s.end-s.position():
		panic("kcrypto: the keystream ends before this message does: use a new IV for the rest")
	}
	if s.left > 0 && len(src) > 0 {
		n := s.use(dst, src)
		dst, src = dst[n:], src[n:]
	}
	if blocks, rest := divide(uint64(len(src)), uint64(s.size)); blocks > 0 {
		whole := len(src) - int(rest)
		s.xor(dst[:whole], src[:whole], s.block)
		s.block += blocks
		dst, src = dst[whole:], src[whole:]
	}
	if len(src) > 0 {
		s.refill()
		s.use(dst, src)
	}
	runtime.KeepAlive(s) // the cleanup wipes the key
}

// position is the offset in bytes of the next byte of keystream, where there is an end.
func (s *Stream) position() uint64 { return s.block*uint64(s.size) - uint64(s.left) }

// use XORs src with what is left in buf, wipes what it used, and returns how much that was.
func (s *Stream) use(dst, src []byte) int {
	left := s.buf[s.size-s.left : s.size]
	n := subtle.XORBytes(dst, src, left)
	clear(left[:n])
	s.left -= n
	return n
}

// refill computes the next block of keystream into buf.
func (s *Stream) refill() {
	clear(s.buf[:])
	s.xor(s.buf[:s.size], s.buf[:s.size], s.block)
	s.block++
	s.left = s.size
}

// Seek moves to byte offset of the keystream, counted from its beginning, forwards or backwards at the same cost.
// An offset past the end of the keystream is registry.ErrLength and moves nothing.
func (s *Stream) Seek(offset uint64) error {
	if s.done || s.impl == nil {
		return errClosed
	}
	size := uint64(s.size)
	if blocksOf(offset, size) > s.limit || offset > s.end {
		return fmt.Errorf("kcrypto: %w: offset %d is past the end of the keystream", registry.ErrLength, offset)
	}
	block, skip := divide(offset, size)
	s.block, s.left = block, 0
	if skip > 0 {
		s.refill()
		s.left -= int(skip)
	}
	runtime.KeepAlive(s) // the cleanup wipes the key
	return nil
}

// Close wipes the stream's key and keystream. XORKeyStream panics afterwards. Close is optional and may be called
// twice.
func (s *Stream) Close() error {
	if s.done || s.impl == nil {
		return nil
	}
	s.done = true
	clear(s.buf[:])
	s.cleanup.Stop()
	keyed{s.impl, s.handle}.drop()
	return nil
}

// XORKeyStreamAt XORs src with the keystream of iv from byte offset on into dst[:len(src)]: random access, without
// allocation. Rules and errors are those of Encrypt, and registry.ErrType for a cipher that is no stream cipher.
func (s *Skcipher) XORKeyStreamAt(dst, src, iv []byte, offset uint64) error {
	if err := s.checkStream(iv); err != nil {
		return err
	}
	end, carry := bits.Add64(offset, uint64(len(src)), 0)
	switch size := uint64(s.driver.ChunkSize); {
	case len(dst) < len(src):
		return s.complaint(len(dst), len(src), len(iv))
	case overlap.Inexact(dst[:len(src)], src):
		return errOverlap
	case carry != 0 || blocksOf(end, size) > s.blocks(iv) || end > s.keystreamEnd():
		return s.counterError()
	}
	block, skip := divide(offset, uint64(s.driver.ChunkSize))
	if skip == 0 {
		s.stream.XORBlocks(dst[:len(src)], src, noescape.Bytes(iv), block)
		runtime.KeepAlive(s) // the cleanup wipes the key
		return nil
	}
	var stack [maxIV]byte // iv may lie in dst, and the driver may need it twice
	var copied []byte
	if len(iv) <= maxIV {
		copied = noescape.Slice(stack[:len(iv)])
	} else {
		copied = make([]byte, len(iv))
	}
	copy(copied, iv)
	k := keystream{s.stream, copied, s.driver.ChunkSize}
	k.xorAt(dst[:len(src)], src, block, int(skip))
	runtime.KeepAlive(s) // the cleanup wipes the key
	return nil
}

func (s *Skcipher) checkStream(iv []byte) error {
	switch {
	case s.life != ready:
		return s.life.err()
	case s.stream == nil:
		return fmt.Errorf("kcrypto: %w: %s is no stream cipher", registry.ErrType, s.driver.Algorithm)
	case len(iv) != s.driver.IVSize:
		return s.complaint(0, 0, len(iv))
	}
	return nil
}
