//go:build !purego

package gcm

import (
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly, from the fewest demands on the CPU to the most.
func asmDrivers() []registry.Driver {
	return []registry.Driver{
		asmDriver(aes.AESNI, "pclmulqdq"),
		asmDriver(aes.AESNIAVX, "pclmulqdq"),
		asmDriver(aes.VAESAVX2),
		asmDriver(aes.VAESAVX512),
	}
}

// asmDriver describes a driver that needs more than its level.
func asmDriver(i aes.Impl, more ...string) registry.Driver {
	d := driver(i.Name(), newAsm(i))
	d.Needs = append([]string{i.Level()}, more...)
	return d
}
