package ecb

import (
	"strings"

	"kcrypto/internal/ours"
	"kcrypto/registry"
)

// Drivers lists the drivers of this package. Their priorities are 0: the root package sets them.
func Drivers() []registry.Driver {
	return append([]registry.Driver{driver("generic", newGeneric)}, asmDrivers()...)
}

func driver(impl string, build func(registry.Config) registry.Skcipher) registry.Driver {
	return registry.Driver{
		Algorithm:   "ecb(aes)",
		Name:        "ecb-aes-" + strings.ReplaceAll(impl, "_", "-"),
		Impl:        impl,
		Module:      ours.Module,
		Type:        registry.TypeSkcipher,
		BlockSize:   blockSize,
		ChunkSize:   blockSize,
		MultipleOf:  blockSize,
		KeySizes:    []int{16, 24, 32},
		NewSkcipher: build,
	}
}
