package kcrypto_test

import (
	"bytes"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// TestXTSTweaks has 32 random tweaks for every short length, so that each doubling happens with and without a carry,
// and every length around a multiple of a loop.
func TestXTSTweaks(t *testing.T) {
	checkUnitsOf(t, "xts(aes)", func(s *unitMaker) {
		tweaks := 32
		if testing.Short() {
			tweaks = 2
		}
		for n := 16; n < 128; n++ {
			for range tweaks {
				s.add(n)
			}
		}
		for border := 128; border <= 2*widest; border += 128 {
			for n := border - 1; n <= border+48; n++ {
				if !testing.Short() || n%5 == 0 {
					s.add(n)
				}
			}
		}
	})
}

// TestWeakKeys: keys with equal halves are refused only with the option, since old disks have such keys.
func TestWeakKeys(t *testing.T) {
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		for _, half := range []int{16, 24, 32} {
			key := bytes.Repeat(newRandom(t.Name()).bytes(half), 2)
			newSkcipher(t, d, key)
			_, err := kcrypto.NewSkcipher(d.Driver, key, kcrypto.WithForbidWeakKeys())
			wantError(t, "equal halves", err, registry.ErrKeySize)
			for i := range key {
				key[i] ^= 0x80
				newSkcipher(t, d, key, kcrypto.WithForbidWeakKeys())
				key[i] ^= 0x80
			}
		}
	})
}
