//go:build !purego

package chacha

import (
	"slices"

	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly.
func asmDrivers() []registry.Driver {
	return slices.Concat(
		rung("ssse3", ssse3, "ssse3"),
		rung("avx2", avx2, "avx2"),
		rung("avx512", avx512, "avx512", "bmi2"))
}
