//go:build amd64 && !purego

package main

import (
	"fmt"
	"strings"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/consttime/internal/taint"
)

// encryptAndDecrypt goes through every call of an Skcipher with secret texts.
func encryptAndDecrypt(d registry.Info, key []byte) error {
	var options []kcrypto.Option
	if strings.HasPrefix(d.Algorithm, "xts") {
		options = append(options, kcrypto.WithForbidWeakKeys()) // compares the key's halves
	}
	s, err := kcrypto.NewSkcipher(d.Driver, key, options...)
	if err != nil {
		return err
	}
	defer s.Close()
	iv := make([]byte, s.IVSize())
	for _, n := range sizes {
		if n = fitting(d, n); n == 0 {
			continue
		}
		for _, call := range []func(dst, src, iv []byte) error{s.Encrypt, s.Decrypt} {
			out := make([]byte, n)
			if err := call(out, secret(n), iv); err != nil {
				return fmt.Errorf("%d bytes: %w", n, err)
			}
			if !taint.Tainted(out) {
				return fmt.Errorf("memcheck lost track of the secrets in a message of %d bytes", n)
			}
		}
	}
	switch d.Algorithm {
	case "xts(aes)", "cbc(aes)", "essiv(cbc(aes),sha256)":
		return sectors(s)
	}
	return stream(s, d, iv)
}

// fitting is the longest length up to n that the cipher takes, 0 if there is none.
func fitting(d registry.Info, n int) int {
	switch {
	case strings.HasPrefix(d.Algorithm, "xts"):
		if n < d.BlockSize {
			return 0
		}
		return n // the rest of a block is stolen from the one before
	default:
		return n - n%d.BlockSize
	}
}

func sectors(s *kcrypto.Skcipher) error {
	text := secret(5 * 512)
	if err := s.EncryptSectors(text, text, 512, 3); err != nil {
		return err
	}
	if err := s.DecryptSectors(text, text, 512, 3); err != nil {
		return err
	}
	steps := kcrypto.SectorIV{Form: kcrypto.IVPlain128, First: 3, Step: 8}
	if err := s.EncryptSectorsIV(text, text, 512, steps); err != nil {
		return err
	}
	return s.DecryptSectorsIV(text, text, 512, steps)
}

// stream takes a keystream in pieces that end inside blocks. Ciphers in blocks have none.
func stream(s *kcrypto.Skcipher, d registry.Info, iv []byte) error {
	if d.BlockSize != 1 {
		return nil
	}
	st, err := s.Stream(iv)
	if err != nil {
		return err
	}
	defer st.Close()
	for _, n := range []int{3, 61, 64, 200, 1} {
		text := secret(n)
		st.XORKeyStream(text, text)
	}
	return nil
}
