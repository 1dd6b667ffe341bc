//go:build !purego

package gcm

import (
	"testing"

	"kcrypto/internal/codesize"
)

// TestCodeSize holds the assembly of all drivers to 60 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(`(?:expand|hash|seal|open|batch)(?:AESNI|AESNIAVX|VAESAVX2|VAESAVX512)`)
	if err != nil {
		t.Skipf("NOT RUN HERE: it wants the go command and the sources: %v", err)
	}
	codesize.Check(t, sizes, 17, 60000)
}
