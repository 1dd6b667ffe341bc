package guard

import (
	"math"
	"testing"
)

func TestHuge(t *testing.T) {
	n := 1<<29 + 12345 // a 32-bit process has that much address space
	if math.MaxInt > 1<<32 {
		n = 8*(n-12345) + 12345
	}
	b, free, err := Huge(n)
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	if len(b) != n {
		t.Fatalf("len = %d, want %d", len(b), n)
	}
	b[7] = 0x5a
	for _, at := range []int{7 + hugeUnit, 7 + 100*hugeUnit, (n-8)/hugeUnit*hugeUnit + 7} {
		if b[at] != 0x5a {
			t.Errorf("b[%d] = %#x, want the byte written at 7", at, b[at])
		}
	}
	b[n-1] = 0xa5
	if b[(n-1)%hugeUnit] != 0xa5 {
		t.Error("the last byte is not the first piece's")
	}
}

func TestHugePieces(t *testing.T) {
	for _, n := range []int{0, 1, hugeUnit, hugeUnit + 1, math.MaxInt / 4, math.MaxInt/2 + 1} {
		unit := pieceSize(n)
		if unit < hugeUnit || unit&(unit-1) != 0 {
			t.Errorf("n = %d: piece of %d bytes", n, unit)
		}
		if pieces := (n + unit - 1) / unit; pieces > maxPieces {
			t.Errorf("n = %d: %d pieces", n, pieces)
		}
		if unit > hugeUnit && (n-1)/(unit/2) < maxPieces {
			t.Errorf("n = %d: pieces of %d bytes, half of it would do", n, unit)
		}
	}
}
