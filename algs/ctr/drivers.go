package ctr

import (
	"runtime"
	"strings"

	"kcrypto/registry"
)

// Drivers lists the drivers of this package. Their priorities are 0: the root package sets them.
func Drivers() []registry.Driver {
	std := driver("ctr", "stdlib", newStdlib)
	std.Unavailable = stdlibUnavailable
	if runtime.GOARCH == "amd64" {
		std.Needs = []string{"aesni"} // without it crypto/aes falls back to tables, which leak the key
	}
	all := []registry.Driver{driver("ctr", "generic", newGenericCTR), std, driver("xctr", "generic", newGenericXCTR)}
	return append(all, asmDrivers()...)
}

// Templates lists the templates of this package.
func Templates() []registry.Template { return []registry.Template{rfc3686Template()} }

func driver(mode, impl string, build func(registry.Config) registry.Skcipher) registry.Driver {
	return registry.Driver{
		Algorithm:   mode + "(aes)",
		Name:        mode + "-aes-" + strings.ReplaceAll(impl, "_", "-"),
		Impl:        impl,
		Module:      module,
		Type:        registry.TypeSkcipher,
		BlockSize:   1,
		IVSize:      blockSize,
		ChunkSize:   blockSize,
		KeySizes:    []int{16, 24, 32},
		NewSkcipher: build,
	}
}
