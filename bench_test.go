package kcrypto_test

import (
	"fmt"
	"slices"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// Benchmarks in Go's form, of every driver that works here: go test -run - -bench 'Seal/gcm-aes'. tcrypt speed has
// better ones for comparisons: interleaved rounds, ratios, cycles.

var benchSizes = []int{16, 64, 256, 512, 1024, 1420, 4096, 16384, 65536}

// eachBench runs f for every driver and size, with buffers of that size and room for a tag.
func eachBench(b *testing.B, kind registry.Type, f func(b *testing.B, d registry.Info, buf []byte)) {
	for _, d := range working(kind) {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("%s/%d", d.Driver, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				b.ReportAllocs()
				f(b, d, make([]byte, n, n+16))
			})
		}
	}
}

func benchAEAD(b *testing.B, d registry.Info) (a *kcrypto.AEAD, nonce, aad []byte) {
	model := aeadModelOf(b, d.Algorithm)
	a = newAEAD(b, d, letters{make([]byte, slices.Max(model.keySizes)), model.nonce, 16, nil})
	return a, make([]byte, model.nonce), make([]byte, 8)
}

func BenchmarkSeal(b *testing.B) {
	eachBench(b, registry.TypeAEAD, func(b *testing.B, d registry.Info, buf []byte) {
		a, nonce, aad := benchAEAD(b, d)
		for b.Loop() {
			a.Seal(buf[:0], nonce, buf, aad)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	eachBench(b, registry.TypeAEAD, func(b *testing.B, d registry.Info, buf []byte) {
		a, nonce, aad := benchAEAD(b, d)
		sealed := a.Seal(nil, nonce, buf, aad)
		for b.Loop() {
			if _, err := a.Open(buf[:0], nonce, sealed, aad); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func benchSkcipher(b *testing.B, d registry.Info) (s *kcrypto.Skcipher, iv []byte) {
	model := skModelOf(b, d.Algorithm)
	return newSkcipher(b, d, make([]byte, slices.Max(model.keySizes))), make([]byte, model.iv)
}

func BenchmarkEncrypt(b *testing.B) {
	eachBench(b, registry.TypeSkcipher, func(b *testing.B, d registry.Info, buf []byte) {
		s, iv := benchSkcipher(b, d)
		buf = buf[:len(buf)&^15]
		for b.Loop() {
			if err := s.Encrypt(buf, buf, iv); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDecrypt(b *testing.B) {
	eachBench(b, registry.TypeSkcipher, func(b *testing.B, d registry.Info, buf []byte) {
		s, iv := benchSkcipher(b, d)
		buf = buf[:len(buf)&^15]
		for b.Loop() {
			if err := s.Decrypt(buf, buf, iv); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSectors is disk work: 64 KiB in one call.
func BenchmarkSectors(b *testing.B) {
	for _, d := range kcrypto.Drivers("xts(aes)") {
		for _, size := range []int{512, 4096} {
			b.Run(fmt.Sprintf("%s/%d", d.Driver, size), func(b *testing.B) {
				s, buf := newSkcipher(b, d, make([]byte, 64)), make([]byte, 65536)
				b.SetBytes(int64(len(buf)))
				for b.Loop() {
					if err := s.EncryptSectors(buf, buf, size, 1); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkTransform is a transform for one message: what New costs beyond SetKey is to stay under 500 ns.
func BenchmarkTransform(b *testing.B) {
	key := make([]byte, 32)
	b.Run("SetKey", func(b *testing.B) {
		a, err := kcrypto.AllocAEAD("gcm(aes)")
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := a.SetKey(key); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("NewAEAD+Close", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a, err := kcrypto.NewAEAD("gcm(aes)", key)
			if err != nil {
				b.Fatal(err)
			}
			a.Close()
		}
	})
	b.Run("NewAEAD", func(b *testing.B) { // the collector closes it
		b.ReportAllocs()
		for b.Loop() {
			if _, err := kcrypto.NewAEAD("gcm(aes)", key); err != nil {
				b.Fatal(err)
			}
		}
	})
}
