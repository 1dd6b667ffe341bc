package main

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/xts"

	"kcrypto"
)

// next returns an IV, another one each time as a caller would have it; decryption keeps it, since the tag must fit.
func (m *message) next(decrypt bool) *[16]byte {
	if !decrypt {
		m.turn++
	}
	return &m.ivs[m.turn%len(m.ivs)]
}

// aeadRun times a cipher.AEAD. Sealed messages lie in m.dst; what is opened is m.src with the tag behind it.
func aeadRun(a cipher.AEAD, decrypt bool) func(*message, int) error {
	return func(m *message, rounds int) error {
		for range rounds {
			iv := m.next(decrypt)
			if !decrypt {
				copy(m.tag[:], a.Seal(m.dst[:0], iv[:12], m.src[:m.n], m.aad[:])[m.n:])
			} else if _, err := a.Open(m.dst[:0], iv[:12], m.src[:m.n+16], m.aad[:]); err != nil {
				return err
			}
		}
		return nil
	}
}

// skcipherRun calls the methods as a caller would: through a function value, every message would pay for one more call.
func skcipherRun(s *kcrypto.Skcipher, c test) func(*message, int) error {
	return func(m *message, rounds int) (err error) {
		dst, src := m.dst[:m.n], m.src[:m.n]
		for range rounds {
			iv := m.next(c.decrypt)
			if c.decrypt {
				err = s.Decrypt(dst, src, iv[:])
			} else {
				err = s.Encrypt(dst, src, iv[:])
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// ours makes a contender of one of our drivers.
func ours(c test, driver string) (contender, error) {
	if c.aead() {
		a, err := kcrypto.NewAEAD(driver, c.key)
		if err != nil {
			return contender{}, err
		}
		return contender{name: a.Driver(), run: aeadRun(a, c.decrypt), ours: true}, nil
	}
	s, err := kcrypto.NewSkcipher(driver, c.key)
	if err != nil {
		return contender{}, err
	}
	return contender{name: s.Driver(), run: skcipherRun(s, c), ours: true}, nil
}

// goPeer makes a contender of Go's own implementation, which has no run if there is none.
func goPeer(c test) (contender, error) {
	run, err := goRun(c)
	return contender{name: "go", run: run}, err
}

func goRun(c test) (func(*message, int) error, error) {
	switch c.alg {
	case "gcm(aes)":
		b, err := aes.NewCipher(c.key)
		if err != nil {
			return nil, err
		}
		a, err := cipher.NewGCM(b)
		return aeadRun(a, c.decrypt), err
	case "rfc7539(chacha20,poly1305)":
		a, err := chacha20poly1305.New(c.key)
		return aeadRun(a, c.decrypt), err
	case "ctr(aes)":
		b, err := aes.NewCipher(c.key)
		return each(c, func(m *message, iv []byte) error {
			cipher.NewCTR(b, iv).XORKeyStream(m.dst[:m.n], m.src[:m.n])
			return nil
		}), err
	case "cbc(aes)":
		b, err := aes.NewCipher(c.key)
		mode := cipher.NewCBCEncrypter
		if c.decrypt {
			mode = cipher.NewCBCDecrypter
		}
		return each(c, func(m *message, iv []byte) error {
			mode(b, iv).CryptBlocks(m.dst[:m.n], m.src[:m.n])
			return nil
		}), err
	case "cts(cbc(aes))":
		return nil, nil
	case "xts(aes)":
		x, err := xts.NewCipher(aes.NewCipher, c.key)
		f := x.Encrypt
		if c.decrypt {
			f = x.Decrypt
		}
		// x/crypto's takes whole blocks only.
		return each(c, func(m *message, iv []byte) error {
			f(m.dst[:m.n&^15], m.src[:m.n&^15], binary.LittleEndian.Uint64(iv))
			return nil
		}), err
	case "chacha20":
		return each(c, func(m *message, iv []byte) error {
			s, err := chacha20.NewUnauthenticatedCipher(c.key, iv[4:])
			if err == nil {
				s.SetCounter(1)
				s.XORKeyStream(m.dst[:m.n], m.src[:m.n])
			}
			return err
		}), nil
	}
	return nil, fmt.Errorf("no Go implementation of %s", c.alg)
}

func each(c test, f func(*message, []byte) error) func(*message, int) error {
	return func(m *message, rounds int) error {
		for range rounds {
			if err := f(m, m.next(c.decrypt)[:]); err != nil {
				return err
			}
		}
		return nil
	}
}
