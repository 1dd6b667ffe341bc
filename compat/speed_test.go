package compat_test

import (
	stdaes "crypto/aes"
	"crypto/cipher"
	"fmt"
	"slices"
	"testing"
	"time"

	stdchacha20 "golang.org/x/crypto/chacha20"
	stdpoly "golang.org/x/crypto/chacha20poly1305"
	stdxts "golang.org/x/crypto/xts"

	"kcrypto/compat/aes"
	"kcrypto/compat/chacha20"
	"kcrypto/compat/chacha20poly1305"
	"kcrypto/compat/xts"
)

// BenchmarkDropIn measures what a change of import brings: the same calls on the original and on what stands in for it,
// in short turns within one process, so that whatever else the machine does hits both.
//
//	go test -run '^$' -bench DropIn ./compat
//
// It reports the medians of the time of a call, and of the ratios of neighbouring turns.
func BenchmarkDropIn(b *testing.B) {
	for _, size := range []int{16, 64, 1420, 4096, 16384} {
		for _, key := range []int{16, 32} {
			of := fmt.Sprintf("/key=%d/size=%d", key*8, size)
			originalGCM, ourGCM := gcm(stdaes.NewCipher, key), gcm(aes.NewCipher, key)
			compare(b, "cipher.NewGCM/Seal"+of, seal(originalGCM, size), seal(ourGCM, size))
			compare(b, "cipher.NewGCM/Open"+of, open(originalGCM, size), open(ourGCM, size))
			compare(b, "cipher.NewCTR"+of, xor(ctr(stdaes.NewCipher, key), size), xor(ctr(aes.NewCipher, key), size))
			whole := size &^ 15
			compare(b, "cipher.NewCBCEncrypter"+of, blocksOf(cipher.NewCBCEncrypter, stdaes.NewCipher, key, whole),
				blocksOf(cipher.NewCBCEncrypter, aes.NewCipher, key, whole))
			compare(b, "cipher.NewCBCDecrypter"+of, blocksOf(cipher.NewCBCDecrypter, stdaes.NewCipher, key, whole),
				blocksOf(cipher.NewCBCDecrypter, aes.NewCipher, key, whole))
		}
	}
	for _, size := range []int{512, 4096} {
		for _, key := range []int{32, 64} {
			of := fmt.Sprintf("/key=%d/size=%d", key*8, size)
			original := must(stdxts.NewCipher(stdaes.NewCipher, make([]byte, key)))
			ours := must(xts.NewCipher(aes.NewCipher, make([]byte, key)))
			m := make([]byte, size)
			compare(b, "xts/Encrypt"+of, func() { original.Encrypt(m, m, 1) }, func() { ours.Encrypt(m, m, 1) })
			compare(b, "xts/Decrypt"+of, func() { original.Decrypt(m, m, 1) }, func() { ours.Decrypt(m, m, 1) })
		}
	}
	for _, size := range []int{64, 1420, 16384} {
		key, nonce := make([]byte, 32), make([]byte, 12)
		compare(b, fmt.Sprintf("chacha20poly1305/Seal/size=%d", size),
			seal(must(stdpoly.New(key)), size), seal(must(chacha20poly1305.New(key)), size))
		m := make([]byte, size)
		compare(b, fmt.Sprintf("chacha20/new/size=%d", size),
			func() { must(stdchacha20.NewUnauthenticatedCipher(key, nonce)).XORKeyStream(m, m) },
			func() { must(chacha20.NewUnauthenticatedCipher(key, nonce)).XORKeyStream(m, m) })
	}
	b.Run("a new cipher.NewGCM for each message/key=128/size=1420", func(b *testing.B) {
		turns(b, func() { seal(gcm(stdaes.NewCipher, 16), 1420)() }, func() { seal(gcm(aes.NewCipher, 16), 1420)() })
	})
}

type newBlock = func(key []byte) (cipher.Block, error)

func gcm(f newBlock, key int) cipher.AEAD { return must(cipher.NewGCM(must(f(make([]byte, key))))) }

func ctr(f newBlock, key int) cipher.Stream {
	return cipher.NewCTR(must(f(make([]byte, key))), make([]byte, 16))
}

func seal(a cipher.AEAD, n int) func() {
	m, nonce, aad := make([]byte, n, n+16), make([]byte, 12), make([]byte, 13)
	return func() { a.Seal(m[:0], nonce, m, aad) }
}

func open(a cipher.AEAD, n int) func() {
	nonce, aad := make([]byte, 12), make([]byte, 13)
	sealed, out := a.Seal(nil, nonce, make([]byte, n), aad), make([]byte, n)
	return func() { must(a.Open(out[:0], nonce, sealed, aad)) }
}

func xor(s cipher.Stream, n int) func() {
	m := make([]byte, n)
	return func() { s.XORKeyStream(m, m) }
}

func blocksOf(mode func(cipher.Block, []byte) cipher.BlockMode, f newBlock, key, n int) func() {
	c, m := mode(must(f(make([]byte, key))), make([]byte, 16)), make([]byte, n)
	return func() { c.CryptBlocks(m, m) }
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func compare(b *testing.B, name string, original, ours func()) {
	b.Run(name, func(b *testing.B) { turns(b, original, ours) })
}

// turn is how long each of the two has the processor before the other.
const turn = 50 * time.Microsecond

// turns lets both calls have many turns, each of about the same time, and reports medians.
func turns(b *testing.B, original, ours func()) {
	calls := [2]int{callsIn(turn, original), callsIn(turn, ours)}
	var ns [2][]float64
	var ratios []float64
	for b.Loop() {
		t := timed(calls[0], original)
		o := timed(calls[1], ours)
		ns[0], ns[1], ratios = append(ns[0], t), append(ns[1], o), append(ratios, t/o)
	}
	b.ReportMetric(0, "ns/op") // that of a turn of both says nothing
	b.ReportMetric(median(ns[0]), "original-ns")
	b.ReportMetric(median(ns[1]), "ours-ns")
	b.ReportMetric(median(ratios), "original/ours")
}

// timed is the nanoseconds of one of n calls.
func timed(n int, call func()) float64 {
	start := time.Now()
	for range n {
		call()
	}
	return float64(time.Since(start).Nanoseconds()) / float64(n)
}

// callsIn is how many calls fill about the time d, once warm.
func callsIn(d time.Duration, call func()) int {
	timed(1000, call)
	return max(1, int(float64(d.Nanoseconds())/timed(1000, call)))
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
