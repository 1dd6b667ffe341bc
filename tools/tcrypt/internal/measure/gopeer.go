package measure

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/xts"

	"kcrypto/registry"
)

// goPeers makes, for each algorithm that Go has itself, Go's transform with a key and, if it is an AEAD, tags of tag
// bytes: a cipher.AEAD or a skcipher, used as Go programs without kcrypto use it.
var goPeers = map[string]func(key []byte, _ int) (any, error){
	"gcm(aes)": func(key []byte, tag int) (any, error) {
		b, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCMWithTagSize(b, tag)
	},
	"ctr(aes)": func(key []byte, _ int) (any, error) {
		b, err := aes.NewCipher(key)
		return goStream(func(iv []byte) (cipher.Stream, error) { return cipher.NewCTR(b, iv), nil }), err
	},
	"cbc(aes)": func(key []byte, _ int) (any, error) {
		b, err := aes.NewCipher(key)
		return goCBC{b}, err
	},
	"ecb(aes)": func(key []byte, _ int) (any, error) {
		b, err := aes.NewCipher(key)
		return goECB{b}, err
	},
	"xts(aes)": func(key []byte, _ int) (any, error) {
		c, err := xts.NewCipher(aes.NewCipher, key)
		return goXTS{c}, err
	},
	"chacha20": func(key []byte, _ int) (any, error) {
		return goStream(func(iv []byte) (cipher.Stream, error) {
			return goChaCha(key, iv[4:], binary.LittleEndian.Uint32(iv))
		}), nil
	},
	"xchacha20": func(key []byte, _ int) (any, error) {
		return goStream(func(iv []byte) (cipher.Stream, error) {
			return goChaCha(key, iv[:24], binary.LittleEndian.Uint32(iv[24:]))
		}), nil
	},
	"rfc7539(chacha20,poly1305)": func(key []byte, tag int) (any, error) {
		return fullTag(tag, key, chacha20poly1305.New)
	},
	"xchacha20poly1305": func(key []byte, tag int) (any, error) {
		return fullTag(tag, key, chacha20poly1305.NewX)
	},
}

// fullTag is what x/crypto has of the ChaCha20-Poly1305 AEADs.
func fullTag(tag int, key []byte, build func(key []byte) (cipher.AEAD, error)) (any, error) {
	if tag != chacha20poly1305.Overhead {
		return nil, fmt.Errorf("x/crypto/chacha20poly1305 has no tag of %d bytes", tag)
	}
	return build(key)
}

// HasGo reports whether Go has an algorithm with tags of tag bytes, if it is an AEAD, and lets it be used:
// GODEBUG=fips140=only forbids some.
func HasGo(info registry.Info, tag int) bool {
	build := goPeers[info.Algorithm]
	if build == nil {
		return false
	}
	_, err := build(Key(slices.Max(info.KeySizes)), tag)
	return err == nil
}

// GoTakes returns why Go's own code cannot do messages of size bytes as s has them, or nil.
func (s *Series) GoTakes(size int) error {
	peer, err := goPeers[s.Algorithm](Key(s.keySize()), s.Tag)
	if err != nil {
		return err
	}
	if s.Sector > 0 {
		size = s.Sector
	}
	if p, ok := peer.(interface{ takes(n int) error }); ok {
		return p.takes(size)
	}
	return nil
}

// goStream is a stream cipher; Go makes a new object for each message.
type goStream func(iv []byte) (cipher.Stream, error)

func (g goStream) Encrypt(dst, src, iv []byte) error {
	s, err := g(iv)
	if err != nil {
		return err
	}
	s.XORKeyStream(dst, src)
	return nil
}

func (g goStream) Decrypt(dst, src, iv []byte) error { return g.Encrypt(dst, src, iv) }

func goChaCha(key, nonce []byte, counter uint32) (cipher.Stream, error) {
	c, err := chacha20.NewUnauthenticatedCipher(key, nonce)
	if err != nil {
		return nil, err
	}
	c.SetCounter(counter)
	return c, nil
}

// goCBC is crypto/cipher's CBC; Go makes a new object for each message.
type goCBC struct{ b cipher.Block }

func (g goCBC) Encrypt(dst, src, iv []byte) error {
	cipher.NewCBCEncrypter(g.b, iv).CryptBlocks(dst, src)
	return nil
}

func (g goCBC) Decrypt(dst, src, iv []byte) error {
	cipher.NewCBCDecrypter(g.b, iv).CryptBlocks(dst, src)
	return nil
}

// EncryptSectors makes an object for each sector, whose IV is its number.
func (g goCBC) EncryptSectors(dst, src []byte, sectorSize int, first uint64) error {
	for ; len(src) > 0; dst, src = dst[sectorSize:], src[sectorSize:] {
		_ = g.Encrypt(dst[:sectorSize], src[:sectorSize], numberIV(first))
		first++
	}
	return nil
}

func (g goCBC) DecryptSectors(dst, src []byte, sectorSize int, first uint64) error {
	for ; len(src) > 0; dst, src = dst[sectorSize:], src[sectorSize:] {
		_ = g.Decrypt(dst[:sectorSize], src[:sectorSize], numberIV(first))
		first++
	}
	return nil
}

func numberIV(n uint64) []byte {
	return binary.LittleEndian.AppendUint64(make([]byte, 0, 16), n)[:16]
}

type goECB struct{ b cipher.Block }

func (g goECB) Encrypt(dst, src, _ []byte) error {
	for i := 0; i+aes.BlockSize <= len(src); i += aes.BlockSize {
		g.b.Encrypt(dst[i:i+aes.BlockSize], src[i:i+aes.BlockSize])
	}
	return nil
}

func (g goECB) Decrypt(dst, src, _ []byte) error {
	for i := 0; i+aes.BlockSize <= len(src); i += aes.BlockSize {
		g.b.Decrypt(dst[i:i+aes.BlockSize], src[i:i+aes.BlockSize])
	}
	return nil
}

// goXTS is x/crypto's XTS, which has no ciphertext stealing and takes a sector number for a tweak.
type goXTS struct{ c *xts.Cipher }

func (goXTS) takes(n int) error {
	if n%aes.BlockSize != 0 {
		return errors.New("x/crypto/xts takes multiples of 16 bytes only")
	}
	return nil
}

func (g goXTS) Encrypt(dst, src, iv []byte) error {
	if err := g.takes(len(src)); err != nil {
		return err
	}
	g.c.Encrypt(dst, src, binary.LittleEndian.Uint64(iv))
	return nil
}

func (g goXTS) Decrypt(dst, src, iv []byte) error {
	if err := g.takes(len(src)); err != nil {
		return err
	}
	g.c.Decrypt(dst, src, binary.LittleEndian.Uint64(iv))
	return nil
}

// EncryptSectors calls x/crypto's XTS once a sector: it has no call for more.
func (g goXTS) EncryptSectors(dst, src []byte, sectorSize int, first uint64) error {
	if err := g.takes(sectorSize); err != nil {
		return err
	}
	for ; len(src) > 0; dst, src = dst[sectorSize:], src[sectorSize:] {
		g.c.Encrypt(dst[:sectorSize], src[:sectorSize], first)
		first++
	}
	return nil
}

func (g goXTS) DecryptSectors(dst, src []byte, sectorSize int, first uint64) error {
	if err := g.takes(sectorSize); err != nil {
		return err
	}
	for ; len(src) > 0; dst, src = dst[sectorSize:], src[sectorSize:] {
		g.c.Decrypt(dst[:sectorSize], src[:sectorSize], first)
		first++
	}
	return nil
}
