//go:build !purego

package chacha

import (
	"testing"

	"kcrypto/internal/codesize"
)

// TestCodeSize holds the assembly of all drivers to 50 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(
		`xorSSSE3|xorAVX2|xorAVX512|sumIFMA|sumAVX2|packetIFMA|squareEight|addEight|macShort|macRest|shortAVX512`)
	if err != nil {
		t.Skipf("NOT RUN HERE: it wants the go command and the sources: %v", err)
	}
	codesize.Check(t, sizes, 11, 50000)
}
