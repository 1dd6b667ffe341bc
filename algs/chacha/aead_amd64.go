//go:build !purego

package chacha

import (
	"unsafe"

	"kcrypto/algs/internal/consttime"
	"kcrypto/registry"
)

// asmAEAD is ChaCha20-Poly1305, RFC 8439 section 2.8, in assembly.
type asmAEAD struct {
	core
}

func newAsmAEAD(i impl) func(registry.Config) registry.AEAD {
	return func(c registry.Config) registry.AEAD {
		a := asmAEAD{newCore(c, i, 20)}
		if i == avx512IFMA {
			return &batchAEAD{a}
		}
		return &a
	}
}

// What shortAVX512 takes at most, in bytes.
const (
	shortText = 3 * BlockSize
	shortAAD  = 64
)

// suitsShort reports whether all of a message is done by one call of shortAVX512.
func (c *core) suitsShort(n, aad int) bool {
	return c.impl >= avx512 && n <= shortText && n <= c.chunk && aad <= shortAAD
}

// Sizes in bytes of a message that one call of packetIFMA does.
const (
	packetMin = shortText + 1
	packetMax = 8 * BlockSize
	packetAAD = 128 // of additional data at most, which are added one block at a time
)

// suitsPacket reports whether a message is one for packetIFMA.
func (c *core) suitsPacket(n, aad int) bool {
	return c.impl == avx512IFMA && uint(n-packetMin) <= packetMax-packetMin && aad <= packetAAD && n+aad <= c.chunk
}

// Seal encrypts and authenticates. The nonce has 12 bytes.
func (a *asmAEAD) Seal(dst, nonce, plaintext, aad []byte) {
	n := len(plaintext)
	switch {
	case a.suitsShort(n, len(aad)):
		shortAVX512(&a.core, unsafe.SliceData(dst), unsafe.SliceData(plaintext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), unsafe.SliceData(dst[n:]), false)
	case a.suitsPacket(n, len(aad)):
		packetIFMA(&a.core, unsafe.SliceData(dst), unsafe.SliceData(plaintext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), unsafe.SliceData(dst[n:]), false)
	default:
		a.seal(dst, nonce, plaintext, aad)
	}
}

// Open authenticates and decrypts in one pass. The nonce has 12 bytes.
func (a *asmAEAD) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	n := len(ciphertext)
	switch {
	case a.suitsShort(n, len(aad)):
		return shortAVX512(&a.core, unsafe.SliceData(dst), unsafe.SliceData(ciphertext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), unsafe.SliceData(tag), true) == 0
	case a.suitsPacket(n, len(aad)):
		var want [tagSize]byte
		packetIFMA(&a.core, unsafe.SliceData(dst), unsafe.SliceData(ciphertext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), &want[0], true)
		return consttime.Equal((*[tagSize]byte)(tag), &want)
	default:
		return a.open(dst, nonce, ciphertext, tag, aad)
	}
}

func (a *asmAEAD) seal(dst, nonce, plaintext, aad []byte) {
	iv := ivOf(nonce)
	n := len(plaintext)
	out, tag := dst[:n], (*[tagSize]byte)(dst[n:])
	if a.single(n, len(aad)) {
		a.runSingle(tag, &iv, out, plaintext, out, aad)
		return
	}
	var p plan
	var m poly1305
	p.begin(&a.core, n, len(aad), lagDst)
	a.run(&p, &m, tag, &iv, 0, out, plaintext, out, aad, nil)
	m = poly1305{}
}

func (a *asmAEAD) open(dst, nonce, ciphertext, tag, aad []byte) bool {
	iv := ivOf(nonce)
	var want [tagSize]byte
	n := len(ciphertext)
	switch out := dst[:n]; {
	case unsafe.SliceData(out) == unsafe.SliceData(ciphertext):
		a.openInPlace(&want, &iv, out, aad)
	case a.single(n, len(aad)):
		a.runSingle(&want, &iv, out, ciphertext, ciphertext, aad)
	default:
		var p plan
		var m poly1305
		p.begin(&a.core, n, len(aad), lagSrc)
		a.run(&p, &m, &want, &iv, 0, out, ciphertext, ciphertext, aad, nil)
		m = poly1305{}
	}
	return consttime.Equal((*[tagSize]byte)(tag), &want)
}

// openInPlace is open for ciphertext that is overwritten. The first call overwrites some before the key for its sum is
// there, so that much is kept: in as little memory as will do, since Go clears it first.
func (a *asmAEAD) openInPlace(tag *[tagSize]byte, iv *[16]byte, text, aad []byte) {
	switch head := text[:a.head(len(text), noLag)]; {
	case len(head) == 0:
		a.openKept(tag, iv, text, aad, nil)
	case len(head) <= 4*BlockSize:
		var kept [4 * BlockSize]byte
		a.openKept(tag, iv, text, aad, kept[:copy(kept[:], head)])
	case len(head) <= 8*BlockSize:
		var kept [8 * BlockSize]byte
		a.openKept(tag, iv, text, aad, kept[:copy(kept[:], head)])
	default:
		var kept [16 * BlockSize]byte
		a.openKept(tag, iv, text, aad, kept[:copy(kept[:], head)])
	}
}

