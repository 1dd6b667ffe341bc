//go:build !purego

package chacha

import "kcrypto/registry"

// moreDrivers is the driver for AVX-512 as it is on CPUs without IFMA, which most CPUs with AVX-512 would hide.
func moreDrivers() []registry.Driver { return rung("avx512 without IFMA", avx512, "avx512", "bmi2") }

// coreKey is for keyIn.
func (b *batchAEAD) coreKey() [8]uint32 { return b.key }
