package main

import (
	"slices"

	"kcrypto/registry"
)

// A shape is what the messages of one series have in common, and how long they are. All is in bytes.
type shape struct {
	aad, tag int // of an AEAD
	sector   int // each message is a run of such sectors; 0: it is one message
	sizes    []int
}

// shapes returns what to measure in each key size: what o names or, where it names nothing, what is usual.
func (g group) shapes(o speedOptions) ([]shape, error) {
	if g.drivers[0].Type == registry.TypeAEAD {
		return g.aeadShapes(o)
	}
	if len(o.aad.values)+len(o.tag.values) > 0 {
		return nil, usagef("--aad and --tag: %s is no AEAD and has neither", g.name)
	}
	return g.skcipherShapes(o)
}

// aeadShapes returns every combination of additional data and tag.
func (g group) aeadShapes(o speedOptions) ([]shape, error) {
	if len(o.sectors.values) > 0 {
		return nil, usagef("--sectors: %s has no sectors, xts(aes) has", g.name)
	}
	info, sizes := g.drivers[0], o.sizes.or(o.usual.sizes...)
	var all []shape
	for _, tag := range o.tag.or(info.MaxAuthSize) {
		if !slices.Contains(info.AuthSizes, tag) {
			return nil, usagef("--tag: %s has no tag of %d bytes; it has %v", g.name, tag, info.AuthSizes)
		}
		for _, aad := range o.aad.or(aadSize(info)) {
			if len(info.AADSizes) > 0 && !slices.Contains(info.AADSizes, aad) {
				return nil, usagef("--aad: %s takes no additional data of %d bytes, but of %v", g.name, aad, info.AADSizes)
			}
			all = append(all, shape{aad: aad, tag: tag, sizes: sizes})
		}
	}
	return all, nil
}

// aadSize is how many bytes of additional data go with each message unless --aad says so: the least that the IPsec
// templates take, which is SPI and sequence number, 16 for others.
func aadSize(info registry.Info) int { return slices.Min(slices.Concat(info.AADSizes, []int{16})) }

// skcipherShapes returns single messages and, where g's algorithm has them and o names no sizes, calls for many
// sectors.
func (g group) skcipherShapes(o speedOptions) ([]shape, error) {
	var all []shape
	if len(o.sectors.values) == 0 {
		sizes, err := sizesThat(o.sizes.values, o.usual.sizes, g.takes)
		all = append(all, shape{sizes: sizes})
		if err != nil || len(o.sizes.values) > 0 || g.drivers[0].Algorithm != sectorAlgorithm {
			return all, err
		}
	}
	if g.drivers[0].Algorithm != sectorAlgorithm {
		return nil, usagef("--sectors: %s has no sectors, %s has", g.name, sectorAlgorithm)
	}
	for _, sector := range o.sectors.or(o.usual.sectors...) {
		if err := g.takes(sector); err != nil {
			return nil, err
		}
		var defaults []int
		for _, n := range sectorCounts {
			defaults = append(defaults, n*sector)
		}
		sizes, err := sizesThat(o.sizes.values, defaults, func(n int) error {
			if n%sector != 0 {
				return usagef("%d bytes for %s: want a multiple of the sector size %d", n, g.name, sector)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		all = append(all, shape{sector: sector, sizes: sizes})
	}
	return all, nil
}

// takes returns why g's algorithm takes no message, or sector, of n bytes, or nil.
func (g group) takes(n int) error {
	switch info := g.drivers[0]; {
	case n < info.MinSize:
		return usagef("%d bytes for %s: want at least %d", n, g.name, info.MinSize)
	case info.MaxSize > 0 && uint64(n) > info.MaxSize:
		return usagef("%d bytes for %s: want at most %d", n, g.name, info.MaxSize)
	case info.MultipleOf > 1 && n%info.MultipleOf != 0:
		return usagef("%d bytes for %s: want a multiple of %d", n, g.name, info.MultipleOf)
	}
	return nil
}

// sizesThat returns those of the default sizes that fit or, if any are wanted, those, all of which must fit.
func sizesThat(wanted, defaults []int, fits func(n int) error) ([]int, error) {
	if len(wanted) > 0 {
		for _, n := range wanted {
			if err := fits(n); err != nil {
				return nil, err
			}
		}
		return wanted, nil
	}
	var sizes []int
	var refused error
	for _, n := range defaults {
		if err := fits(n); err != nil {
			refused = err
		} else {
			sizes = append(sizes, n)
		}
	}
	if sizes == nil {
		return nil, refused
	}
	return sizes, nil
}
