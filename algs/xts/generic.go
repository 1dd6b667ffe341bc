package xts

import (
	"crypto/subtle"
	"errors"

	"kcrypto/internal/aes"
	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// bufferBytes is the number of bytes encrypted in one call of package aes, which works on several blocks at once.
const bufferBytes = 32 * blockSize

// generic is xts(aes) under one key, by portable code. It has no pointers, so that it can be wiped and is nothing to
// the garbage collector.
type generic struct {
	weakKeys
	data, tweak aes.Cipher // Key1 and Key2 of the standard
}

func newGeneric(registry.Config) registry.Skcipher { return new(generic) }

// SetKey takes a key of 32, 48 or 64 bytes: one for the data and one as long for the tweak.
func (g *generic) SetKey(key []byte) error {
	half := len(key) / 2
	return errors.Join(g.data.SetKey(key[:half]), g.tweak.SetKey(key[half:]))
}

// Wipe overwrites the key.
func (g *generic) Wipe() { *g = generic{} }

// Encrypt encrypts one data unit. The iv is its tweak.
func (g *generic) Encrypt(dst, src, iv []byte) {
	var t [blockSize]byte
	g.tweak.EncryptBlocks(t[:], iv)
	g.encrypt(dst, src, load(t[:]))
}

// Decrypt decrypts one data unit. The iv is its tweak.
func (g *generic) Decrypt(dst, src, iv []byte) {
	var t [blockSize]byte
	g.tweak.EncryptBlocks(t[:], iv)
	g.decrypt(dst, src, load(t[:]))
}

// EncryptSectors encrypts consecutive sectors, each a data unit whose tweak is its number, little-endian.
func (g *generic) EncryptSectors(dst, src []byte, sectorSize int, first uint64) {
	numbered(g.EncryptUnits, dst, src, sectorSize, first)
}

// DecryptSectors decrypts what EncryptSectors encrypted.
func (g *generic) DecryptSectors(dst, src []byte, sectorSize int, first uint64) {
	numbered(g.DecryptUnits, dst, src, sectorSize, first)
}

// numbered calls crypt for units with numbers from first on.
func numbered(crypt func(dst, src []byte, size int, ivs []byte), dst, src []byte, size int, first uint64) {
	var ivs [bufferBytes]byte
	for len(src) > 0 {
		count := min(len(src)/size, bufferBytes/blockSize)
		for i := range count {
			tweak{lo: first}.put(ivs[i*blockSize:])
			first++
		}
		crypt(dst[:count*size], src[:count*size], size, noescape.Slice(ivs[:count*blockSize]))
		dst, src = dst[count*size:], src[count*size:]
	}
}

// EncryptUnits encrypts data units, whose tweaks are ivs.
func (g *generic) EncryptUnits(dst, src []byte, size int, ivs []byte) {
	var tweaks [bufferBytes]byte
	for len(src) > 0 {
		for b := g.tweaks(&tweaks, &ivs); len(b) > 0; b = b[blockSize:] {
			g.encrypt(dst[:size], src[:size], load(b))
			dst, src = dst[size:], src[size:]
		}
	}
}

// DecryptUnits decrypts what EncryptUnits encrypted.
func (g *generic) DecryptUnits(dst, src []byte, size int, ivs []byte) {
	var tweaks [bufferBytes]byte
	for len(src) > 0 {
		for b := g.tweaks(&tweaks, &ivs); len(b) > 0; b = b[blockSize:] {
			g.decrypt(dst[:size], src[:size], load(b))
			dst, src = dst[size:], src[size:]
		}
	}
}

// tweaks takes as many of the ivs as fit in buf, and returns them encrypted.
func (g *generic) tweaks(buf *[bufferBytes]byte, ivs *[]byte) []byte {
	b := buf[:min(len(*ivs), bufferBytes)]
	g.tweak.EncryptBlocks(b, (*ivs)[:len(b)])
	*ivs = (*ivs)[len(b):]
	return b
}

// encrypt encrypts one data unit whose encrypted tweak is t.
func (g *generic) encrypt(dst, src []byte, t tweak) {
	whole := len(src) &^ (blockSize - 1)
	t = g.blocks(dst[:whole], src[:whole], t, false)
	if whole == len(src) {
		return
	}
	// Stealing: the end of the last whole block's ciphertext fills up the rest of the text to a block, which takes its
	// place; what is left of it becomes the rest of the ciphertext.
	last := dst[whole-blockSize : whole]
	full := [blockSize]byte(last)
	copy(full[:], src[whole:])
	copy(dst[whole:], last)
	g.blocks(last, full[:], t, false)
}

// decrypt is the inverse of encrypt.
func (g *generic) decrypt(dst, src []byte, t tweak) {
	whole := len(src) &^ (blockSize - 1)
	if whole == len(src) {
		g.blocks(dst, src, t, true)
		return
	}
	// Stealing: the last whole block holds the rest of the text and the end of the ciphertext that it took the place of.
	whole -= blockSize
	t = g.blocks(dst[:whole], src[:whole], t, true)
	dst, src = dst[whole:], src[whole:]
	var full [blockSize]byte
	g.blocks(full[:], src[:blockSize], t.next(), true)
	rest := full
	copy(full[:], src[blockSize:])
	copy(dst[blockSize:], rest[:])
	g.blocks(dst[:blockSize], full[:], t, true)
}

// blocks encrypts or decrypts whole blocks, the first of which has the tweak t, and returns the tweak after the last.
func (g *generic) blocks(dst, src []byte, t tweak, decrypt bool) tweak {
	var masks [bufferBytes]byte
	for len(src) > 0 {
		n := min(len(src), bufferBytes)
		for b := masks[:n]; len(b) > 0; b = b[blockSize:] {
			t.put(b)
			t = t.next()
		}
		out := dst[:n]
		subtle.XORBytes(out, src[:n], masks[:n])
		if decrypt {
			g.data.DecryptBlocks(out, out)
		} else {
			g.data.EncryptBlocks(out, out)
		}
		subtle.XORBytes(out, out, masks[:n])
		dst, src = dst[n:], src[n:]
	}
	return t
}
