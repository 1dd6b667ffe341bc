// Package overlap tells whether two byte slices share memory, as crypto/cipher's rules need it.
package overlap

import "unsafe"

// Any reports whether x and y share at least one byte. Only lengths count, not capacities.
func Any(x, y []byte) bool {
	d := address(y) - address(x) // modulo the address space: below len(x) if y begins in x, and -d if x begins in y
	return d < uintptr(len(x)) && len(y) > 0 || -d < uintptr(len(y)) && len(x) > 0
}

// Inexact reports whether x and y share a byte without starting at the same one: the case no driver supports.
func Inexact(x, y []byte) bool { return address(x) != address(y) && Any(x, y) }

func address(x []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(x))) }
