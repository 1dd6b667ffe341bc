//go:build !purego

package chacha

import (
	"slices"

	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly, from the fewest demands on the CPU to the most. avx512 needs BMI2 for its
// masks. Without IFMA, which the first CPUs with AVX-512 lack, its Poly1305 runs in general registers and in those of
// AVX2; the streams have none.
func asmDrivers() []registry.Driver {
	return slices.Concat(
		tuned(needing(both("ssse3", ssse3), "ssse3"), ssse3),
		tuned(needing(both("avx2", avx2), "avx2"), avx2),
		tuned(needing(both("avx512", avx512), "avx512", "bmi2"), avx512),
		tuned(needing(asmAEADs("avx512_ifma", avx512IFMA), "avx512_ifma"), avx512IFMA))
}

func both(name string, i impl) []registry.Driver {
	return slices.Concat(streamDrivers(name, i), asmAEADs(name, i))
}

func asmAEADs(name string, i impl) []registry.Driver {
	return aeadDrivers(name, newAsmAEAD(i), newAsmXAEAD(i))
}

// needing sets the CPU features and levels that drivers need.
func needing(drivers []registry.Driver, needs ...string) []registry.Driver {
	for i := range drivers {
		drivers[i].Needs = needs
	}
	return drivers
}

// tuned marks drivers of an implementation whose constructors read tunings.
func tuned(drivers []registry.Driver, i impl) []registry.Driver {
	for n := range drivers {
		d := &drivers[n]
		if i >= avx512 {
			d.Tunings = append(d.Tunings, passes)
		}
		if d.Algorithm != aeadAlgorithm { // which never makes a block alone
			d.Tunings = append(d.Tunings, oneBlock)
		}
	}
	return drivers
}
