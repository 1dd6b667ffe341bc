package main

import (
	"slices"

	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/measure"
)

// variants returns the series to measure with each key: what o names or, where it names nothing, what is usual. Key and
// drivers are to be filled in.
func (g group) variants(o speedOptions) ([]measure.Series, error) {
	s := o.series(g.drivers[0])
	if s.Info.Type == registry.TypeAEAD {
		return g.aeads(s, o)
	}
	if len(o.aad.values)+len(o.tag.values) > 0 {
		return nil, usagef("--aad and --tag: %s is no AEAD and has neither", g.name)
	}
	return g.skciphers(s, o)
}

// aeads returns s with every combination of additional data and tag.
func (g group) aeads(s measure.Series, o speedOptions) ([]measure.Series, error) {
	if len(o.sectors.values) > 0 {
		return nil, usagef("--sectors: %s has no sectors, xts(aes) has", g.name)
	}
	info := s.Info
	s.Sizes = o.sizes.or(o.usual.sizes...)
	var all []measure.Series
	for _, tag := range o.tag.or(info.MaxAuthSize) {
		if !slices.Contains(info.AuthSizes, tag) {
			return nil, usagef("--tag: %s has no tag of %d bytes; it has %v", g.name, tag, info.AuthSizes)
		}
		for _, aad := range o.aad.or(measure.AADSize(info)) {
			if len(info.AADSizes) > 0 && !slices.Contains(info.AADSizes, aad) {
				return nil, usagef("--aad: %s takes no additional data of %d bytes, but of %v", g.name, aad, info.AADSizes)
			}
			s.AAD, s.Tag = aad, tag
			all = append(all, s)
		}
	}
	return all, nil
}

// skciphers returns s with single messages and, where g's algorithm has them and o names no sizes, with calls for many
// sectors.
func (g group) skciphers(s measure.Series, o speedOptions) (all []measure.Series, err error) {
	if len(o.sectors.values) == 0 {
		s.Sizes, err = sizesThat(o.sizes.values, o.usual.sizes, g.takes)
		all = append(all, s)
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
		s.Sector = sector
		s.Sizes, err = sizesThat(o.sizes.values, defaults, func(n int) error {
			if n%sector != 0 {
				return usagef("%d bytes for %s: want a multiple of the sector size %d", n, g.name, sector)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		all = append(all, s)
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
