package equiv

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Streams checks that the streams of ours behave as those of original do, with the same key and IV.
func Streams(t *testing.T, original, ours func() cipher.Stream) {
	t.Helper()
	for _, pieces := range [][]int{
		{0}, {1}, {15}, {16}, {17}, {63}, {64}, {65}, {1000}, {70000}, {1, 1, 1, 13, 16, 0, 1}, {5, 59, 64, 1, 127, 200},
		{16, 16, 5, 11, 64, 3, 3, 3, 1000, 7}, slices.Repeat([]int{1}, 200), slices.Repeat([]int{7, 130}, 20),
	} {
		inPieces(t, fmt.Sprint(pieces[:min(len(pieces), 10)]), original(), ours(), pieces)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		pieces := make([]int, 1+r.IntN(20))
		for i := range pieces {
			pieces[i] = r.IntN(1 << r.IntN(10))
		}
		inPieces(t, fmt.Sprint(pieces), original(), ours(), pieces)
	}
	streamMistakes(t, original, ours)
}

// inPieces gives both the same pieces, in turns to other memory, in place, and to memory that is longer than needed.
func inPieces(t *testing.T, what string, original, ours cipher.Stream, pieces []int) {
	t.Helper()
	for i, n := range pieces {
		src := Pattern(n)
		want, got := make([]byte, n+i%3), make([]byte, n+i%3)
		original.XORKeyStream(want, src)
		if i%3 == 1 {
			copy(got, src)
			ours.XORKeyStream(got[:n], got[:n])
		} else {
			ours.XORKeyStream(got, src)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("pieces %s: piece %d is %x, the original's is %x", what, i, got, want)
		}
	}
}

// streamMistakes checks that the panics are the same, and that the stream continues at the same position after them.
func streamMistakes(t *testing.T, original, ours func() cipher.Stream) {
	t.Helper()
	const n = 100
	for name, mistake := range map[string]func(s cipher.Stream, m []byte){
		"dst shorter than src":        func(s cipher.Stream, m []byte) { s.XORKeyStream(m[:n-1], m[n:2*n]) },
		"dst nil":                     func(s cipher.Stream, m []byte) { s.XORKeyStream(nil, m[:1]) },
		"dst one byte after src":      func(s cipher.Stream, m []byte) { s.XORKeyStream(m[1:n+1], m[:n]) },
		"dst one byte before src":     func(s cipher.Stream, m []byte) { s.XORKeyStream(m[:n], m[1:n+1]) },
		"dst's last byte is src's 1.": func(s cipher.Stream, m []byte) { s.XORKeyStream(m[:n], m[n-1:2*n-1]) },
		"dst's capacity reaches src":  func(s cipher.Stream, m []byte) { s.XORKeyStream(m[:n], m[n:2*n]) },
		"dst's length reaches src":    func(s cipher.Stream, m []byte) { s.XORKeyStream(m[:n+10], m[n:2*n]) },
		"src empty, inside dst":       func(s cipher.Stream, m []byte) { s.XORKeyStream(m[:n], m[5:5]) },
	} {
		for _, before := range []int{0, 3} {
			use := func(s cipher.Stream) Outcome {
				m := Pattern(2 * n)
				s.XORKeyStream(m[:before], m[:before])
				o := Of(func() ([]byte, error) { mistake(s, m); return m, nil })
				s.XORKeyStream(m, m)
				o.Out = m
				return o
			}
			Check(t, fmt.Sprintf("%s, after %d bytes", name, before), use(original()), use(ours()))
		}
	}
}
