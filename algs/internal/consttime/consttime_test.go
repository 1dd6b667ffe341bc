package consttime

import "testing"

// TestEqual changes every bit of a tag.
func TestEqual(t *testing.T) {
	a := [16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	if !Equal(&a, &a) || !EqualWords(&a, 0x0807060504030201, 0x100f0e0d0c0b0a09) {
		t.Error("a tag differs from itself")
	}
	for bit := range 8 * len(a) {
		b := a
		b[bit/8] ^= 1 << (bit % 8)
		if Equal(&a, &b) || Equal(&b, &a) {
			t.Errorf("equal with bit %d flipped", bit)
		}
	}
}
