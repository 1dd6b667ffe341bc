//go:build !purego

package chacha

import (
	"slices"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly. avx512 wants BMI2 for its masks. It does not want IFMA, which the first CPUs
// with AVX-512 lack: there Poly1305 runs in general registers.
func asmDrivers(f cpu.Features) []registry.Driver {
	widest := avx512
	if f.Has("ifma") {
		widest = avx512IFMA
	}
	return slices.Concat(
		rung("ssse3", ssse3, "ssse3"),
		rung("avx2", avx2, "avx2"),
		rung("avx512", widest, "avx512", "bmi2"))
}
