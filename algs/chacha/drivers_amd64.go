//go:build !purego

package chacha

import (
	"slices"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// asmDrivers lists the drivers in assembly. avx512 wants BMI2 for its masks. It does not want IFMA, which the first CPUs
// with AVX-512 lack: there Poly1305 runs in general registers.
func asmDrivers(f cpu.Features) []registry.Driver {
	widest := avx512
	if f.Has("ifma") {
		widest = avx512IFMA
	}
	wide := rung("avx512", widest, "avx512", "bmi2")
	if f.TwoVectorPorts() {
		inSixteens(wide)
	}
	return slices.Concat(rung("ssse3", ssse3, "ssse3"), rung("avx2", avx2, "avx2"), wide)
}

// inSixteens makes drivers take long texts in passes of 16 blocks of ChaCha. A pass of 24 has 16 in 512-bit registers and 8
// in 256-bit ones: that is faster where these find ports that 512-bit work leaves empty, and slower by a third, by the count
// of instructions, where they do not.
func inSixteens(drivers []registry.Driver) {
	for i := range drivers {
		d := &drivers[i]
		if skcipher := d.NewSkcipher; skcipher != nil {
			d.NewSkcipher = func(c registry.Config) registry.Skcipher { return passesOf16(skcipher(c)) }
		}
		if aead := d.NewAEAD; aead != nil {
			d.NewAEAD = func(c registry.Config) registry.AEAD { return passesOf16(aead(c)) }
		}
	}
}

func passesOf16[T any](transform T) T {
	any(transform).(interface{ passOf16() }).passOf16()
	return transform
}

func (c *core) passOf16() { c.sixteens = true }
