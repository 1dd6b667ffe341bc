//go:build amd64 && !purego

// Command subject is what valgrind runs for consttime: every driver that it can run, with keys, texts and additional
// data marked as secret. Before each driver it says its name on stderr, between valgrind's reports.
package main

import (
	"context"
	"fmt"
	"os"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/consttime/internal/marker"
	"kcrypto/tools/consttime/internal/taint"
)

func main() {
	if !taint.Watched() {
		fmt.Fprintln(os.Stderr, "subject: valgrind is not watching: use go run ./tools/consttime valgrind")
		os.Exit(2)
	}
	fmt.Fprintln(os.Stderr, marker.Driver+marker.Planted)
	plantedBranch()
	plantedIndex()
	for _, d := range kcrypto.Drivers(os.Args[1:]...) {
		if d.SelfTest == registry.Unavailable {
			continue
		}
		if err := kcrypto.SelfTest(context.Background(), d.Driver); err != nil {
			fail(d, err)
		}
		fmt.Fprintln(os.Stderr, marker.Driver+d.Driver)
		for _, keySize := range d.KeySizes {
			if err := exercise(d, keySize); err != nil {
				fail(d, err)
			}
		}
	}
	fmt.Fprintln(os.Stderr, marker.Driver+marker.End)
}

func fail(d registry.Info, err error) {
	fmt.Fprintf(os.Stderr, "subject: %s: %v\n", d.Driver, err)
	os.Exit(1)
}

// sizes reach the short, the middle and the long path of every driver, and tails of each.
var sizes = []int{1, 15, 16, 17, 63, 64, 100, 256, 300, 511, 1024, 1420, 4096 + 5}

func exercise(d registry.Info, keySize int) error {
	key := secret(keySize)
	if d.Type == registry.TypeAEAD {
		return sealAndOpen(d, key)
	}
	return encryptAndDecrypt(d, key)
}

// secret returns n bytes that memcheck follows. They differ, so that halves of a key do.
func secret(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + 1)
	}
	taint.Secret(b)
	return b
}
