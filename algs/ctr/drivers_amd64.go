//go:build !purego

package ctr

import (
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly, from the fewest demands on the CPU to the most.
func asmDrivers() []registry.Driver {
	return []registry.Driver{
		asmDriver("ctr", aes.AESNI, newAsmCTR),
		asmDriver("ctr", aes.AESNIAVX, newAsmCTR),
		asmDriver("ctr", aes.VAESAVX2, newAsmCTR),
		asmDriver("ctr", aes.VAESAVX512, newAsmCTR),
		asmDriver("xctr", aes.AESNIAVX, newAsmXCTR),
		asmDriver("xctr", aes.VAESAVX2, newAsmXCTR),
		asmDriver("xctr", aes.VAESAVX512, newAsmXCTR),
	}
}

type constructor func(aes.Impl) func(registry.Config) registry.Skcipher

func asmDriver(mode string, i aes.Impl, build constructor) registry.Driver {
	d := driver(mode, i.Name(), build(i))
	d.Needs = []string{i.Level()}
	return d
}
