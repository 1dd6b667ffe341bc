package selftest

import "testing"

// TestSource: a seed of its own in every run, 64 bits of it drawn; the same numbers from the same seed.
func TestSource(t *testing.T) {
	var ones uint64
	for range 100 {
		ones |= newSource(0).seed
	}
	if ones != 1<<64-1 {
		t.Errorf("bits that no seed of 100 has: %#x", ^ones)
	}
	for bit := range 64 {
		a, b, c := newSource(7), newSource(7), newSource(7^1<<bit)
		x, y, z := a.Uint64(), b.Uint64(), c.Uint64()
		if x != y {
			t.Fatalf("seed 7 gives %#x, then %#x", x, y)
		}
		if x == z {
			t.Errorf("bit %d of the seed changes nothing", bit)
		}
	}
}
