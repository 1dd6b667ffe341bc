package ctr

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"slices"
	"testing"
	"time"
)

// BenchmarkGenericAgainstGo times the generic driver and crypto/cipher in turn, in short windows, and reports the
// median of the ratios: how many times as fast as Go's own code ours is. With GODEBUG=cpu.aes=off Go's own is generic
// too.
func BenchmarkGenericAgainstGo(b *testing.B) {
	for _, keyLen := range []int{16, 32} {
		for _, size := range []int{16, 64, 256, 1024, 1420, 4096, 16384, 65536} {
			b.Run(fmt.Sprintf("key=%d/size=%d", 8*keyLen, size), func(b *testing.B) {
				var g genericCTR
				key, iv, buf := make([]byte, keyLen), make([]byte, blockSize), make([]byte, size)
				if err := g.SetKey(key); err != nil {
					b.Fatal(err)
				}
				block, err := aes.NewCipher(key)
				if err != nil {
					b.Fatal(err)
				}
				calls := max(1, 16384/size)
				window := func(f func()) float64 {
					start := time.Now()
					for range calls {
						f()
					}
					return float64(time.Since(start)) / float64(calls)
				}
				var ratios, ours []float64
				for b.Loop() {
					t := window(func() { g.Encrypt(buf, buf, iv) })
					std := window(func() { cipher.NewCTR(block, iv).XORKeyStream(buf, buf) })
					ours, ratios = append(ours, t), append(ratios, std/t)
				}
				slices.Sort(ratios)
				slices.Sort(ours)
				b.ReportMetric(ratios[len(ratios)/2], "x-Go")
				b.ReportMetric(ours[len(ours)/5], "ns/call")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
