//go:build !purego

package gcm

import "kcrypto/registry"

// asmDrivers lists the drivers in assembly.
func asmDrivers() []registry.Driver {
	rungs := []struct {
		name  string
		impl  impl
		needs []string
	}{
		{"aesni", aesni, []string{"aesni", "pclmulqdq"}},
		{"aesni_avx", aesniAVX, []string{"aesni_avx", "pclmulqdq"}},
		{"vaes_avx2", vaesAVX2, []string{"vaes_avx2"}},
		{"vaes_avx512", vaesAVX512, []string{"vaes_avx512"}},
	}
	var all []registry.Driver
	for _, r := range rungs {
		d := driver(r.name, newAsmKey(r.impl))
		d.Needs = r.needs
		all = append(all, d)
	}
	return all
}
