package consttime

import (
	"bytes"
	"testing"
)

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

// TestCut cuts tags to every size: each bit of the rest counts, and no byte beyond it is written.
func TestCut(t *testing.T) {
	whole := [16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for n := 4; n <= 16; n++ {
		var room [18]byte
		room[n+1], room[0] = 0xee, 0xee
		tag := room[1 : n+1]
		PutCut(tag, &whole)
		if !bytes.Equal(tag, whole[:n]) || room[n+1] != 0xee || room[0] != 0xee {
			t.Errorf("%d bytes: %x", n, room)
		}
		if !EqualCut(&whole, tag) {
			t.Errorf("%d bytes differ from themselves", n)
		}
		for bit := range 8 * n {
			tag[bit/8] ^= 1 << (bit % 8)
			if EqualCut(&whole, tag) {
				t.Errorf("%d bytes: equal with bit %d flipped", n, bit)
			}
			tag[bit/8] ^= 1 << (bit % 8)
		}
	}
}
