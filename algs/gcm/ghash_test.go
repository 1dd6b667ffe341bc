package gcm

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// slowTimes is the multiplication of SP 800-38D section 6.3, algorithm 1, bit by bit.
func slowTimes(x, y element) (z element) {
	for i := range 128 {
		bit := x.lo >> (127 - i)
		if i < 64 {
			bit = x.hi >> (63 - i)
		}
		if bit&1 == 1 {
			z = z.add(y)
		}
		odd := y.lo & 1
		y = element{y.hi >> 1, y.lo>>1 | y.hi<<63}
		if odd == 1 {
			y.hi ^= 0xe1 << 56
		}
	}
	return z
}

// slowGHASH is section 6.4, algorithm 2, of data padded with zeros.
func slowGHASH(h, y element, data []byte) element {
	for len(data) > 0 {
		var x element
		x, data = next(data)
		y = slowTimes(x.add(y), h)
	}
	return y
}

func randomElement(rng *rand.ChaCha8) element { return element{rng.Uint64(), rng.Uint64()} }

func randomBytes(rng *rand.ChaCha8, n int) []byte {
	b := make([]byte, n)
	rng.Read(b)
	return b
}

// extremes are the elements that fill columns of the integer products, or leave all but one empty.
func extremes() []element {
	list := []element{{}, {^uint64(0), ^uint64(0)}, {1 << 63, 0}, {0, 1}, {15, 15}, {^uint64(15), ^uint64(15)}}
	for shift := range 4 {
		m := uint64(every4th) << shift
		list = append(list, element{m, m}, element{m, 0}, element{0, m}, element{m, ^m}, element{^m, m})
	}
	return list
}

func TestTimes(t *testing.T) {
	rng := rand.NewChaCha8([32]byte{1})
	list := extremes()
	for range 40 {
		list = append(list, randomElement(rng))
	}
	for _, x := range list {
		for _, y := range list {
			// Once as it is, and once so that y/x is what meets x in the multiplier.
			for _, y := range []element{y, slowTimes(y, element{1 << 62, 0})} {
				var f factor
				f.set(y)
				if got, want := f.times(x), slowTimes(x, y); got != want {
					t.Fatalf("%x times %x is %x, want %x", x, y, got, want)
				}
			}
		}
	}
}

// TestGHASH compares every length up to three groups with the definition.
func TestGHASH(t *testing.T) {
	rng := rand.NewChaCha8([32]byte{2})
	for _, h := range append(extremes(), randomElement(rng), randomElement(rng)) {
		var p powers
		p.set(h)
		for n := range 3*group*blockSize + 2 {
			data, y := randomBytes(rng, n), randomElement(rng)
			if n%7 == 0 {
				for i := range data {
					data[i] = 0xff
				}
			}
			if got, want := p.hash(y, data), slowGHASH(h, y, data); got != want {
				t.Fatalf("H %x: GHASH from %x over %x is %x, want %x", h, y, data, got, want)
			}
		}
	}
}

func TestElementBytes(t *testing.T) {
	b := []byte("\x80 0123456789abc\x01")
	x := load(b)
	if got := x.bytes(); string(got[:]) != string(b) || x.hi != binary.BigEndian.Uint64(b) || x.lo&1 != 1 {
		t.Errorf("%x becomes %x and then %x", b, x, got)
	}
}

func BenchmarkGHASH(b *testing.B) {
	var p powers
	p.set(element{1, 2})
	data := make([]byte, 16384)
	b.SetBytes(int64(len(data)))
	var y element
	for b.Loop() {
		y = p.hash(y, data)
	}
}
