package kcrypto_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kcrypto"
	"kcrypto/registry"
)

// Benchmarks in Go's form, of every driver that works here: go test -run - -bench 'Seal/gcm-aes'. tcrypt speed has
// better ones for comparisons: interleaved rounds, ratios, cycles.

var benchSizes = []int{16, 64, 256, 512, 1024, 1420, 4096, 16384, 65536}

// eachBench runs f for every driver and size, with a buffer of that size and capacity for a tag.
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
	a = newAEAD(b, d, keyedMessages{make([]byte, slices.Max(model.keySizes)), model.nonce, 16, nil})
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

// BenchmarkBatch measures 64 packets of one size in one call and in 64 calls, in turns. It reports the medians
// of the time a packet, and of the ratios of neighbouring turns: how many times as long the single calls take.
func BenchmarkBatch(b *testing.B) {
	for _, c := range []struct {
		algorithm string
		key       int
	}{{"gcm(aes)", 16}, {"gcm(aes)", 32}, {"rfc7539(chacha20,poly1305)", 32}} {
		for _, d := range working(registry.TypeAEAD) {
			if d.Algorithm != c.algorithm {
				continue
			}
			for _, n := range []int{16, 64, 128, 256, 512, 1420} {
				for _, opening := range []bool{false, true} {
					way := map[bool]string{false: "seal", true: "open"}[opening]
					b.Run(fmt.Sprintf("%s/%d/%s/%d", d.Driver, 8*c.key, way, n), func(b *testing.B) {
						benchBatch(b, newAEAD(b, d, keyedMessages{make([]byte, c.key), d.IVSize, 16, nil}), n, opening)
					})
				}
			}
		}
	}
}

func benchBatch(b *testing.B, a *kcrypto.AEAD, n int, opening bool) {
	packets := make([]kcrypto.Packet, 64)
	for i := range packets {
		p := &packets[i]
		*p = kcrypto.Packet{Nonce: make([]byte, a.NonceSize()), AAD: make([]byte, 13), Src: make([]byte, n),
			Dst: make([]byte, 0, n+16)}
		if opening {
			p.Src = a.Seal(nil, p.Nonce, p.Src, p.AAD)
		}
	}
	single := func() {
		for i := range packets {
			p := &packets[i]
			if opening {
				p.Dst, p.Err = a.Open(p.Dst[:0], p.Nonce, p.Src, p.AAD)
			} else {
				p.Dst = a.Seal(p.Dst[:0], p.Nonce, p.Src, p.AAD)
			}
		}
	}
	batch := func() {
		for i := range packets {
			packets[i].Dst = packets[i].Dst[:0]
		}
		if !opening {
			a.SealBatch(packets)
		} else if a.OpenBatch(packets) != 0 {
			b.Fatal("not authentic")
		}
	}
	one, many, ratio := inTurns(b, single, batch)
	b.ReportMetric(one/float64(len(packets)), "single-ns/packet")
	b.ReportMetric(many/float64(len(packets)), "batch-ns/packet")
	b.ReportMetric(ratio, "single/batch")
}

// inTurns lets f and g take turns, and returns the medians of the time in ns of a call of each, and of the ratios of
// neighbouring turns.
func inTurns(b *testing.B, f, g func()) (nsF, nsG, ratio float64) {
	var times [2][]float64
	turns := func() {
		for i, f := range []func(){f, g} {
			const repeats = 8
			start := time.Now()
			for range repeats {
				f()
			}
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/repeats)
		}
	}
	for b.Loop() {
		turns()
	}
	for len(times[0]) < 11 { // with -benchtime 1x one disturbance would be the result
		turns()
	}
	b.ReportMetric(0, "ns/op") // the time of both together says nothing
	return besides(times[0], times[1])
}

