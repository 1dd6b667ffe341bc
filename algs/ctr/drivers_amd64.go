//go:build !purego

package ctr

import "kcrypto/registry"

// asmDrivers lists the drivers in assembly, lowest rung first.
func asmDrivers() []registry.Driver {
	return []registry.Driver{
		asmDriver("ctr", "aesni", "aesni", newAsmCTR(aesni)),
		asmDriver("ctr", "aesni-avx", "aesni_avx", newAsmCTR(aesniAVX)),
		asmDriver("ctr", "vaes-avx2", "vaes_avx2", newAsmCTR(vaesAVX2)),
		asmDriver("ctr", "vaes-avx512", "vaes_avx512", newAsmCTR(vaesAVX512)),
		asmDriver("xctr", "aesni-avx", "aesni_avx", newAsmXCTR(aesniAVX)),
		asmDriver("xctr", "vaes-avx2", "vaes_avx2", newAsmXCTR(vaesAVX2)),
		asmDriver("xctr", "vaes-avx512", "vaes_avx512", newAsmXCTR(vaesAVX512)),
	}
}

// asmDriver describes a driver whose implementation bears the name of the level of internal/cpu that it needs.
func asmDriver(mode, suffix, level string, build func(registry.Config) registry.Skcipher) registry.Driver {
	d := driver(mode, level, build)
	d.Name = mode + "-aes-" + suffix
	d.Needs = []string{level}
	return d
}
