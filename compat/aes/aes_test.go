package aes_test

import (
	"bytes"
	stdaes "crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"testing"

	"kcrypto/compat/aes"
	"kcrypto/compat/internal/equiv"
)

var keySizes = []int{16, 24, 32}

// blocks makes a Block of either package under the same key.
func blocks(t testing.TB, keySize int) (original, ours cipher.Block) {
	t.Helper()
	key := equiv.Pattern(keySize)
	original, err := stdaes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	if ours, err = aes.NewCipher(key); err != nil {
		t.Fatal(err)
	}
	clear(key) // both have copied it
	return original, ours
}

func TestNewCipher(t *testing.T) {
	for n := range 70 {
		call := func(newCipher func([]byte) (cipher.Block, error)) equiv.Outcome {
			return equiv.Of(func() ([]byte, error) {
				b, err := newCipher(make([]byte, n))
				if err != nil {
					if b != nil {
						t.Errorf("a key of %d bytes: an error and a Block", n)
					}
					return nil, err
				}
				return []byte{byte(b.BlockSize())}, nil
			})
		}
		equiv.Check(t, fmt.Sprintf("a key of %d bytes", n), call(stdaes.NewCipher), call(aes.NewCipher))
	}
	_, err := aes.NewCipher(make([]byte, 5))
	if size := stdaes.KeySizeError(0); !errors.As(err, &size) || size != aes.KeySizeError(5) {
		t.Errorf("error %v is no KeySizeError of crypto/aes", err)
	}
}

func TestSingleBlocks(t *testing.T) {
	for _, size := range keySizes {
		original, ours := blocks(t, size)
		for name, crypt := range map[string]func(b cipher.Block, dst, src []byte){
			"Encrypt": cipher.Block.Encrypt, "Decrypt": cipher.Block.Decrypt,
		} {
			for what, c := range map[string][4]int{ // dst from, to, src from, to
				"apart": {0, 16, 16, 32}, "in place": {0, 16, 0, 16}, "longer": {0, 30, 32, 60}, "longer, near": {0, 32, 16, 48},
				"src short": {0, 16, 16, 31}, "dst short": {0, 15, 16, 32}, "both short": {0, 3, 16, 18}, "empty": {0, 0, 0, 0},
				"overlap by 15": {1, 17, 0, 16}, "overlap by 1": {15, 31, 0, 16}, "overlap from behind": {0, 16, 15, 31},
			} {
				call := func(b cipher.Block) equiv.Outcome {
					m := equiv.Pattern(64)
					o := equiv.Of(func() ([]byte, error) { crypt(b, m[c[0]:c[1]], m[c[2]:c[3]]); return m, nil })
					o.Out = m
					return o
				}
				equiv.Check(t, fmt.Sprintf("AES-%d %s, %s", size*8, name, what), call(original), call(ours))
			}
		}
	}
}

// TestManyBlocks: EncryptBlocks and DecryptBlocks are Encrypt and Decrypt of each block.
func TestManyBlocks(t *testing.T) {
	for _, size := range keySizes {
		original, block := blocks(t, size)
		ours := block.(*aes.Block)
		for _, n := range []int{0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 100, 5000} {
			src := equiv.Pattern(16 * n)
			encrypted := make([]byte, len(src))
			for i := 0; i < len(src); i += 16 {
				original.Encrypt(encrypted[i:], src[i:])
			}
			got := make([]byte, len(src)+5)
			ours.EncryptBlocks(got, src)
			if !bytes.Equal(got, append(bytes.Clone(encrypted), 0, 0, 0, 0, 0)) {
				t.Errorf("AES-%d, %d blocks: EncryptBlocks differs from Encrypt", size*8, n)
			}
			ours.DecryptBlocks(encrypted, encrypted)
			if !bytes.Equal(encrypted, src) {
				t.Errorf("AES-%d, %d blocks: DecryptBlocks in place is no inverse", size*8, n)
			}
		}
	}
}

func TestManyBlocksMistakes(t *testing.T) {
	_, block := blocks(t, 16)
	b, m := block.(*aes.Block), make([]byte, 100)
	for what, call := range map[string]func(){
		"no whole blocks":   func() { b.EncryptBlocks(m[32:], m[:17]) },
		"dst short":         func() { b.EncryptBlocks(m[48:64], m[:32]) },
		"an overlap":        func() { b.EncryptBlocks(m[1:33], m[:32]) },
		"no whole blocks, ": func() { b.DecryptBlocks(m[32:], m[:17]) },
		"dst short, ":       func() { b.DecryptBlocks(m[48:64], m[:32]) },
		"an overlap, ":      func() { b.DecryptBlocks(m[1:33], m[:32]) },
	} {
		o := equiv.Of(func() ([]byte, error) { call(); return nil, nil })
		if o.Panic == "" || !bytes.Equal(m, make([]byte, 100)) {
			t.Errorf("%s: panic %q, memory % x; want a panic before any output", what, o.Panic, m)
		}
	}
}
