// Package overlap reports whether two byte slices share memory, as crypto/cipher's rules need it.
package overlap

import "unsafe"

// Any reports whether x and y share at least one byte. Only lengths count, not capacities.
//
// They do if y begins less than len(x) bytes after the beginning of x, or less than len(y) bytes before it. With
// len(y)-1 added to the distance, that is one comparison of unsigned numbers.
func Any(x, y []byte) bool {
	n, m := uintptr(len(x)), uintptr(len(y))
	return address(y)-address(x)+m-1 < n+m-1 && n > 0 && m > 0
}

// Inexact reports whether x and y share a byte without starting at the same one: the case no driver supports.
func Inexact(x, y []byte) bool { return address(x) != address(y) && Any(x, y) }

func address(x []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(x))) }
