//go:build !purego

package chacha

import (
	"encoding/binary"
	"unsafe"
)

// maxFirst is the most text that a first pass takes, for any implementation.
const maxFirst = 16 * BlockSize

// smallFirst is text of which a copy costs little.
const smallFirst = 4 * BlockSize

// first is how much of n bytes of text the pass takes that makes Poly1305's key, at most: what comes out with the key block
// at no extra cost.
func (c *core) first(n int) int {
	switch c.impl {
	case ssse3:
		return 4 * BlockSize
	case avx2:
		if n > 8*BlockSize && n <= (6+4)*BlockSize {
			return 6 * BlockSize // and a pass of four
		}
		return 8 * BlockSize
	}
	return maxFirst
}

// Seal encrypts and authenticates. The nonce has 12 bytes.
func (a *aead) Seal(dst, nonce, plaintext, aad []byte) {
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
func (a *aead) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	n := len(ciphertext)
	switch {
	case a.suitsShort(n, len(aad)):
		return shortAVX512(&a.core, unsafe.SliceData(dst), unsafe.SliceData(ciphertext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), unsafe.SliceData(tag), true) == 0
	case a.suitsPacket(n, len(aad)):
		var want [tagSize]byte
		packetIFMA(&a.core, unsafe.SliceData(dst), unsafe.SliceData(ciphertext), n, unsafe.SliceData(nonce),
			unsafe.SliceData(aad), len(aad), &want[0], true)
		return same(tag, binary.LittleEndian.Uint64(want[:]), binary.LittleEndian.Uint64(want[8:]))
	default:
		return a.open(dst, nonce, ciphertext, tag, aad)
	}
}

// sealAsm and openAsm are core.seal and core.open in assembly. They report whether there is any for c.
func (c *core) sealAsm(dst []byte, iv *[16]byte, plaintext, aad []byte) bool {
	if c.impl == generic {
		return false
	}
	n := len(plaintext)
	out := dst[:n]
	if c.short(aad, n) {
		var key [BlockSize]byte
		c.withKey(&key, out, plaintext, iv)
		c.tag((*[tagSize]byte)(dst[n:]), &key, aad, out)
		return true
	}
	if c.impl == avx512IFMA {
		c.followIFMA((*[tagSize]byte)(dst[n:]), out, iv, plaintext, out, aad, lagDst)
	} else {
		c.sealLong(dst, iv, plaintext, aad)
	}
	return true
}

// short tells whether a message goes through assembly in one piece.
func (c *core) short(aad []byte, n int) bool {
	limit := min(c.chunk, 4096)
	if c.impl == avx512IFMA {
		limit = min(c.chunk, worthIt)
	}
	return n <= c.first(n) && n+len(aad) <= limit
}

// withKey does a text that fits in one pass with the block that makes Poly1305's key.
func (c *core) withKey(key *[BlockSize]byte, dst, src []byte, iv *[16]byte) {
	c.call(dst, src, iv, 0, &mac{key: key})
}

// keyed is withKey for a sum that goes on: it starts m under the key.
func (c *core) keyed(m *poly1305, dst, src []byte, iv *[16]byte) {
	var key [BlockSize]byte
	c.withKey(&key, dst, src, iv)
	m.init(key[:32])
	clear(key[:])
}

func (c *core) sealLong(dst []byte, iv *[16]byte, in, aad []byte) {
	n := len(in)
	out := dst[:n]
	var m poly1305
	todo := c.beginAsm(&m, iv, out, in, aad, c.first(n))
	done := c.follow(&m, iv, out, in, out, todo, lagDst)
	c.finish((*[tagSize]byte)(dst[n:]), &m, out[done:], len(aad), n)
}

// tag makes the tag of a message that goes through assembly in one piece, and wipes the key.
func (c *core) tag(tag *[tagSize]byte, key *[BlockSize]byte, aad, text []byte) {
	if c.impl == ssse3 || len(text) < enoughForLanes {
		macShort(tag, key, unsafe.SliceData(aad), len(aad), unsafe.SliceData(text), len(text))
	} else {
		var m poly1305
		m.init(key[:32])
		addAVX2(&m, aad, text, ending{&tag[0], len(aad), len(text)})
		m = poly1305{}
	}
	clear(key[:])
}

// finish adds the rest of a text and the two lengths to m, makes the tag, and wipes m.
func (c *core) finish(tag *[tagSize]byte, m *poly1305, rest []byte, aadLen, textLen int) {
	rest = c.addMost(m, rest, c.chunk)
	if c.impl == ssse3 {
		macRest(tag, m, unsafe.SliceData(rest), len(rest), aadLen, textLen)
	} else {
		addAVX2(m, nil, rest, ending{&tag[0], aadLen, textLen})
	}
	*m = poly1305{}
}

// follow does the text from todo on, and adds to m the beginning of sum, which is out or in as lag says. It follows the text
// with the lag of a pass, so that every pass has something to add, and returns how much it has added.
func (c *core) follow(m *poly1305, iv *[16]byte, out, in, sum []byte, todo, lag int) (done int) {
	n := len(in)
	for {
		end, to := min(todo+c.chunk, n), n&^15
		if end < n {
			to = max(done, end-c.first(n)-BlockSize)
		}
		mc := beside(m, sum[done:to], lag)
		c.call(out[todo:end], in[todo:end], iv, 1+todo/BlockSize, &mc)
		todo, done = end, to-mc.n
		if todo == n {
			return done
		}
	}
}

