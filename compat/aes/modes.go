package aes

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"math/bits"

	"kcrypto/compat/internal/aead"
	"kcrypto/internal/overlap"
)

// gcm has the rules of crypto/cipher's GCM (NIST SP 800-38D).
var gcm = aead.Rules{
	MaxText:    (1<<32 - 2) * BlockSize,
	SealNonce:  "crypto/cipher: incorrect nonce length given to GCM",
	OpenNonce:  "crypto/cipher: incorrect nonce length given to GCM",
	SealLong:   "crypto/cipher: message too large for GCM",
	Overlap:    "crypto/cipher: invalid buffer overlap of output and input",
	OverlapAAD: "crypto/cipher: invalid buffer overlap of output and additional data",
	Forged:     errors.New("cipher: message authentication failed"),
}

// standardGCM has nonces of 12 bytes and tags of 16.
var standardGCM = aead.NewKind(&gcm, "gcm(aes)", 12, 16)

// NewGCM is for cipher.NewGCM, NewGCMWithNonceSize and NewGCMWithTagSize, which call it. Sizes are in bytes: nonces of
// 1 or more, tags of 12 to 16.
func (b *Block) NewGCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	if tagSize < 12 || tagSize > 16 {
		return nil, errors.New("cipher: incorrect tag size given to GCM")
	}
	if nonceSize < 1 {
		return nil, errors.New("cipher: the nonce can't have zero length")
	}
	kind := standardGCM
	if nonceSize != 12 || tagSize != 16 {
		kind = aead.NewKind(&gcm, "gcm(aes)", nonceSize, tagSize)
	}
	return kind.New(b.key[:b.size])
}

// NewCTR is for cipher.NewCTR, which calls it. iv has 16 bytes.
func (b *Block) NewCTR(iv []byte) cipher.Stream {
	if len(iv) != BlockSize {
		panic("bad IV length")
	}
	if err := ctr.Ready(); err != nil {
		panic(err.Error())
	}
	return &stream{b: b, hi: binary.BigEndian.Uint64(iv), lo: binary.BigEndian.Uint64(iv[8:])}
}

// stream is a position in the keystream of one IV. All streams of a Block share its transform and give it the counter
// to start with, so a new stream costs one small allocation and copies no key.
type stream struct {
	b      *Block
	hi, lo uint64 // the counter of the block that the position lies in: 128 bits, which wrap
	used   int    // bytes of that block: 0 to 15
	// block is the keystream of that block, if it is known: the first call that starts inside it, or is shorter than
	// it, computes it.
	block [BlockSize]byte
	known bool
}

func (s *stream) XORKeyStream(dst, src []byte) {
	if len(dst) < len(src) {
		panic("crypto/aes: len(dst) < len(src)")
	}
	dst = dst[:len(src)]
	if overlap.Inexact(dst, src) {
		panic("crypto/aes: invalid buffer overlap")
	}
	if s.used > 0 || len(src) < BlockSize {
		n := s.inBlock(dst, src)
		dst, src = dst[n:], src[n:]
	}
	if len(src) > 0 {
		s.compute(dst, src)
		s.advance(len(src))
	}
}

// inBlock XORs src with the rest of the block that the position lies in, and returns the number of bytes.
func (s *stream) inBlock(dst, src []byte) int {
	if !s.known && len(src) > 0 {
		s.block = [BlockSize]byte{}
		s.compute(s.block[:], s.block[:])
		s.known = true
	}
	n := subtle.XORBytes(dst, src, s.block[s.used:])
	clear(s.block[s.used:][:n])
	s.advance(n)
	return n
}

// compute XORs src with the keystream from the beginning of the position's block on into dst.
func (s *stream) compute(dst, src []byte) {
	var iv [BlockSize]byte
	binary.BigEndian.PutUint64(iv[:], s.hi)
	binary.BigEndian.PutUint64(iv[8:], s.lo)
	t, shared := s.b.ctr.Own(), false
	if t == nil {
		t, shared = s.b.ctr.Get(ctr, s.b.key[:s.b.size])
	}
	if err := t.Encrypt(dst, src, iv[:]); err != nil || shared {
		finish(err, ctr, t, shared)
	}
}

// advance moves the position by n bytes.
func (s *stream) advance(n int) {
	n += s.used
	if n >= BlockSize {
		var carry uint64
		s.lo, carry = bits.Add64(s.lo, uint64(n)/BlockSize, 0)
		s.hi += carry
		s.known = false
	}
	s.used = n % BlockSize
}
