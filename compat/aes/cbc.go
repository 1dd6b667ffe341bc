package aes

import (
	"crypto/cipher"

	"kcrypto"
	"kcrypto/internal/overlap"
)

// NewCBCEncrypter is for cipher.NewCBCEncrypter, which calls it. iv has 16 bytes.
func (b *Block) NewCBCEncrypter(iv []byte) cipher.BlockMode {
	if len(iv) != BlockSize {
		panic("cipher.NewCBCEncrypter: IV length must equal block size")
	}
	return &encrypter{newChain(b, iv)}
}

// NewCBCDecrypter is for cipher.NewCBCDecrypter, which calls it. iv has 16 bytes.
func (b *Block) NewCBCDecrypter(iv []byte) cipher.BlockMode {
	if len(iv) != BlockSize {
		panic("cipher.NewCBCDecrypter: IV length must equal block size")
	}
	return &decrypter{newChain(b, iv)}
}

// chain is a place in a message of CBC: what both directions know. All chains of a Block share its transform, so a new
// one costs one small allocation and copies no key.
type chain struct {
	b  *Block
	iv [BlockSize]byte // the block of ciphertext before the place
}

func newChain(b *Block, iv []byte) chain {
	if err := cbc.Ready(); err != nil {
		panic(err.Error())
	}
	return chain{b, [BlockSize]byte(iv)}
}

func (c *chain) BlockSize() int { return BlockSize }

// SetIV makes the next block the first one of a message under another IV of 16 bytes.
func (c *chain) SetIV(iv []byte) {
	if len(iv) != BlockSize {
		panic("cipher: incorrect length IV")
	}
	copy(c.iv[:], iv)
}

// check has the rules of crypto/cipher's modes.
func check(dst, src []byte) {
	switch {
	case len(src)%BlockSize != 0:
		panic("crypto/cipher: input not full blocks")
	case len(dst) < len(src):
		panic("crypto/cipher: output smaller than input")
	case overlap.Inexact(dst[:len(src)], src):
		panic("crypto/cipher: invalid buffer overlap")
	}
}

// get returns a transform with the Block's key, and whether it is shared.
func (c *chain) get() (t *kcrypto.Skcipher, shared bool) {
	if t = c.b.cbc.Own(); t != nil {
		return t, false
	}
	return c.b.cbc.Get(cbc, c.b.key[:c.b.size])
}

type encrypter struct{ chain }

func (e *encrypter) CryptBlocks(dst, src []byte) {
	check(dst, src)
	if len(src) == 0 {
		return
	}
	t, shared := e.get()
	if err := t.Encrypt(dst, src, e.iv[:]); err != nil || shared {
		finish(err, cbc, t, shared)
	}
	e.iv = [BlockSize]byte(dst[len(src)-BlockSize:])
}

type decrypter struct{ chain }

func (d *decrypter) CryptBlocks(dst, src []byte) {
	check(dst, src)
	if len(src) == 0 {
		return
	}
	next := [BlockSize]byte(src[len(src)-BlockSize:]) // before dst is written, which may be src
	t, shared := d.get()
	if err := t.Decrypt(dst, src, d.iv[:]); err != nil || shared {
		finish(err, cbc, t, shared)
	}
	d.iv = next
}
