package aes_test

import (
	"bytes"
	stdaes "crypto/aes"
	"crypto/cipher"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"kcrypto/compat/aes"
	"kcrypto/compat/internal/equiv"
)

// TestHooks: everything in this package hangs on methods that crypto/cipher looks for and does not document.
func TestHooks(t *testing.T) {
	_, b := blocks(t, 16)
	iv := make([]byte, 16)
	gcm, err := cipher.NewGCM(b)
	nonce, err2 := cipher.NewGCMWithNonceSize(b, 16)
	tag, err3 := cipher.NewGCMWithTagSize(b, 12)
	if err != nil || err2 != nil || err3 != nil {
		t.Fatal(err, err2, err3)
	}
	for function, result := range map[string]any{
		"NewGCM": gcm, "NewGCMWithNonceSize": nonce, "NewGCMWithTagSize": tag, "NewCTR": cipher.NewCTR(b, iv),
		"NewCBCEncrypter": cipher.NewCBCEncrypter(b, iv), "NewCBCDecrypter": cipher.NewCBCDecrypter(b, iv),
	} {
		if from := reflect.TypeOf(result).Elem().PkgPath(); !strings.HasPrefix(from, "kcrypto/compat/") {
			t.Errorf("cipher.%s made a %T: this version of Go no longer asks a Block for its own mode, so programs that import "+
				"kcrypto/compat/aes get Go's slow generic code. They should call kcrypto.NewAEAD and kcrypto.NewSkcipher instead.",
				function, result)
		}
	}
}

func TestGCM(t *testing.T) {
	for _, size := range keySizes {
		original, ours := blocks(t, size)
		for _, nonce := range []int{1, 8, 11, 12, 13, 16, 24, 100} {
			pairOfGCMs(t, original, ours, func(b cipher.Block) (cipher.AEAD, error) {
				return cipher.NewGCMWithNonceSize(b, nonce)
			})
		}
		for _, tag := range []int{12, 13, 14, 15, 16} {
			pairOfGCMs(t, original, ours, func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(b, tag) })
		}
		pairOfGCMs(t, original, ours, cipher.NewGCM)
	}
}

func pairOfGCMs(t *testing.T, original, ours cipher.Block, newGCM func(cipher.Block) (cipher.AEAD, error)) {
	t.Helper()
	a, err := newGCM(original)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newGCM(ours)
	if err != nil {
		t.Fatal(err)
	}
	equiv.AEADs(t, a, b)
}

func TestGCMSizes(t *testing.T) {
	original, ours := blocks(t, 16)
	for _, n := range []int{-1, 0, 1, 4, 8, 11, 12, 16, 17, 32, 1 << 20} {
		for name, newGCM := range map[string]func(cipher.Block, int) (cipher.AEAD, error){
			"NewGCMWithNonceSize": cipher.NewGCMWithNonceSize, "NewGCMWithTagSize": cipher.NewGCMWithTagSize,
		} {
			call := func(b cipher.Block) equiv.Outcome {
				return equiv.Of(func() ([]byte, error) {
					a, err := newGCM(b, n)
					if err != nil {
						if a != nil {
							t.Errorf("%s, %d: an error and an AEAD", name, n)
						}
						return nil, err
					}
					return fmt.Append(nil, a.NonceSize(), a.Overhead()), nil
				})
			}
			equiv.Check(t, fmt.Sprintf("%s of %d", name, n), call(original), call(ours))
		}
	}
	for want, sizes := range map[string][][2]int{
		"cipher: the nonce can't have zero length": {{0, 16}, {-1, 16}},
		"cipher: incorrect tag size given to GCM":  {{12, 11}, {12, 17}, {0, 0}},
	} {
		for _, c := range sizes {
			if a, err := ours.(*aes.Block).NewGCM(c[0], c[1]); a != nil || err == nil || err.Error() != want {
				t.Errorf("the hook itself, with a nonce of %d bytes and a tag of %d: error %v, want %s", c[0], c[1], err, want)
			}
		}
	}
}

func TestCTR(t *testing.T) {
	ivs := map[string][]byte{
		"zero": make([]byte, 16), "any": equiv.Pattern(16), "ones": bytes.Repeat([]byte{255}, 16),
		"carry into the high half": append(make([]byte, 8), bytes.Repeat([]byte{255}, 8)...),
		"carry soon":               append(make([]byte, 12), 255, 255, 255, 250),
	}
	for _, size := range keySizes {
		original, ours := blocks(t, size)
		for _, iv := range ivs {
			equiv.Streams(t, func() cipher.Stream { return cipher.NewCTR(original, iv) },
				func() cipher.Stream { return cipher.NewCTR(ours, iv) })
		}
	}
}

func TestCTRIVSize(t *testing.T) {
	original, ours := blocks(t, 16)
	for _, n := range []int{0, 1, 12, 15, 17, 32} {
		call := func(b cipher.Block) equiv.Outcome {
			return equiv.Of(func() ([]byte, error) { cipher.NewCTR(b, make([]byte, n)); return nil, nil })
		}
		equiv.Check(t, fmt.Sprintf("NewCTR with an IV of %d bytes", n), call(original), call(ours))
	}
}

// TestCTRKeepsIV: the stream has its own copy of the IV.
func TestCTRKeepsIV(t *testing.T) {
	original, ours := blocks(t, 16)
	iv := equiv.Pattern(16)
	a, b := cipher.NewCTR(original, iv), cipher.NewCTR(ours, iv)
	clear(iv)
	want, got := make([]byte, 40), make([]byte, 40)
	a.XORKeyStream(want, want)
	b.XORKeyStream(got, got)
	if !bytes.Equal(got, want) {
		t.Error("a change of the caller's IV changes the stream")
	}
}

func TestRandomNonceIsRefused(t *testing.T) {
	_, ours := blocks(t, 16)
	if a, err := cipher.NewGCMWithRandomNonce(ours); err == nil || a != nil {
		t.Error("cipher.NewGCMWithRandomNonce takes our Block: the package's documentation says it does not")
	}
	if _, err := cipher.NewGCMWithRandomNonce(must(stdaes.NewCipher(make([]byte, 16)))); err != nil {
		t.Error(err)
	}
}

func must(b cipher.Block, err error) cipher.Block {
	if err != nil {
		panic(err)
	}
	return b
}
