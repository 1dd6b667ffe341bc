package xts

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
		Algorithm:   "xts(aes)",
		Name:        "xts-aes-" + strings.ReplaceAll(impl, "_", "-"),
		Impl:        impl,
		Module:      ours.Module,
		Type:        registry.TypeSkcipher,
		BlockSize:   blockSize,
		IVSize:      blockSize,
		ChunkSize:   blockSize,
		KeySizes:    []int{32, 48, 64},
		MinSize:     blockSize,
		MaxSize:     maxUnit,
		NewSkcipher: build,
	}
}
