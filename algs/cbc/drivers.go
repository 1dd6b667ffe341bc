package cbc

import (
	"strings"

	"kcrypto/internal/gostd"
	"kcrypto/internal/ours"
	"kcrypto/registry"
)

// Drivers lists the drivers of this package but that of Go's own code. Their priorities are 0: the root package sets
// them.
func Drivers() []registry.Driver {
	return append([]registry.Driver{cbc("generic", newGeneric), cts("generic", newGenericCTS)}, asmDrivers()...)
}

// StdlibDrivers lists the driver that runs Go's own code.
func StdlibDrivers() []gostd.Driver { return []gostd.Driver{gostd.CBC(cbc("stdlib", newStdlib))} }

type constructor = func(registry.Config) registry.Skcipher

func cbc(impl string, build constructor) registry.Driver {
	d := driver("cbc(aes)", "cbc-aes-", impl, build)
	d.MultipleOf = blockSize
	return d
}

func cts(impl string, build constructor) registry.Driver {
	d := driver("cts(cbc(aes))", "cts-cbc-aes-", impl, build)
	d.MinSize = blockSize
	return d
}

func driver(algorithm, prefix, impl string, build constructor) registry.Driver {
	return registry.Driver{
		Algorithm:   algorithm,
		Name:        prefix + strings.ReplaceAll(impl, "_", "-"),
		Impl:        impl,
		Module:      ours.Module,
		Type:        registry.TypeSkcipher,
		BlockSize:   blockSize,
		IVSize:      blockSize,
		ChunkSize:   blockSize,
		KeySizes:    []int{16, 24, 32},
		NewSkcipher: build,
	}
}
