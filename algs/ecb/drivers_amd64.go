//go:build !purego

package ecb

import "kcrypto/registry"

// asmDrivers lists the drivers in assembly, lowest rung first.
func asmDrivers() []registry.Driver {
	return []registry.Driver{
		asmDriver("aesni", "aesni", aesni),
		asmDriver("vaes-avx2", "vaes_avx2", vaesAVX2),
		asmDriver("vaes-avx512", "vaes_avx512", vaesAVX512),
	}
}

// asmDriver describes a driver whose implementation bears the name of the level of internal/cpu that it needs.
func asmDriver(suffix, level string, i impl) registry.Driver {
	d := driver(level, func(c registry.Config) registry.Skcipher { return newAsmKey(i, c) })
	d.Name = "ecb-aes-" + suffix
	d.Needs = []string{level}
	return d
}