// BenchmarkPieces measures a message in pieces of one size, and in one call, in turns. It reports the medians of the
// times, and of the ratios: 1 is as fast as in one call.
func BenchmarkPieces(b *testing.B) {
	for _, d := range working(registry.TypeAEAD) {
		if d.Algorithm != "gcm(aes)" && d.Algorithm != "rfc7539(chacha20,poly1305)" {
			continue
		}
		for _, c := range []struct{ piece, message int }{
			{64, 1024}, {64, 4096}, {64, 65536}, {256, 4096}, {1000, 65536}, {1420, 65536}, {4096, 65536}, {16384, 1 << 20},
		} {
			for _, way := range []string{"seal", "open", "parts"} {
				b.Run(fmt.Sprintf("%s/%s/%d/%d", d.Driver, way, c.piece, c.message), func(b *testing.B) {
					benchPieces(b, d, way, c.piece, c.message)
				})
			}
		}
	}
}

func benchPieces(b *testing.B, d registry.Info, way string, piece, message int) {
	a, nonce, aad := benchAEAD(b, d)
	text, out := make([]byte, message), make([]byte, message+16)
	sealed := a.Seal(nil, nonce, text, aad)
	s, o := must(a.Sealer(nonce, aad)), must(a.UnverifiedOpener(nonce, aad))
	src := slices.Collect(slices.Chunk(text, piece))
	dst := slices.Collect(slices.Chunk(out, piece))
	single := func() { a.Seal(out[:0], nonce, text, aad) }
	pieces := func() {
		s.Reset(nonce, aad)
		to := out[:0]
		for _, p := range src {
			to = s.Seal(to, p)
		}
		s.Final(to)
	}
	switch way {
	case "open":
		single = func() { a.Open(out[:0], nonce, sealed, aad) }
		pieces = func() {
			o.Reset(nonce, aad)
			to := out[:0]
			for p := range slices.Chunk(sealed[:message], piece) {
				to = must(o.Open(to, p))
			}
			if o.Final(sealed[message:]) != nil {
				b.Fatal("not authentic")
			}
		}
	case "parts":
		pieces = func() {
			if err := a.SealParts(dst, nonce, src, aad); err != nil {
				b.Fatal(err)
			}
		}
	}
	one, many, ratio := inTurns(b, single, pieces)
	b.ReportMetric(one, "one-ns")
	b.ReportMetric(many, "pieces-ns")
	b.ReportMetric(ratio, "one/pieces")
}

// besides returns the medians of x, of y, and of the ratios of their elements, which were measured in turns.
func besides(x, y []float64) (mx, my, ratio float64) {
	ratios := make([]float64, len(x))
	for i := range x {
		ratios[i] = x[i] / y[i]
	}
	middle := func(v []float64) float64 {
		s := slices.Sorted(slices.Values(v))
		return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
	}
	return middle(x), middle(y), middle(ratios)
}

// One disturbance is in no figure of a benchmark.
func TestBesides(t *testing.T) {
	x, y := []float64{20, 400, 20, 20}, []float64{10, 10, 10, 10}
	if mx, my, ratio := besides(x, y); mx != 20 || my != 10 || ratio != 2 {
		t.Errorf("%v and %v, ratio %v", mx, my, ratio)
	}
	if _, _, ratio := besides(y, x); ratio != 0.5 {
		t.Errorf("ratio %v", ratio)
	}
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

// BenchmarkSectors encrypts 64 KiB of a disk in one call, with numbers in a row and in steps.
func BenchmarkSectors(b *testing.B) {
	for _, algorithm := range sectorAlgorithms {
		for _, d := range kcrypto.Drivers(algorithm) {
			for _, size := range []int{512, 4096} {
				for _, step := range []uint64{1, 8} {
					b.Run(fmt.Sprintf("%s/%d/%d", d.Driver, size, step), func(b *testing.B) {
						s, buf := newSkcipher(b, d, make([]byte, d.KeySizes[len(d.KeySizes)-1])), make([]byte, 65536)
						b.SetBytes(int64(len(buf)))
						for b.Loop() {
							if err := s.EncryptSectorsIV(buf, buf, size, kcrypto.SectorIV{First: 1, Step: step}); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}

// BenchmarkTransform makes a transform for one message. New should take less than 500 ns more than SetKey.
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
