package chacha

import (
	"kcrypto/internal/cpu"
	"kcrypto/internal/gostd"
	"kcrypto/registry"
)

const (
	module        = "kcrypto"
	keySize       = 32                // bytes
	nonceSize     = 12                // bytes, of the AEAD of RFC 8439
	nonceSizeX    = 24                // bytes, with X
	maxText       = 1<<38 - BlockSize // bytes: 2^32 blocks less the one that keys Poly1305
	aeadAlgorithm = "rfc7539(chacha20,poly1305)"
	espAlgorithm  = "rfc7539esp(chacha20,poly1305)"
)

// Drivers lists the drivers of this package but StdlibDrivers. Their priorities are 0: the root package sets them. f is what may be used of
// the machine, for the driver that has code for more than it needs.
func Drivers(f cpu.Features) []registry.Driver {
	return append(rung("generic", build{impl: generic}), asmDrivers(f)...)
}

// StdlibDrivers lists the drivers that run Go's own code.
func StdlibDrivers() []gostd.Driver {
	return []gostd.Driver{
		gostd.ChaCha20Poly1305(aeadDriver(aeadAlgorithm, "chacha20poly1305", "stdlib", nonceSize, newStdlib)),
		gostd.ChaCha20Poly1305(aeadDriver("xchacha20poly1305", "xchacha20poly1305", "stdlib", nonceSizeX, newXStdlib)),
	}
}

// build is what a rung's objects have that their configuration does not say.
type build struct {
	impl     impl
	sixteens bool // as in core
}

func (b build) core(c registry.Config, rounds int) core {
	made := newCore(c, b.impl, rounds)
	made.sixteens = b.sixteens
	return made
}

// rung lists a driver of every algorithm, all of one implementation.
func rung(name string, b build, needs ...string) []registry.Driver {
	drivers := []registry.Driver{
		streamDriver("chacha20", name, 16, newStream(b)),
		streamDriver("xchacha20", name, 32, newXStream(b, 20)),
		streamDriver("xchacha12", name, 32, newXStream(b, 12)),
		aeadDriver(aeadAlgorithm, "chacha20poly1305", name, nonceSize, newAEAD(b)),
		aeadDriver("xchacha20poly1305", "xchacha20poly1305", name, nonceSizeX, newXAEAD(b)),
	}
	for n := range drivers {
		drivers[n].Needs = needs
	}
	return drivers
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
		Name:        algorithm + "-" + impl,
		Impl:        impl,
		Module:      module,
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
		Name:      stem + "-" + impl,
		Impl:      impl,
		Module:    module,
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