// openKept is openInPlace with a copy of the beginning of the ciphertext.
func (a *asmAEAD) openKept(tag *[tagSize]byte, iv *[16]byte, text, aad, kept []byte) {
	if len(kept) == len(text) && a.single(len(text), len(aad)) {
		a.runSingle(tag, iv, text, text, kept, aad)
		return
	}
	var p plan
	var m poly1305
	p.begin(&a.core, len(text), len(aad), noLag)
	a.run(&p, &m, tag, iv, 0, text, text, text, aad, kept)
	m = poly1305{}
}

// runSingle does a message of a single step: it encrypts or decrypts src to dst, and makes the tag of aad and sum, the
// ciphertext.
func (a *asmAEAD) runSingle(tag *[tagSize]byte, iv *[16]byte, dst, src, sum, aad []byte) {
	var key [BlockSize]byte
	a.call(dst, src, &iv[0], 0, &mac{key: &key})
	if len(sum) < rules[a.impl].lanes {
		macShort(tag, &key, unsafe.SliceData(aad), len(aad), unsafe.SliceData(sum), len(sum))
	} else {
		var m poly1305
		m.init(key[:32])
		a.add(&m, aad, sum, ending{&tag[0], len(aad), len(sum)})
		m = poly1305{}
	}
	clear(key[:])
}

// run does what p says: it encrypts or decrypts src to dst, and adds aad and sum, the ciphertext, to m. If that is
// overwritten, kept has its beginning. block is the text's first one, or 0 for a whole message: then the first call
// makes m's key, and the text begins with block 1. With a tag, the last call makes it, of a message of p's sizes.
func (c *core) run(
	p *plan, m *poly1305, tag *[tagSize]byte, iv *[16]byte, block uint64, dst, src, sum, aad, kept []byte,
) {
	var tail [polySize]byte
	var s step
	if p.lag == noLag {
		copy(tail[:], sum[len(sum)&^(polySize-1):])
	}
	if block == 0 {
		c.begin(p, m, iv, dst, src)
		block = 1
	} else if p.head > 0 {
		c.call(dst[:p.head], src[:p.head], &iv[0], block, nil)
	}
	for left := 0; !s.last; {
		p.next(&s, left)
		left = 0
		var text []byte
		switch s.place {
		case inKept:
			text = kept[s.sum.from:s.sum.to]
		case inTail:
			text = tail[:s.sum.to-s.sum.from]
		default:
			text = sum[s.sum.from:s.sum.to]
		}
		switch {
		case s.text.from < s.text.to:
			mc := beside(m, text, p.lag)
			c.call(dst[s.text.from:s.text.to], src[s.text.from:s.text.to], &iv[0], block+uint64(s.text.from/BlockSize), &mc)
			left = mc.n
		case s.last && tag != nil:
			c.add(m, aad[s.aad.from:s.aad.to], text, ending{&tag[0], p.aad, p.text})
		default:
			c.add(m, aad[s.aad.from:s.aad.to], text, ending{})
		}
	}
}

// begin makes the first call of a message, and m's key.
func (c *core) begin(p *plan, m *poly1305, iv *[16]byte, dst, src []byte) {
	var key [BlockSize]byte
	c.call(dst[:p.head], src[:p.head], &iv[0], 0, &mac{key: &key})
	m.init(key[:32])
	clear(key[:])
}

// asmXAEAD is XChaCha20-Poly1305, draft-irtf-cfrg-xchacha section 2.3, in assembly.
type asmXAEAD struct {
	core
}

func newAsmXAEAD(i impl) func(registry.Config) registry.AEAD {
	return func(c registry.Config) registry.AEAD { return &asmXAEAD{newCore(c, i, 20)} }
}

// Seal encrypts and authenticates. The nonce has 24 bytes.
func (a *asmXAEAD) Seal(dst, nonce, plaintext, aad []byte) {
	var sub asmAEAD
	rest := a.inner(&sub.core, nonce)
	sub.Seal(dst, rest[:], plaintext, aad)
	sub.Wipe()
}

// Open authenticates and decrypts in one pass. The nonce has 24 bytes.
func (a *asmXAEAD) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	var sub asmAEAD
	rest := a.inner(&sub.core, nonce)
	ok := sub.Open(dst, rest[:], ciphertext, tag, aad)
	sub.Wipe()
	return ok
}
