// Package overlap tells whether two byte slices share memory, as crypto/cipher's rules need it.
package overlap

import "unsafe"

// Any reports whether x and y share at least one byte. Only lengths count, not capacities.
func Any(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	px, py := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0]))
	return px <= py+uintptr(len(y)-1) && py <= px+uintptr(len(x)-1)
}

// Inexact reports whether x and y share a byte without starting at the same one: the case no driver supports.
func Inexact(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 || &x[0] == &y[0] {
		return false
	}
	return Any(x, y)
}
