package gcm

import (
	"crypto/subtle"
	"encoding/binary"

	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// bufferBytes is the number of bytes of key stream made at a time, on the stack: enough for package aes, which works
// on several blocks at once.
const bufferBytes = 32 * blockSize

// generic is gcm(aes) under one key, by portable code. It has no pointers, so that it can be wiped and is nothing to
// the garbage collector.
type generic struct {
	cipher aes.Cipher
	powers powers
}

func newGeneric(registry.Config) registry.AEAD { return new(generic) }

// SetKey takes a key of 16, 24 or 32 bytes.
func (g *generic) SetKey(key []byte) error {
	err := g.cipher.SetKey(key)
	var h [blockSize]byte
	g.cipher.EncryptBlocks(h[:], h[:])
	g.powers.set(load(h[:]))
	clear(h[:])
	return err
}

// Wipe overwrites the key.
func (g *generic) Wipe() { *g = generic{} }

// Seal encrypts and authenticates.
func (g *generic) Seal(dst, nonce, plaintext, aad []byte) {
	text := dst[:len(plaintext)]
	j0 := g.j0(nonce)
	mask := g.xorKeyStream(text, plaintext, &j0)
	y := g.hash(g.hash(element{}, aad), text)
	tag := g.tag(y, len(aad), len(text), mask)
	copy(dst[len(text):], tag[:])
}

// Open authenticates and decrypts.
func (g *generic) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	y := g.hash(g.hash(element{}, aad), ciphertext)
	j0 := g.j0(nonce)
	mask := g.xorKeyStream(dst, ciphertext, &j0)
	want := g.tag(y, len(aad), len(ciphertext), mask)
	return subtle.ConstantTimeCompare(want[:len(tag)], tag) == 1
}

// gmac is for rfc4543.
func (g *generic) gmac(nonce, aad, iv, text []byte) [tagSize]byte {
	var head [2 * blockSize]byte // the beginning, up to a block's end
	n := copy(head[:], aad)
	n += copy(head[n:], iv)
	more := copy(head[n:], text)
	y := g.hash(g.hash(element{}, head[:n+more]), text[more:])
	j0 := g.j0(nonce)
	return g.tag(y, n+len(text), 0, g.xorKeyStream(nil, nil, &j0))
}

// j0 makes the first counter block, SP 800-38D section 7.1 step 2.
func (g *generic) j0(nonce []byte) [blockSize]byte {
	if len(nonce) == nonceSize {
		j0 := [blockSize]byte{blockSize - 1: 1}
		copy(j0[:], nonce)
		return j0
	}
	y := g.hash(element{}, nonce)
	return g.hashLengths(y, 0, uint64(len(nonce))).bytes()
}

// tag finishes GHASH with the sizes in bytes of the additional data and the text, and encrypts it.
func (g *generic) tag(y element, aad, text int, mask element) [tagSize]byte {
	return g.hashLengths(y, uint64(aad), uint64(text)).add(mask).bytes()
}

// hashLengths takes GHASH over the block of two lengths, which are bytes here and bits there.
func (g *generic) hashLengths(y element, a, b uint64) element {
	var block [blockSize]byte
	binary.BigEndian.PutUint64(block[:], a*8)
	binary.BigEndian.PutUint64(block[8:], b*8)
	return g.hash(y, block[:])
}

// hash takes GHASH from y over data, whose last block is padded with zeros.
func (g *generic) hash(y element, data []byte) element { return g.powers.hash(y, data) }

// xorKeyStream XORs src into dst with the encrypted counter blocks after j0, and returns the encryption of j0 itself,
// which masks the tag. Only the last 32 bits of the counter count, and they wrap.
func (g *generic) xorKeyStream(dst, src []byte, j0 *[blockSize]byte) (mask element) {
	var stream [bufferBytes]byte
	fixed := [12]byte(j0[:])
	counter := binary.BigEndian.Uint32(j0[12:])
	for used := blockSize; ; used = 0 { // bytes at the start of the stream that are not for src: j0's
		n := used + (min(len(src), bufferBytes-used)+blockSize-1)&^(blockSize-1)
		for b := stream[:n]; len(b) > 0; b = b[blockSize:] {
			copy(b, fixed[:])
			binary.BigEndian.PutUint32(b[12:], counter)
			counter++
		}
		g.cipher.EncryptBlocks(stream[:n], stream[:n])
		if used > 0 {
			mask = load(stream[:])
		}
		done := subtle.XORBytes(dst, src, stream[used:n])
		if dst, src = dst[done:], src[done:]; len(src) == 0 {
			return mask
		}
	}
}
