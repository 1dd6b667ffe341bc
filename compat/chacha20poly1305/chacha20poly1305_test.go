package chacha20poly1305_test

import (
	"crypto/cipher"
	"fmt"
	"testing"

	std "golang.org/x/crypto/chacha20poly1305"

	"kcrypto/compat/chacha20poly1305"
	"kcrypto/compat/internal/equiv"
)

type newAEAD = func(key []byte) (cipher.AEAD, error)

// variants are the constructors of both packages.
var variants = map[string]struct{ original, ours newAEAD }{
	"New":  {std.New, chacha20poly1305.New},
	"NewX": {std.NewX, chacha20poly1305.NewX},
}

func TestConstants(t *testing.T) {
	type sizes struct{ key, nonce, nonceX, overhead int }
	ours := sizes{
		chacha20poly1305.KeySize, chacha20poly1305.NonceSize, chacha20poly1305.NonceSizeX, chacha20poly1305.Overhead,
	}
	if original := (sizes{std.KeySize, std.NonceSize, std.NonceSizeX, std.Overhead}); ours != original {
		t.Errorf("sizes %v, x/crypto's are %v", ours, original)
	}
}

func TestNew(t *testing.T) {
	for name, v := range variants {
		for n := range 70 {
			call := func(newAEAD newAEAD) equiv.Outcome {
				return equiv.Of(func() ([]byte, error) {
					a, err := newAEAD(make([]byte, n))
					if err != nil && a != nil {
						t.Errorf("%s of %d bytes: an error and an AEAD", name, n)
					}
					return nil, err
				})
			}
			equiv.Check(t, fmt.Sprintf("%s of a key of %d bytes", name, n), call(v.original), call(v.ours))
		}
	}
}

func TestAEADs(t *testing.T) {
	for name := range variants {
		t.Run(name, func(t *testing.T) {
			original, ours := both(t, name)
			equiv.AEADs(t, original, ours)
		})
	}
}

// both makes an AEAD of either package of the same key.
func both(t *testing.T, variant string) (original, ours cipher.AEAD) {
	t.Helper()
	key := equiv.Pattern(32)
	original, err := variants[variant].original(key)
	if err != nil {
		t.Fatal(err)
	}
	if ours, err = variants[variant].ours(key); err != nil {
		t.Fatal(err)
	}
	clear(key) // both have copied it
	return original, ours
}

// TestOutputOverTag is the one difference that the package's documentation admits: x/crypto leaves it to its
// implementations what comes of an output over the tag alone, and here it is refused.
func TestOutputOverTag(t *testing.T) {
	for name := range variants {
		original, ours := both(t, name)
		nonce := make([]byte, ours.NonceSize())
		m := append(original.Seal(nil, nonce, equiv.Pattern(10), nil), make([]byte, 10)...)
		o := equiv.Of(func() ([]byte, error) { return ours.Open(m[20:20], nonce, m[:26], nil) })
		if want := "string: chacha20poly1305: invalid buffer overlap of output and input"; o.Panic != want {
			t.Errorf("%s: panic %q, want %q", name, o.Panic, want)
		}
	}
}

func TestFIPSOnly(t *testing.T) {
	equiv.InChild(t, "GODEBUG=fips140=only", func(t *testing.T) {
		for name, v := range variants {
			call := func(newAEAD newAEAD) equiv.Outcome {
				return equiv.Of(func() ([]byte, error) { _, err := newAEAD(make([]byte, 32)); return nil, err })
			}
			equiv.Check(t, name, call(v.original), call(v.ours))
			if call(v.ours).Err == "" {
				t.Errorf("%s gives an AEAD under fips140=only", name)
			}
		}
	})
}
