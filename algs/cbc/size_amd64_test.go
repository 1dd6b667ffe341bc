//go:build !purego

package cbc

import (
	"testing"

	"kcrypto/internal/codesize"
)

// TestCodeSize holds the machine code of all drivers together to 32 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(`(?:encrypt(?:Lanes)?|decrypt)V?AES[A-Z0-9]+`)
	if err != nil {
		t.Fatal(err)
	}
	codesize.Check(t, sizes, len(asmDrivers())/2*3, 32<<10)
}
