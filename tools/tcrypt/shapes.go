package main

import (
	"errors"
	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/measure"
)

// A shape is what the messages of one series have in common, and how long they are. All is in bytes.
type shape struct {
	aad, tag int // of an AEAD
	sector   int // each message is a run of such sectors; 0: it is one message
	sizes    []int
}

// shapes returns what to measure in one key size: what o names or, where it names nothing, what is usual.
func (g group) shapes(keySize int, o speedOptions) ([]shape, error) {
	if g.drivers[0].Type == registry.TypeAEAD {
		return g.aeadShapes(keySize, o)
	}
	if len(o.aad.values)+len(o.tag.values) > 0 {
		return nil, usagef("--aad and --tag: %s is no AEAD and has neither", g.name)
	}
	return g.skcipherShapes(keySize, o)
}

// aeadShapes returns every combination of additional data and tag.
func (g group) aeadShapes(keySize int, o speedOptions) ([]shape, error) {
	if len(o.sectors.values) > 0 {
		return nil, usagef("--sectors: %s has no sectors, xts(aes) has", g.name)
	}
	sizes := o.sizes.or(o.usual.sizes...)
	var all []shape
	for _, tag := range o.tag.or(g.drivers[0].MaxAuthSize) {
		a, err := kcrypto.NewAEAD(g.name, measure.Key(keySize), kcrypto.WithAuthSize(tag))
		if errors.Is(err, registry.ErrAuthSize) {
			return nil, usageError{err}
		} else if err != nil {
			return nil, err
		}
		defer a.Close()
		for _, aad := range o.aad.or(aadSize(g.drivers[0])) {
			// Open returns the error that Seal panics with.
			_, err := a.Open(nil, measure.IV(a.NonceSize()), make([]byte, tag), make([]byte, aad))
			if errors.Is(err, registry.ErrLength) {
				return nil, usageError{err}
			}
			all = append(all, shape{aad: aad, tag: tag, sizes: sizes})
		}
	}
	return all, nil
}

// aadSize is how many bytes of additional data go with each message unless --aad says so: the IPsec templates take SPI
// and sequence number, others anything.
func aadSize(info registry.Info) int {
	if info.IVSize == 8 {
		return 8
	}
	return 16
}

// skcipherShapes returns single messages and, where g's algorithm has them and o names no sizes, calls for many sectors.
func (g group) skcipherShapes(keySize int, o speedOptions) ([]shape, error) {
	s, err := kcrypto.NewSkcipher(g.name, measure.Key(keySize))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var all []shape
	if len(o.sectors.values) == 0 {
		iv := measure.IV(s.IVSize())
		sizes, err := sizesThat(o.sizes.values, o.usual.sizes, func(n int) error {
			buf := make([]byte, n)
			return s.Encrypt(buf, buf, iv)
		})
		all = append(all, shape{sizes: sizes})
		if err != nil || len(o.sizes.values) > 0 || g.drivers[0].Algorithm != sectorAlgorithm {
			return all, err
		}
	}
	for _, sector := range o.sectors.or(o.usual.sectors...) {
		var defaults []int
		for _, n := range sectorCounts {
			defaults = append(defaults, n*sector)
		}
		sizes, err := sizesThat(o.sizes.values, defaults, func(n int) error {
			buf := make([]byte, n)
			return s.EncryptSectors(buf, buf, sector, measure.FirstSector)
		})
		if err != nil {
			return nil, err
		}
		all = append(all, shape{sector: sector, sizes: sizes})
	}
	return all, nil
}

// sizesThat returns those of the default sizes that try takes or, if any are wanted, those, all of which it must take.
func sizesThat(wanted, defaults []int, try func(n int) error) ([]int, error) {
	explicit := len(wanted) > 0
	if !explicit {
		wanted = defaults
	}
	var sizes []int
	var refused error
	for _, n := range wanted {
		err := try(n)
		if err == nil {
			sizes = append(sizes, n)
		} else {
			refused = usageError{err}
		}
		if err != nil && explicit {
			return nil, refused
		}
	}
	if sizes == nil {
		return nil, refused
	}
	return sizes, nil
}
