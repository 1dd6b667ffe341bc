//go:build !purego

package ctr

import (
	"testing"

	"kcrypto/internal/codesize"
)

// TestCodeSize holds the machine code of all drivers together to 30 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(`x?ctr[A-Z0-9]+`)
	if err != nil {
		t.Fatal(err)
	}
	codesize.Check(t, sizes, len(asmDrivers()), 30_000)
}
