//go:build !purego

package gcm

import (
	"testing"

	"kcrypto/internal/codesize"
)

// TestCodeSize holds the assembly of all drivers to 60 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(`(?:expand|hash|seal|open|batch)[A-Z0-9]+`)
	if err != nil {
		t.Skipf("NOT RUN HERE: it wants the go command and the sources: %v", err)
	}
	codesize.Check(t, sizes, 4*len(asmDrivers())+1, 60000) // one has batches
}
