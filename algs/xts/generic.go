package xts

import (
	"crypto/subtle"
	"encoding/binary"
)

// batch is the number of bytes encrypted in one call of the cipher: enough blocks to keep one that works on several at
// once busy.
const batch = 32 * blockSize

// A tweak is an element of GF(2^128): the coefficient of x^i is bit i of hi:lo.
type tweak struct{ lo, hi uint64 }

func load(b []byte) tweak {
	return tweak{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

func (t tweak) put(b []byte) {
	binary.LittleEndian.PutUint64(b, t.lo)
	binary.LittleEndian.PutUint64(b[8:], t.hi)
}

// next returns t times x modulo x^128 + x^7 + x^2 + x + 1: the tweak of the next block.
func (t tweak) next() tweak {
	return tweak{t.lo<<1 ^ 0x87&-(t.hi>>63), t.hi<<1 | t.lo>>63}
}

// encrypt encrypts one data unit whose encrypted tweak is t.
func (k *key) encrypt(dst, src []byte, t tweak) {
	whole := len(src) &^ (blockSize - 1)
	t = k.blocks(dst[:whole], src[:whole], t, false)
	if whole == len(src) {
		return
	}
	// Stealing: the end of the last whole block's ciphertext fills up the rest of the text to a block, which takes its
	// place; what is left of it becomes the rest of the ciphertext.
	last := dst[whole-blockSize : whole]
	full := [blockSize]byte(last)
	copy(full[:], src[whole:])
	copy(dst[whole:], last)
	k.blocks(last, full[:], t, false)
}

// decrypt is the inverse of encrypt.
func (k *key) decrypt(dst, src []byte, t tweak) {
	whole := len(src) &^ (blockSize - 1)
	if whole == len(src) {
		k.blocks(dst, src, t, true)
		return
	}
	// Stealing: the last whole block holds the rest of the text and the end of the ciphertext that it took the place of.
	whole -= blockSize
	t = k.blocks(dst[:whole], src[:whole], t, true)
	dst, src = dst[whole:], src[whole:]
	var full [blockSize]byte
	k.blocks(full[:], src[:blockSize], t.next(), true)
	rest := full
	copy(full[:], src[blockSize:])
	copy(dst[blockSize:], rest[:])
	k.blocks(dst[:blockSize], full[:], t, true)
}

// blocks encrypts or decrypts whole blocks, the first of which has the tweak t, and returns the tweak after the last.
func (k *key) blocks(dst, src []byte, t tweak, decrypt bool) tweak {
	var masks [batch]byte
	for len(src) > 0 {
		n := min(len(src), batch)
		for b := masks[:n]; len(b) > 0; b = b[blockSize:] {
			t.put(b)
			t = t.next()
		}
		out := dst[:n]
		subtle.XORBytes(out, src[:n], masks[:n])
		if decrypt {
			k.data.DecryptBlocks(out, out)
		} else {
			k.data.EncryptBlocks(out, out)
		}
		subtle.XORBytes(out, out, masks[:n])
		dst, src = dst[n:], src[n:]
	}
	return t
}
