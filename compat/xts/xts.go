// Package xts replaces golang.org/x/crypto/xts: the same names, results, panics and errors, with this library's drivers
// of xts(aes) wherever the cipher is AES.
//
//	import "kcrypto/compat/xts" // was: "golang.org/x/crypto/xts"
//
// XTS (IEEE 1619) hides the contents of a disk's sectors. It does not authenticate them. As in x/crypto, sectors are
// multiples of 16 bytes. [kcrypto.NewSkcipher] with "xts(aes)" has more: lengths that are no such multiple, many
// sectors in one call (EncryptSectors), and a Close that wipes the key.
package xts

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"

	"kcrypto"
	"kcrypto/internal/overlap"
)

const blockSize = 16

// driverMax is the longest sector in bytes that xts(aes) takes: 2^20 blocks, the standard's limit, which x/crypto does
// not enforce.
const driverMax = 1 << 24

// Cipher is XTS under one key. It may be used by any number of goroutines at once if the blocks that cipherFunc made
// may.
type Cipher struct {
	k1, k2 cipher.Block
	driver *kcrypto.Skcipher // nil unless k1 and k2 are AES
}

// NewCipher makes a Cipher of a function that makes block ciphers of 16-byte blocks, which is called with either half
// of key. Errors are those of cipherFunc, one for another block size, and registry.ErrConfig for a KCRYPTO variable
// that cannot be understood.
//
// cipherFunc may be aes.NewCipher of compat/aes, of crypto/aes, or anything else. If the blocks it makes encrypt as AES
// does under the halves of key, which is tried on one block, then the driver of xts(aes) does the work of both from
// then on and they are not called again, except for sectors of more than 2^24 bytes.
func NewCipher(cipherFunc func([]byte) (cipher.Block, error), key []byte) (*Cipher, error) {
	half := len(key) / 2
	c := new(Cipher)
	var err error
	if c.k1, err = cipherFunc(key[:half]); err != nil {
		return c, err
	}
	c.k2, err = cipherFunc(key[half:])
	if c.k1.BlockSize() != blockSize {
		err = errors.New("xts: cipher does not have a block size of 16")
	}
	if err == nil && isAES(c.k1, key[:half]) && isAES(c.k2, key[half:]) {
		c.driver, err = kcrypto.NewSkcipher("xts(aes)", key)
	}
	return c, err
}

// isAES reports whether b encrypts a block as AES does under key. Another cipher does so with probability 2^-128.
func isAES(b cipher.Block, key []byte) bool {
	reference, err := aes.NewCipher(key)
	if err != nil || b.BlockSize() != blockSize {
		return false
	}
	probe := []byte("is this AES too?")
	got, want := make([]byte, blockSize), make([]byte, blockSize)
	b.Encrypt(got, probe)
	reference.Encrypt(want, probe)
	return bytes.Equal(got, want)
}

// Encrypt encrypts the sector plaintext to ciphertext[:len(plaintext)]. They must be the same memory or not overlap,
// and len(plaintext) must be a multiple of 16; it panics otherwise. The tweak is sectorNum as 16 little-endian bytes.
func (c *Cipher) Encrypt(ciphertext, plaintext []byte, sectorNum uint64) {
	if len(ciphertext) < len(plaintext) {
		panic("xts: ciphertext is smaller than plaintext")
	}
	if len(plaintext)%blockSize != 0 {
		panic("xts: plaintext is not a multiple of the block size")
	}
	ciphertext = apart(ciphertext, plaintext)
	if !c.driverTakes(len(plaintext)) {
		c.blockwise(cipher.Block.Encrypt, ciphertext, plaintext, sectorNum)
		return
	}
	tweak := tweakOf(sectorNum)
	if err := c.driver.Encrypt(ciphertext, plaintext, tweak[:]); err != nil {
		panic(err.Error())
	}
}

// Decrypt is the inverse of Encrypt, with the same rules.
func (c *Cipher) Decrypt(plaintext, ciphertext []byte, sectorNum uint64) {
	if len(plaintext) < len(ciphertext) {
		panic("xts: plaintext is smaller than ciphertext")
	}
	if len(ciphertext)%blockSize != 0 {
		panic("xts: ciphertext is not a multiple of the block size")
	}
	plaintext = apart(plaintext, ciphertext)
	if !c.driverTakes(len(ciphertext)) {
		c.blockwise(cipher.Block.Decrypt, plaintext, ciphertext, sectorNum)
		return
	}
	tweak := tweakOf(sectorNum)
	if err := c.driver.Decrypt(plaintext, ciphertext, tweak[:]); err != nil {
		panic(err.Error())
	}
}

// apart returns dst in the length of src, and panics if they overlap without being the same memory.
func apart(dst, src []byte) []byte {
	dst = dst[:len(src)]
	if overlap.Inexact(dst, src) {
		panic("xts: invalid buffer overlap")
	}
	return dst
}

// driverTakes reports whether the driver can do a sector of n bytes.
func (c *Cipher) driverTakes(n int) bool { return c.driver != nil && n > 0 && n <= driverMax }

func tweakOf(sector uint64) (tweak [blockSize]byte) {
	binary.LittleEndian.PutUint64(tweak[:], sector)
	return tweak
}

// blockwise is XTS over any block cipher, a block at a time (IEEE 1619-2018, 5.3 and 5.4).
func (c *Cipher) blockwise(crypt func(b cipher.Block, dst, src []byte), dst, src []byte, sector uint64) {
	tweak := tweakOf(sector)
	c.k2.Encrypt(tweak[:], tweak[:])
	lo, hi := binary.LittleEndian.Uint64(tweak[:]), binary.LittleEndian.Uint64(tweak[8:])
	for ; len(src) > 0; dst, src = dst[blockSize:], src[blockSize:] {
		xorTweak(dst, src, lo, hi)
		crypt(c.k1, dst[:blockSize], dst[:blockSize])
		xorTweak(dst, dst, lo, hi)
		// times x in GF(2^128) with x^128 = x^7 + x^2 + x + 1, where bit 0 of lo is the coefficient of 1
		lo, hi = lo<<1^(hi>>63)*0x87, hi<<1|lo>>63
	}
}

func xorTweak(dst, src []byte, lo, hi uint64) {
	le := binary.LittleEndian
	a, b := le.Uint64(src), le.Uint64(src[8:])
	le.PutUint64(dst, a^lo)
	le.PutUint64(dst[8:], b^hi)
}