// beginAsm does the first pass, of up to first bytes, and the additional data. It returns how much text is done.
func (c *core) beginAsm(m *poly1305, iv *[16]byte, dst, src, aad []byte, first int) int {
	n := min(len(src), first, max(c.chunk-BlockSize, 0))
	c.keyed(m, dst[:n], src[:n], iv)
	c.addPadded(m, aad)
	return n
}

// addAVX2 adds additional data and text to m, each with zeros up to the next multiple of 16 bytes.
//
//go:noinline
func addAVX2(m *poly1305, aad, text []byte, e ending) {
	sumAVX2(m, unsafe.SliceData(aad), len(aad), unsafe.SliceData(text), len(text), e.tag, e.aadLen, e.textLen)
}

// enoughForLanes is a text for which sumAVX2 is faster than macShort, as the generator has it.
const enoughForLanes = 256

// addPadded adds p, with zeros up to the next multiple of 16 bytes.
func (c *core) addPadded(m *poly1305, p []byte) {
	if c.impl == ssse3 {
		m.padded(c.addMost(m, p, polySize-1))
	} else {
		addAVX2(m, nil, c.addMost(m, p, c.chunk), ending{})
	}
}

// addMost adds whole blocks of p until no more than some bytes are left, and returns those.
func (c *core) addMost(m *poly1305, p []byte, left int) []byte {
	var none [16]byte
	for len(p) > left {
		n := min(len(p), c.chunk) &^ (polySize - 1)
		if c.impl == ssse3 {
			mc := beside(m, p[:n], noLag)
			c.call(nil, nil, &none, 0, &mc)
		} else {
			addAVX2(m, nil, p[:n], ending{})
		}
		p = p[n:]
	}
	return p
}

func (c *core) openAsm(dst []byte, iv *[16]byte, ciphertext, tag, aad []byte) (ok, asm bool) {
	if c.impl == generic {
		return false, false
	}
	n := len(ciphertext)
	out := dst[:n]
	if unsafe.SliceData(out) == unsafe.SliceData(ciphertext) {
		return c.openInPlace(out, iv, tag, aad), true
	}
	var want [tagSize]byte
	if c.short(aad, n) {
		var key [BlockSize]byte
		c.withKey(&key, out, ciphertext, iv)
		c.tag(&want, &key, aad, ciphertext)
	} else if c.impl == avx512IFMA {
		c.followIFMA(&want, out, iv, ciphertext, ciphertext, aad, lagSrc)
	} else {
		var m poly1305
		todo := c.beginAsm(&m, iv, out, ciphertext, aad, c.first(n))
		done := c.follow(&m, iv, out, ciphertext, ciphertext, todo, lagSrc)
		c.finish(&want, &m, ciphertext[done:], len(aad), n)
	}
	return same(tag, binary.LittleEndian.Uint64(want[:]), binary.LittleEndian.Uint64(want[8:])), true
}

// openInPlace is open for a text that is overwritten. The first pass overwrites ciphertext before the key for its sum is
// there, so that much is kept.
func (c *core) openInPlace(text []byte, iv *[16]byte, tag, aad []byte) bool {
	var want [tagSize]byte
	n := len(text)
	switch size := min(n, c.first(n)); {
	case c.impl == avx512IFMA && size < n:
		c.openIFMAInPlace(&want, text, iv, aad)
	case size <= smallFirst:
		var kept [smallFirst]byte
		c.openKept(&want, text, iv, aad, kept[:copy(kept[:size], text)])
	default:
		var kept [maxFirst]byte
		c.openKept(&want, text, iv, aad, kept[:copy(kept[:size], text)])
	}
	return same(tag, binary.LittleEndian.Uint64(want[:]), binary.LittleEndian.Uint64(want[8:]))
}

// openKept decrypts text and computes the tag. head has the beginning of the ciphertext.
func (c *core) openKept(tag *[tagSize]byte, text []byte, iv *[16]byte, aad, head []byte) {
	if c.short(aad, len(text)) {
		var key [BlockSize]byte
		c.withKey(&key, text, text, iv)
		c.tag(tag, &key, aad, head)
	} else if c.impl == avx512IFMA {
		c.followIFMA(tag, text, iv, text, head, aad, noLag)
	} else {
		c.openLongInPlace(tag, text, iv, aad, head)
	}
}

// openLongInPlace decrypts text and computes the tag. head has the beginning of the ciphertext.
func (c *core) openLongInPlace(tag *[tagSize]byte, text []byte, iv *[16]byte, aad, head []byte) {
	var m poly1305
	var rest [16]byte
	n := len(text)
	copy(rest[:], text[n&^15:])
	done := c.beginAsm(&m, iv, text, text, aad, len(head))
	whole := done == n
	c.addPadded(&m, head[:done])
	for done < n {
		end := min(done+c.chunk, n)
		part := text[done:end]
		mc := beside(&m, part[:len(part)&^15], noLag)
		c.call(part, part, iv, 1+done/BlockSize, &mc)
		done = end
	}
	last := rest[:0]
	if !whole {
		last = rest[:n%16]
	}
	c.finish(tag, &m, last, len(aad), n)
}

// same compares a tag with two words, in a time that does not depend on them. crypto/subtle takes sixteen bytes in turn.
func same(tag []byte, low, high uint64) bool {
	low ^= binary.LittleEndian.Uint64(tag)
	high ^= binary.LittleEndian.Uint64(tag[8:])
	return low|high == 0
}
