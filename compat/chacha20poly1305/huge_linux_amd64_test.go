package chacha20poly1305_test

import (
	"crypto/cipher"
	"fmt"
	"testing"

	"kcrypto/compat/internal/equiv"
)

// TestTooLong: one byte over the limit of RFC 8439, 2^38 - 64 bytes, without touching any.
func TestTooLong(t *testing.T) {
	huge := equiv.Huge(t, 1<<38)
	for name := range variants {
		original, ours := both(t, name)
		nonce := make([]byte, ours.NonceSize())
		for _, n := range []int{1<<38 - 63, 1 << 38} {
			seal := func(a cipher.AEAD) equiv.Outcome {
				return equiv.Of(func() ([]byte, error) { return a.Seal(nil, nonce, huge[:n], nil), nil })
			}
			equiv.Check(t, fmt.Sprintf("%s: Seal of %d bytes", name, n), seal(original), seal(ours))
		}
		for _, n := range []int{1<<38 - 47, 1 << 38} {
			open := func(a cipher.AEAD) equiv.Outcome {
				return equiv.Of(func() ([]byte, error) { return a.Open(nil, nonce, huge[:n], nil) })
			}
			equiv.Check(t, fmt.Sprintf("%s: Open of %d bytes", name, n), open(original), open(ours))
		}
	}
}
