//go:build !purego

package aes

import "kcrypto/registry"

// Impl is an implementation of AES modes in assembly. A key object holds the one that it was made for, and each of its
// steps calls the assembly that belongs to it by name: a function value would make the arguments escape to the heap.
type Impl uint8

// The implementations, from the fewest demands on the CPU to the most.
const (
	AESNI Impl = iota
	AESNIAVX
	VAESAVX2
	VAESAVX512
)

var impls = [...]struct{ name, level string }{
	AESNI:      {"aesni", "aesni"},
	AESNIAVX:   {"aesni_avx", "aesni_avx"},
	VAESAVX2:   {"vaes_avx2", "vaes_avx2"},
	VAESAVX512: {"vaes_avx512", "vaes_avx512"},
}

// Name is the Impl of a driver's descriptor.
func (i Impl) Name() string { return impls[i].name }

// Level is the level of internal/cpu that the implementation needs.
func (i Impl) Level() string { return impls[i].level }

// constructor is a driver's NewSkcipher.
type constructor = func(registry.Config) registry.Skcipher

// Driver returns the driver that describe makes for the implementation's name and build's constructor, with the level
// that the implementation needs.
func (i Impl) Driver(describe func(impl string, build constructor) registry.Driver, build func(Impl) constructor,
) registry.Driver {
	d := describe(i.Name(), build(i))
	d.Needs = []string{i.Level()}
	return d
}
