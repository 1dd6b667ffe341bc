//go:build !purego

package cbc

import (
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly, from the fewest demands on the CPU to the most.
func asmDrivers() []registry.Driver {
	return []registry.Driver{
		aes.AESNI.Driver(cbc, newAsm),
		aes.AESNIAVX.Driver(cbc, newAsm),
		aes.VAESAVX2.Driver(cbc, newAsm),
		aes.VAESAVX512.Driver(cbc, newAsm),
		aes.AESNI.Driver(cts, newAsmCTS),
		aes.AESNIAVX.Driver(cts, newAsmCTS),
		aes.VAESAVX2.Driver(cts, newAsmCTS),
		aes.VAESAVX512.Driver(cts, newAsmCTS),
	}
}
