package ccm

import (
	"strings"

	"kcrypto/internal/ours"
	"kcrypto/registry"
)

// Drivers lists the drivers of this package. Their priorities are 0: the root package sets them.
func Drivers() []registry.Driver {
	return append([]registry.Driver{driver("generic", newGeneric)}, asmDrivers()...)
}

// Templates lists the templates of this package.
func Templates() []registry.Template { return []registry.Template{rfc4309Template()} }

func driver(impl string, build func(registry.Config) registry.AEAD) registry.Driver {
	return registry.Driver{
		Algorithm: algorithm,
		Name:      "ccm-aes-" + strings.ReplaceAll(impl, "_", "-"),
		Impl:      impl,
		Module:    ours.Module,
		Type:      registry.TypeAEAD,
		BlockSize: 1,
		IVSize:    nonceSize,
		Nonces:    nonces(),
		ChunkSize: blockSize,
		KeySizes:  []int{16, 24, 32},
		AuthSizes: []int{4, 6, 8, 10, 12, 14, tagSize},
		MaxSize:   maxText,
		MaxAAD:    maxAAD,
		NewAEAD:   build,
	}
}
