//go:build !purego

package ctr

import (
	"math"
	"testing"

	"kcrypto/internal/aes"
	"kcrypto/internal/codesize"
	"kcrypto/registry"
)

// TestCodeSize holds the machine code of all drivers together to 30 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(`x?ctr[A-Z0-9]+`)
	if err != nil {
		t.Fatal(err)
	}
	codesize.Check(t, sizes, len(asmDrivers()), 30_000)
}

// TestChunkOfKeys: one call of assembly takes what the registry says, and never as much as 2^32 blocks.
func TestChunkOfKeys(t *testing.T) {
	for chunk, want := range map[int]int{1: loopBytes, registry.DefaultChunk: registry.DefaultChunk, 1 << 30: 1 << 30,
		math.MaxInt: 1 << 30} {
		k := newKey(aes.AESNI, registry.Config{Chunk: chunk})
		if k.chunk != want || !k.fits(want) || k.fits(want+1) || k.fits(0) {
			t.Errorf("chunks of %d bytes are asked for: %d", chunk, k.chunk)
		}
	}
}
