package gcm

import (
	"strings"

	"kcrypto/internal/gostd"
	"kcrypto/internal/ours"
	"kcrypto/registry"
)

// Drivers lists the drivers of this package but StdlibDrivers. Their priorities are 0: the root package sets them.
func Drivers() []registry.Driver {
	return append([]registry.Driver{driver("generic", newGeneric)}, asmDrivers()...)
}

// StdlibDrivers lists the drivers that run Go's own code.
func StdlibDrivers() []gostd.Driver {
	return []gostd.Driver{gostd.GCM(driver("stdlib", newStdlib))}
}

// Templates lists the templates of this package.
func Templates() []registry.Template {
	return []registry.Template{rfc4106Template(), rfc4543Template()}
}

func driver(impl string, build func(registry.Config) registry.AEAD) registry.Driver {
	return registry.Driver{
		Algorithm: algorithm,
		Name:      "gcm-aes-" + strings.ReplaceAll(impl, "_", "-"),
		Impl:      impl,
		Module:    ours.Module,
		Type:      registry.TypeAEAD,
		BlockSize: 1,
		IVSize:    nonceSize,
		AnyNonce:  true,
		ChunkSize: blockSize,
		KeySizes:  []int{16, 24, 32},
		AuthSizes: []int{4, 8, 12, 13, 14, 15, tagSize},
		MaxSize:   maxText,
		MaxAAD:    maxAAD,
		NewAEAD:   build,
	}
}
