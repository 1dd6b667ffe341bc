//go:build !purego

package xts

import "kcrypto/registry"

// asmDrivers lists the drivers in assembly.
func asmDrivers() []registry.Driver {
	var all []registry.Driver
	for i, name := range []string{aesni: "aesni", aesniAVX: "aesni_avx", vaesAVX2: "vaes_avx2", vaesAVX512: "vaes_avx512"} {
		d := driver(name, newAsmKey(impl(i)))
		d.Needs = []string{name}
		all = append(all, d)
	}
	return all
}
