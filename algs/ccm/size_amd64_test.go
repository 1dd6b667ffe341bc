//go:build !purego

package ccm

import (
	"testing"

	"kcrypto/internal/codesize"
)

// TestCodeSize holds the assembly of all drivers to 12 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(`(?:begin|mac|seal|open)[A-Z0-9]+`)
	if err != nil {
		t.Skipf("NOT RUN HERE: it wants the go command and the sources: %v", err)
	}
	codesize.Check(t, sizes, 4*len(asmDrivers()), 12000)
}
