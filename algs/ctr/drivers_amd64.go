//go:build !purego

package ctr

import "kcrypto/registry"

// asmDrivers lists the drivers in assembly, lowest rung first.
func asmDrivers() []registry.Driver {
	return []registry.Driver{
		asmDriver("ctr", "aesni", "aesni", newAsmCTR(aesni)),
		asmDriver("ctr", "aesni_avx", "aesni_avx", newAsmCTR(aesniAVX)),
		asmDriver("ctr", "vaes_avx2", "vaes_avx2", newAsmCTR(vaesAVX2)),
		asmDriver("ctr", "vaes_avx512", "vaes_avx512", newAsmCTR(vaesAVX512)),
		asmDriver("xctr", "aesni_avx", "aesni_avx", newAsmXCTR(aesniAVX)),
		asmDriver("xctr", "vaes_avx2", "vaes_avx2", newAsmXCTR(vaesAVX2)),
		asmDriver("xctr", "vaes_avx512", "vaes_avx512", newAsmXCTR(vaesAVX512)),
	}
}

// asmDriver describes a driver that needs a level of internal/cpu.
func asmDriver(mode, impl, level string, build func(registry.Config) registry.Skcipher) registry.Driver {
	d := driver(mode, impl, build)
	d.Needs = []string{level}
	return d
}
