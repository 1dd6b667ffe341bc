//go:build !purego

package chacha

import (
	"slices"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly. avx512 wants BMI2 for its masks. It does not want IFMA, which the first CPUs
// with AVX-512 lack: there Poly1305 runs in general registers.
//
// A pass of 24 blocks of ChaCha has 16 in 512-bit registers and 8 in 256-bit ones: that is faster than passes of 16 where
// these find ports that 512-bit work leaves empty, and slower by a third, by the count of instructions, where they do not.
func asmDrivers(f cpu.Features) []registry.Driver {
	widest := build{avx512, f.TwoVectorPorts()}
	if f.Has("ifma") {
		widest.impl = avx512IFMA
	}
	return slices.Concat(
		rung("ssse3", build{impl: ssse3}, "ssse3"),
		rung("avx2", build{impl: avx2}, "avx2"),
		rung("avx512", widest, "avx512", "bmi2"))
}
