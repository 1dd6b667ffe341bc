package gcm

import (
	"runtime"
	"strings"

	"kcrypto/registry"
)

// Drivers lists the drivers of this package. Their priorities are 0: the root package sets them.
func Drivers() []registry.Driver {
	std := driver("stdlib", newStdlib)
	std.Unavailable = stdlibUnavailable
	if runtime.GOARCH == "amd64" {
		std.Needs = []string{"aesni", "pclmulqdq"} // without them crypto/cipher falls back to tables, which leak the key
	}
	return append([]registry.Driver{driver("generic", newGeneric), std}, asmDrivers()...)
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
		Module:    module,
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
