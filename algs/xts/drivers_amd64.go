//go:build !purego

package xts

import (
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly, from the fewest demands on the CPU to the most.
func asmDrivers() []registry.Driver {
	return []registry.Driver{
		aes.AESNI.Driver(driver, newAsm),
		aes.AESNIAVX.Driver(driver, newAsm),
		aes.VAESAVX2.Driver(driver, newAsm),
		aes.VAESAVX512.Driver(driver, newAsm),
	}
}
