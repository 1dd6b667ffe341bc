package aes_test

import (
	"crypto/cipher"
	"fmt"
	"testing"

	"kcrypto/compat/internal/alike"
)

// TestGCMTooLong: one byte over the limit of SP 800-38D, 2^36 - 32 bytes, without touching any.
func TestGCMTooLong(t *testing.T) {
	huge := alike.Huge(t, 1<<36)
	theirs, ours := blocks(t, 16)
	for _, n := range []int{1<<36 - 31, 1 << 36} {
		seal := func(b cipher.Block) alike.Outcome {
			return alike.Of(func() ([]byte, error) {
				a, err := cipher.NewGCM(b)
				if err != nil {
					return nil, err
				}
				return a.Seal(nil, make([]byte, 12), huge[:n], nil), nil
			})
		}
		alike.Check(t, fmt.Sprintf("Seal of %d bytes", n), seal(theirs), seal(ours))
	}
	open := func(b cipher.Block) alike.Outcome {
		return alike.Of(func() ([]byte, error) {
			a, err := cipher.NewGCM(b)
			if err != nil {
				return nil, err
			}
			return a.Open(nil, make([]byte, 12), huge[:1<<36-31+16], nil)
		})
	}
	alike.Check(t, "Open of a byte too many", open(theirs), open(ours))
}
