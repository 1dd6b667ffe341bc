package overlap

import "testing"

// TestAll compares with the definition for every two slices of a short array.
func TestAll(t *testing.T) {
	var memory [7]byte
	slices := [][]byte{nil}
	for from := range len(memory) + 1 {
		for to := from; to <= len(memory); to++ {
			slices = append(slices, memory[from:to])
		}
	}
	for _, x := range slices {
		for _, y := range slices {
			any := false
			for i := range x {
				for j := range y {
					any = any || &x[i] == &y[j]
				}
			}
			if Any(x, y) != any {
				t.Errorf("Any of %d bytes at %p and %d bytes at %p is %t", len(x), x, len(y), y, !any)
			}
			if inexact := any && &x[0] != &y[0]; Inexact(x, y) != inexact {
				t.Errorf("Inexact of %d bytes at %p and %d bytes at %p is %t", len(x), x, len(y), y, !inexact)
			}
		}
	}
}
