//go:build amd64 && !purego

package main

import (
	"runtime"

	"kcrypto/tools/consttime/internal/taint"
)

// Two leaks made on purpose: where valgrind does not report them, its silence about others means nothing.

//go:noinline
func plantedBranch() {
	if secret(1)[0] == 7 {
		runtime.Gosched() // a call, so that the compiler cannot do without the branch
	}
}

//go:noinline
func plantedIndex() {
	var table [256]byte
	b := []byte{table[secret(1)[0]]}
	taint.Public(b)
	runtime.KeepAlive(b)
}
