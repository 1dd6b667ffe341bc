//go:build !purego

package chacha

import "kcrypto/registry"

// asmDrivers lists the drivers in assembly.
func asmDrivers() []registry.Driver {
	return rung("avx512", avx512, "avx512", "bmi2")
}
