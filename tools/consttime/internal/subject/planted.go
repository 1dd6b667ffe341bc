//go:build amd64 && !purego

package main

import "kcrypto/tools/consttime/internal/taint"

// Two leaks made on purpose: where valgrind does not report them, it reports nothing.

var sink byte

//go:noinline
func plantedBranch() {
	if secret(1)[0] == 7 {
		sink = 1
	}
}

//go:noinline
func plantedIndex() {
	var table [256]byte
	b := []byte{table[secret(1)[0]]}
	taint.Public(b)
	sink = b[0]
}
