//go:build !purego

// Package taint marks secret bytes for valgrind's memcheck. A secret is marked as memory that was never written:
// memcheck then follows it through every copy and operation, and reports each branch and each address that depends on
// it. Outside valgrind the calls do nothing.
package taint

import "unsafe"

//go:generate sh -c "cd ../../../../_asm && go run ./taint"

// Valgrind's requests, and memcheck's ('M', 'C' and a number), as valgrind.h and memcheck.h number them.
const (
	runningOnValgrind = 0x1001
	makeUndefined     = 0x4d430001
	makeDefined       = 0x4d430002
	getVBits          = 0x4d430008
)

// Watched reports whether valgrind runs this process.
func Watched() bool { return request(&[6]uintptr{runningOnValgrind}) != 0 }

// Secret marks b as secret.
func Secret(b []byte) { mark(makeUndefined, b) }

// Public marks b as no secret any more: a ciphertext that goes out, a verdict.
func Public(b []byte) { mark(makeDefined, b) }

func mark(what uintptr, b []byte) {
	if len(b) > 0 {
		request(&[6]uintptr{what, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b))})
	}
}

// Tainted reports whether every byte of b depends on a secret, as far as memcheck knows.
func Tainted(b []byte) bool {
	unknown := make([]byte, len(b)) // a bit set for each bit that is secret
	if len(b) > 0 && request(&[6]uintptr{getVBits, uintptr(unsafe.Pointer(&b[0])), uintptr(unsafe.Pointer(&unknown[0])),
		uintptr(len(b))}) != 1 {
		return false
	}
	for _, bits := range unknown {
		if bits == 0 {
			return false
		}
	}
	return true
}

// request hands valgrind six words, a request and its arguments, and returns the answer: 0 where nobody listens.
//
//go:noescape
func request(words *[6]uintptr) (answer uintptr)
