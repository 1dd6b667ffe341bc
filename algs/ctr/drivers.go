package ctr

import (
	"strings"

	"kcrypto/internal/gostd"
	"kcrypto/internal/ours"
	"kcrypto/registry"
)

// Drivers lists the drivers of this package but StdlibDrivers. Their priorities are 0: the root package sets them.
func Drivers() []registry.Driver {
	return append([]registry.Driver{
		driver("ctr", "generic", newGenericCTR),
		driver("xctr", "generic", newGenericXCTR),
	}, asmDrivers()...)
}

// StdlibDrivers lists the drivers that run Go's own code.
func StdlibDrivers() []gostd.Driver {
	return []gostd.Driver{gostd.CTR(driver("ctr", "stdlib", newStdlib))}
}

// Templates lists the templates of this package.
func Templates() []registry.Template { return []registry.Template{rfc3686Template()} }

func driver(mode, impl string, build func(registry.Config) registry.Skcipher) registry.Driver {
	return registry.Driver{
		Algorithm:   mode + "(aes)",
		Name:        mode + "-aes-" + strings.ReplaceAll(impl, "_", "-"),
		Impl:        impl,
		Module:      ours.Module,
		Type:        registry.TypeSkcipher,
		BlockSize:   1,
		IVSize:      blockSize,
		ChunkSize:   blockSize,
		KeySizes:    []int{16, 24, 32},
		NewSkcipher: build,
	}
}
