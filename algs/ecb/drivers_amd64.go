//go:build !purego

package ecb

import "kcrypto/registry"

// asmDrivers lists the drivers in assembly, lowest rung first.
func asmDrivers() []registry.Driver {
	return []registry.Driver{
		asmDriver("aesni", "aesni", aesni),
		asmDriver("vaes_avx2", "vaes_avx2", vaesAVX2),
		asmDriver("vaes_avx512", "vaes_avx512", vaesAVX512),
	}
}

// asmDriver describes a driver that needs a level of internal/cpu.
func asmDriver(name, level string, i impl) registry.Driver {
	d := driver(name, func(c registry.Config) registry.Skcipher { return newAsmKey(i, c) })
	d.Needs = []string{level}
	return d
}
