package kcrypto

import (
	"fmt"
	"testing"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// TestMaskReachesDriver masks IFMA, which no driver needs and one of them uses: it must make another object then.
func TestMaskReachesDriver(t *testing.T) {
	f, s := cpu.Host(), defaultSettings()
	masked, err := f.Mask("ifma")
	if err != nil {
		t.Fatal(err)
	}
	object := func(f cpu.Features) string {
		for _, d := range catalog(f, &s) {
			if d.Name == "chacha20poly1305-avx512" {
				return fmt.Sprintf("%+v", d.NewAEAD(registry.Config{Chunk: registry.DefaultChunk}))
			}
		}
		return ""
	}
	if !f.Has("ifma") || object(f) == "" {
		t.Skip("NOT RUN HERE: this CPU has no IFMA to mask, or this build no assembly")
	}
	if object(f) == object(masked) {
		t.Errorf("with and without IFMA: %s", object(f))
	}
}
