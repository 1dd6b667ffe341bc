package chacha20_test

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"testing"

	std "golang.org/x/crypto/chacha20"

	"kcrypto/compat/chacha20"
	"kcrypto/compat/internal/equiv"
)

// stream is what either package's Cipher is.
type stream interface {
	cipher.Stream
	SetCounter(counter uint32)
}

func original(key, nonce []byte) (stream, error) {
	c, err := std.NewUnauthenticatedCipher(key, nonce)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func ours(key, nonce []byte) (stream, error) {
	c, err := chacha20.NewUnauthenticatedCipher(key, nonce)
	if err != nil {
		if c != nil {
			panic("an error and a Cipher")
		}
		return nil, err
	}
	return c, nil
}

func TestConstants(t *testing.T) {
	type sizes struct{ key, nonce, nonceX int }
	ours := sizes{chacha20.KeySize, chacha20.NonceSize, chacha20.NonceSizeX}
	if original := (sizes{std.KeySize, std.NonceSize, std.NonceSizeX}); ours != original {
		t.Errorf("sizes %v, x/crypto's are %v", ours, original)
	}
}

func TestNew(t *testing.T) {
	for key := range 40 {
		for nonce := range 30 {
			call := func(newCipher func(key, nonce []byte) (stream, error)) equiv.Outcome {
				return equiv.Of(func() ([]byte, error) {
					_, err := newCipher(make([]byte, key), make([]byte, nonce))
					return nil, err
				})
			}
			equiv.Check(t, fmt.Sprintf("a key of %d bytes, a nonce of %d", key, nonce), call(original), call(ours))
		}
	}
}

func TestStreams(t *testing.T) {
	for _, nonce := range []int{chacha20.NonceSize, chacha20.NonceSizeX} {
		start := func(newCipher func(key, nonce []byte) (stream, error), counter uint32) func() cipher.Stream {
			return func() cipher.Stream {
				s, err := newCipher(equiv.Pattern(32), equiv.Pattern(nonce))
				if err != nil {
					t.Fatal(err)
				}
				s.SetCounter(counter)
				return s
			}
		}
		for _, counter := range []uint32{0, 1, 1<<31 - 1, 1<<32 - 5000} {
			equiv.Streams(t, start(original, counter), start(ours, counter))
		}
	}
}

// TestSetCounter goes through every pair of a number of bytes used and a counter that follows, near the beginning and
// near the end of the keystream.
func TestSetCounter(t *testing.T) {
	for _, start := range []uint32{0, 1<<32 - 4} {
		for used := 0; used <= 4*64; used++ {
			for _, counter := range []uint32{0, 1, 2, 3, 4, 5, 1<<32 - 4, 1<<32 - 3, 1<<32 - 2, 1<<32 - 1} {
				call := func(newCipher func(key, nonce []byte) (stream, error)) equiv.Outcome {
					return equiv.Of(func() ([]byte, error) {
						s, err := newCipher(equiv.Pattern(32), equiv.Pattern(12))
						if err != nil {
							return nil, err
						}
						m := make([]byte, used+30)
						s.SetCounter(start)
						s.XORKeyStream(m[:used], m[:used])
						s.SetCounter(counter)
						s.XORKeyStream(m[used:], m[used:])
						return m, nil
					})
				}
				what := fmt.Sprintf("from %d on, %d bytes, SetCounter(%d)", start, used, counter)
				equiv.Check(t, what, call(original), call(ours))
			}
		}
	}
}

// TestEnd: the last byte of the keystream can be had, one more cannot, in pieces or at once.
func TestEnd(t *testing.T) {
	for _, pieces := range [][]int{
		{128}, {129}, {64, 64}, {64, 64, 1}, {100, 28}, {100, 28, 0}, {100, 29}, {1, 63, 65}, {127, 1, 1}, {70, 60},
	} {
		call := func(newCipher func(key, nonce []byte) (stream, error)) equiv.Outcome {
			return equiv.Of(func() ([]byte, error) {
				s, err := newCipher(equiv.Pattern(32), equiv.Pattern(12))
				if err != nil {
					return nil, err
				}
				s.SetCounter(1<<32 - 2)
				var out []byte
				for _, n := range pieces {
					m := make([]byte, n)
					s.XORKeyStream(m, m)
					out = append(out, m...)
				}
				return out, nil
			})
		}
		equiv.Check(t, fmt.Sprintf("the last 128 bytes in pieces %d", pieces), call(original), call(ours))
	}
}

// TestNothingAtTheEnd: where x/crypto has used up the rest of a block when it panics, nothing has happened here.
func TestNothingAtTheEnd(t *testing.T) {
	s, err := ours(equiv.Pattern(32), equiv.Pattern(12))
	if err != nil {
		t.Fatal(err)
	}
	s.SetCounter(1<<32 - 1)
	m := equiv.Pattern(100)
	s.XORKeyStream(m[:60], m[:60])
	o := equiv.Of(func() ([]byte, error) { s.XORKeyStream(m[60:65], m[60:65]); return nil, nil })
	if o.Panic != "string: chacha20: counter overflow" || !bytes.Equal(m[60:], equiv.Pattern(100)[60:]) {
		t.Errorf("panic %q, and memory changed: %v", o.Panic, !bytes.Equal(m[60:], equiv.Pattern(100)[60:]))
	}
}

// TestCopy: a Cipher that is copied is a second stream from the same place on, as x/crypto's is.
func TestCopy(t *testing.T) {
	c, err := chacha20.NewUnauthenticatedCipher(equiv.Pattern(32), equiv.Pattern(12))
	if err != nil {
		t.Fatal(err)
	}
	var a, b [100]byte
	c.XORKeyStream(a[:10], a[:10])
	d := *c
	c.XORKeyStream(a[:], a[:])
	clear(a[:])
	d.XORKeyStream(b[:], b[:])
	c.XORKeyStream(a[:], a[:])
	if a == b {
		t.Error("the copy moved with the original")
	}
	d.XORKeyStream(b[:], make([]byte, 100))
	if a != b {
		t.Error("the copy is at another place than the original was")
	}
}

func TestHChaCha20(t *testing.T) {
	for key := range 40 {
		for nonce := range 30 {
			call := func(h func(key, nonce []byte) ([]byte, error)) equiv.Outcome {
				return equiv.Of(func() ([]byte, error) { return h(equiv.Pattern(key), equiv.Pattern(nonce)) })
			}
			what := fmt.Sprintf("a key of %d bytes, a nonce of %d", key, nonce)
			equiv.Check(t, what, call(std.HChaCha20), call(chacha20.HChaCha20))
		}
	}
}

// TestNoAllocation: what QUIC does for each packet, to hide its header, costs no allocation.
func TestNoAllocation(t *testing.T) {
	key, nonce, mask := make([]byte, 32), make([]byte, 12), make([]byte, 5)
	if n := testing.AllocsPerRun(1000, func() {
		c, err := chacha20.NewUnauthenticatedCipher(key, nonce)
		if err != nil {
			t.Fatal(err)
		}
		c.SetCounter(7)
		c.XORKeyStream(mask, mask)
	}); n != 0 && !raceEnabled { // a sync.Pool under the race detector drops at random
		t.Errorf("%v allocations, want 0", n)
	}
}
