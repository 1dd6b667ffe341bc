package aes_test

import (
	"crypto/cipher"
	"fmt"
	"testing"

	"kcrypto/compat/internal/equiv"
)

// TestGCMTooLong: one byte over the limit of SP 800-38D, 2^36 - 32 bytes, without touching any.
func TestGCMTooLong(t *testing.T) {
	huge := equiv.Huge(t, 1<<36)
	original, ours := blocks(t, 16)
	for _, n := range []int{1<<36 - 31, 1 << 36} {
		seal := func(b cipher.Block) equiv.Outcome {
			return equiv.Of(func() ([]byte, error) {
				a, err := cipher.NewGCM(b)
				if err != nil {
					return nil, err
				}
				return a.Seal(nil, make([]byte, 12), huge[:n], nil), nil
			})
		}
		equiv.Check(t, fmt.Sprintf("Seal of %d bytes", n), seal(original), seal(ours))
	}
	open := func(b cipher.Block) equiv.Outcome {
		return equiv.Of(func() ([]byte, error) {
			a, err := cipher.NewGCM(b)
			if err != nil {
				return nil, err
			}
			return a.Open(nil, make([]byte, 12), huge[:1<<36-31+16], nil)
		})
	}
	equiv.Check(t, "Open of a byte too many", open(original), open(ours))
}
