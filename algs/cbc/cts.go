package cbc

import (
	"crypto/subtle"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// CBC-CS3: the message is padded with zeros to whole blocks and encrypted by CBC. The last two blocks of ciphertext
// change places, and of what is last then only as much is kept as the last block of the message had, 1 to 16 bytes. A
// message of one block is CBC's.

// genericCTS is cts(cbc(aes)) under one key, by portable code. It has no pointers.
type genericCTS struct{ generic }

func newGenericCTS(registry.Config) registry.Skcipher { return new(genericCTS) }

// Encrypt encrypts 16 bytes or more.
func (g *genericCTS) Encrypt(dst, src, iv []byte) { encryptCTS(&g.generic, dst, src, iv) }

// Decrypt decrypts 16 bytes or more.
func (g *genericCTS) Decrypt(dst, src, iv []byte) { decryptCTS(&g.generic, dst, src, iv) }

// whole is the length of the blocks before the last one, which has 1 to 16 of the n bytes.
func whole(n int) int { return (n - 1) &^ (blockSize - 1) }

// encryptCTS encrypts by means of c, which does CBC and keeps no argument.
func encryptCTS(c registry.Skcipher, dst, src, iv []byte) {
	n := whole(len(src))
	if n == 0 {
		c.Encrypt(dst, src, iv)
		return
	}
	var last [blockSize]byte
	copy(last[:], src[n:])
	c.Encrypt(dst[:n], src[:n], iv)
	before := [blockSize]byte(dst[n-blockSize:])
	copy(dst[n:], before[:])
	c.Encrypt(dst[n-blockSize:n], noescape.Bytes(last[:]), noescape.Bytes(before[:]))
	clear(last[:])
}

// decryptCTS decrypts by means of c, which does CBC and keeps no argument.
func decryptCTS(c registry.Skcipher, dst, src, iv []byte) {
	n := whole(len(src))
	if n == 0 {
		c.Decrypt(dst, src, iv)
		return
	}
	head := n - blockSize
	before := [blockSize]byte(iv) // in the chain, before the last two blocks
	if head > 0 {
		before = [blockSize]byte(src[head-blockSize:])
	}
	// What the last but one decrypts to is the padded end of the message XORed with the whole of the last block of
	// ciphertext, whose beginning there is: the rest of it stands where the message had zeros.
	var end, zero [blockSize]byte
	c.Decrypt(noescape.Bytes(end[:]), src[head:n], noescape.Bytes(zero[:]))
	if head > 0 {
		c.Decrypt(dst[:head], src[:head], iv)
	}
	last := end
	copy(last[:], src[n:])
	subtle.XORBytes(end[:], end[:], last[:])
	copy(dst[n:], end[:])
	c.Decrypt(dst[head:n], noescape.Bytes(last[:]), noescape.Bytes(before[:]))
	clear(end[:])
}
