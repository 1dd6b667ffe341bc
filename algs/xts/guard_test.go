package xts

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// TestGuardPages puts every operand between unmapped pages, so close that a byte beyond its end, or before its
// beginning, is a fault; src is read-only while dst is elsewhere.
func TestGuardPages(t *testing.T) {
	if !guard.Available {
		t.Log("NOT CHECKED HERE: there are no guard pages on this system; results only")
	}
	const most = 2 * 4096
	arena := func(n int) *guard.Arena {
		a, err := guard.New(n)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Free() })
		return a
	}
	keys, ivs, srcs, dsts := arena(64), arena(blockSize), arena(most), arena(most)
	places := []struct {
		name string
		take func(a *guard.Arena, n int) []byte
	}{{"before an unmapped page", (*guard.Arena).After}, {"behind an unmapped page", (*guard.Arena).Before}}
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{6})
		if d.Impl == "generic" {
			t.Skip("portable Go: its slices are checked by the runtime")
		}
		for _, place := range places {
			key, iv := place.take(keys, 64), place.take(ivs, blockSize)
			rng.Read(key)
			rng.Read(iv)
			var c registry.SectorCipher
			try := func(what string, f func()) {
				t.Helper()
				if err := guard.Run(f); err != nil {
					t.Fatalf("%s, %s: %v", what, place.name, err)
				}
			}
			try("SetKey", func() { c = open(t, d, key) })
			one := func(n int) {
				src, dst := place.take(srcs, n), place.take(dsts, n)
				try(fmt.Sprintf("encrypt %d bytes", n), func() { c.Encrypt(dst, src, iv) })
				try(fmt.Sprintf("decrypt %d bytes in place", n), func() { c.Decrypt(dst, dst, iv) })
				try(fmt.Sprintf("decrypt %d bytes", n), func() { c.Decrypt(dst, src, iv) })
				try(fmt.Sprintf("encrypt %d bytes in place", n), func() { c.Encrypt(dst, dst, iv) })
			}
			for n := blockSize; n <= 1100; n++ {
				one(n)
			}
			for n := 4096 - 33; n <= 4096+33; n++ {
				one(n)
			}
			for _, size := range []int{16, 17, 48, 240, 256, 512, 520, 529, 640, 768, 1024, 4095, 4096} {
				n := most / size * size
				src, dst := place.take(srcs, n), place.take(dsts, n)
				try(fmt.Sprintf("encrypt sectors of %d bytes", size), func() { c.EncryptSectors(dst, src, size, 1) })
				try(fmt.Sprintf("decrypt sectors of %d bytes", size), func() { c.DecryptSectors(dst, src, size, 1) })
			}
		}
	})
}
