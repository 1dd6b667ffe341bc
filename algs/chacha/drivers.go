package chacha

import (
	"slices"
	"strings"

	"kcrypto/internal/gostd"
	"kcrypto/internal/ours"
	"kcrypto/registry"
)

const (
	keySize       = 32                // bytes
	nonceSize     = 12                // bytes, of the AEAD of RFC 8439
	nonceSizeX    = 24                // bytes, with X
	maxText       = 1<<38 - BlockSize // bytes: 2^32 blocks less the one that keys Poly1305
	aeadAlgorithm = "rfc7539(chacha20,poly1305)"
	espAlgorithm  = "rfc7539esp(chacha20,poly1305)"
)

// Drivers lists the drivers of this package but StdlibDrivers. Their priorities are 0: the root package sets them.
func Drivers() []registry.Driver {
	return slices.Concat(
		streamDrivers("generic", generic),
		aeadDrivers("generic", newGenericAEAD, newGenericXAEAD),
		asmDrivers())
}

// StdlibDrivers lists the drivers that run Go's own code.
func StdlibDrivers() []gostd.Driver {
	return []gostd.Driver{
		gostd.ChaCha20Poly1305(aeadDriver(aeadAlgorithm, "chacha20poly1305", "stdlib", nonceSize, newStdlib)),
		gostd.ChaCha20Poly1305(aeadDriver("xchacha20poly1305", "xchacha20poly1305", "stdlib", nonceSizeX, newXStdlib)),
	}
}

// streamDrivers lists a driver of every stream cipher, all of one implementation.
func streamDrivers(name string, i impl) []registry.Driver {
	return []registry.Driver{
		streamDriver("chacha20", name, 16, newStream(i)),
		streamDriver("xchacha20", name, 32, newXStream(i, 20)),
		streamDriver("xchacha12", name, 32, newXStream(i, 12)),
	}
}

// aeadDrivers lists a driver of every AEAD, all of one implementation.
func aeadDrivers(name string, plain, x func(registry.Config) registry.AEAD) []registry.Driver {
	return []registry.Driver{
		aeadDriver(aeadAlgorithm, "chacha20poly1305", name, nonceSize, plain),
		aeadDriver("xchacha20poly1305", "xchacha20poly1305", name, nonceSizeX, x),
	}
}

// Templates lists the templates of this package.
func Templates() []registry.Template {
	return []registry.Template{{
		Name:      "rfc7539esp",
		Type:      registry.TypeAEAD,
		Algorithm: espInner,
		Accepts:   espAccepts,
		Build:     buildESP,
	}}
}

func streamDriver(algorithm, impl string, ivSize int, build func(registry.Config) registry.Skcipher) registry.Driver {
	return registry.Driver{
		Algorithm:   algorithm,
		Name:        algorithm + "-" + strings.ReplaceAll(impl, "_", "-"),
		Impl:        impl,
		Module:      ours.Module,
		Type:        registry.TypeSkcipher,
		BlockSize:   1,
		IVSize:      ivSize,
		ChunkSize:   BlockSize,
		KeySizes:    []int{keySize},
		NewSkcipher: build,
	}
}

func aeadDriver(algorithm, stem, impl string, ivSize int, build func(registry.Config) registry.AEAD) registry.Driver {
	return registry.Driver{
		Algorithm: algorithm,
		Name:      stem + "-" + strings.ReplaceAll(impl, "_", "-"),
		Impl:      impl,
		Module:    ours.Module,
		Type:      registry.TypeAEAD,
		BlockSize: 1,
		IVSize:    ivSize,
		ChunkSize: BlockSize,
		KeySizes:  []int{keySize},
		AuthSizes: []int{tagSize},
		MaxSize:   maxText,
		NewAEAD:   build,
	}
}
