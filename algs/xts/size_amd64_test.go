//go:build !purego

package xts

import (
	"testing"

	"kcrypto/internal/codesize"
)

// TestCodeSize holds the machine code of all drivers together to 40 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(`(?:encrypt|decrypt|numbers|ivs)[A-Z0-9]+`)
	if err != nil {
		t.Fatal(err)
	}
	codesize.Check(t, sizes, 4*len(asmDrivers()), 40<<10)
}
