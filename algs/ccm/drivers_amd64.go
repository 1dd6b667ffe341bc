//go:build !purego

package ccm

import (
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly, from the fewest demands on the CPU to the most.
func asmDrivers() []registry.Driver {
	return []registry.Driver{
		asmDriver(aes.AESNI), asmDriver(aes.AESNIAVX), asmDriver(aes.VAESAVX2), asmDriver(aes.VAESAVX512),
	}
}

func asmDriver(i aes.Impl) registry.Driver {
	d := driver(i.Name(), newAsm(i))
	d.Needs = []string{i.Level()}
	return d
}
