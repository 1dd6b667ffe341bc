package xts_test

import (
	"bytes"
	stdaes "crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"errors"
	"fmt"
	"slices"
	"testing"

	std "golang.org/x/crypto/xts"

	"kcrypto/compat/aes"
	"kcrypto/compat/internal/equiv"
	"kcrypto/compat/xts"
)

type newBlock = func(key []byte) (cipher.Block, error)

// ciphers are the functions that a caller may bring.
var ciphers = map[string]newBlock{
	"compat/aes": aes.NewCipher,
	"crypto/aes": stdaes.NewCipher,
	"wrapped": func(key []byte) (cipher.Block, error) {
		b, err := stdaes.NewCipher(key)
		return struct{ cipher.Block }{b}, err
	},
	"derived": func(key []byte) (cipher.Block, error) { // AES, but not under the key it is given
		other := slices.Clone(key)
		slices.Reverse(other)
		return aes.NewCipher(other)
	},
	"not AES": equiv.NewNotAES,
}

// sectorCipher is what either package's Cipher is.
type sectorCipher interface {
	Encrypt(dst, src []byte, sector uint64)
	Decrypt(dst, src []byte, sector uint64)
}

func both(t *testing.T, f newBlock, key []byte) (original, ours sectorCipher) {
	t.Helper()
	original, err := std.NewCipher(f, key)
	if err != nil {
		t.Fatal(err)
	}
	if ours, err = xts.NewCipher(f, key); err != nil {
		t.Fatal(err)
	}
	return original, ours
}

func TestSectors(t *testing.T) {
	for name, f := range ciphers {
		for _, keySize := range []int{32, 48, 64} {
			original, ours := both(t, f, equiv.Pattern(keySize))
			for _, n := range []int{0, 16, 32, 48, 112, 128, 144, 256, 512, 528, 4096, 70000 &^ 15} {
				for _, sector := range []uint64{0, 1, 0x3333333333, 1<<63 + 5, 1<<64 - 1} {
					want, got := make([]byte, n), make([]byte, n+3)
					original.Encrypt(want, equiv.Pattern(n), sector)
					ours.Encrypt(got, equiv.Pattern(n), sector)
					if !bytes.Equal(got, append(bytes.Clone(want), 0, 0, 0)) {
						t.Fatalf("%s, key of %d bytes: Encrypt of %d bytes, sector %d differs", name, keySize, n, sector)
					}
					ours.Decrypt(want, want, sector)
					if !bytes.Equal(want, equiv.Pattern(n)) {
						t.Fatalf("%s, key of %d bytes: Decrypt of %d bytes in place, sector %d is no inverse", name, keySize, n, sector)
					}
				}
			}
		}
	}
}

func TestEqualHalves(t *testing.T) {
	original, ours := both(t, aes.NewCipher, make([]byte, 32))
	want, got := make([]byte, 64), make([]byte, 64)
	original.Encrypt(want, want, 7)
	ours.Encrypt(got, got, 7)
	if !bytes.Equal(got, want) {
		t.Error("a key of two equal halves, which x/crypto takes, gives another result")
	}
}

// TestOverTheStandardsLimit: x/crypto takes units of any length, xts(aes) 2^24 bytes at most.
func TestOverTheStandardsLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("LEFT OUT by -short: units of more than 16 MiB")
	}
	original, ours := both(t, stdaes.NewCipher, equiv.Pattern(32))
	for _, n := range []int{1 << 24, 1<<24 + 16} {
		want, got := make([]byte, n), make([]byte, n)
		original.Encrypt(want, want, 3)
		ours.Encrypt(got, got, 3)
		if !bytes.Equal(got, want) {
			t.Fatalf("Encrypt of %d bytes differs", n)
		}
		ours.Decrypt(got, got, 3)
		if !bytes.Equal(got, make([]byte, n)) {
			t.Fatalf("Decrypt of %d bytes is no inverse", n)
		}
	}
}

func TestMistakes(t *testing.T) {
	for name, f := range ciphers {
		original, ours := both(t, f, equiv.Pattern(32))
		for what, c := range map[string][4]int{ // dst from, to, src from, to
			"dst short": {0, 31, 32, 64}, "dst short, no whole blocks": {0, 30, 32, 63}, "no whole blocks": {0, 32, 32, 63},
			"less than a block": {0, 15, 32, 47}, "overlap by 1": {31, 63, 0, 32}, "overlap from behind": {0, 32, 1, 33},
			"overlap by all but 1": {1, 33, 0, 32}, "in place": {0, 32, 0, 32}, "dst longer, reaching src": {0, 48, 32, 64},
			"nothing": {5, 5, 5, 5}, "nothing, inside dst": {0, 32, 5, 5},
		} {
			for way, crypt := range map[string]func(c sectorCipher, dst, src []byte, sector uint64){
				"Encrypt": sectorCipher.Encrypt, "Decrypt": sectorCipher.Decrypt,
			} {
				call := func(s sectorCipher) equiv.Outcome {
					m := equiv.Pattern(64)
					o := equiv.Of(func() ([]byte, error) { crypt(s, m[c[0]:c[1]], m[c[2]:c[3]], 1); return m, nil })
					o.Out = m
					return o
				}
				equiv.Check(t, fmt.Sprintf("%s, %s, %s", name, way, what), call(original), call(ours))
			}
		}
	}
}

// TestNewCipher: the same errors, and a Cipher or none beside them.
func TestNewCipher(t *testing.T) {
	refuse := errors.New("refused")
	functions := map[string]newBlock{
		"DES": func(key []byte) (cipher.Block, error) { return des.NewCipher(key) },
		"refuses the second": func(key []byte) (cipher.Block, error) {
			if key[0] == 16*7^5 { // the second half of Pattern(32)
				return nil, refuse
			}
			return stdaes.NewCipher(key)
		},
	}
	for name, f := range ciphers {
		if name != "wrapped" { // wraps a nil Block beside its error
			functions[name] = f
		}
	}
	for name, f := range functions {
		for _, n := range []int{0, 1, 8, 15, 16, 17, 31, 32, 33, 34, 48, 49, 64, 65, 128} {
			original := equiv.Of(func() ([]byte, error) {
				c, err := std.NewCipher(f, equiv.Pattern(n))
				return fmt.Append(nil, c != nil), err
			})
			ours := equiv.Of(func() ([]byte, error) {
				c, err := xts.NewCipher(f, equiv.Pattern(n))
				return fmt.Append(nil, c != nil), err
			})
			equiv.Check(t, fmt.Sprintf("%s, a key of %d bytes", name, n), original, ours)
		}
	}
}
