package main

import (
	"cmp"
	"slices"
	"strings"

	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/measure"
)

// variants returns the series to measure with each key: what o names or, where it names nothing, what is usual. Key and
// drivers are to be filled in.
func (g group) variants(o speedOptions) ([]measure.Series, error) {
	var all []measure.Series
	for _, batch := range o.batch.or(1) {
		s := o.series(g.drivers[0])
		if len(o.batch.values) > 0 {
			s.Batch = batch
		}
		one, err := g.kinds(s, o)
		if err != nil {
			return nil, err
		}
		for _, s := range one {
			for _, s.Direction = range o.directions() {
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// kinds returns s with every kind of message.
func (g group) kinds(s measure.Series, o speedOptions) ([]measure.Series, error) {
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
		return nil, g.noSectors()
	}
	info := s.Info
	sizes, err := sizesThat(o.sizes.values, o.usual.sizes, batchFits(s.Batch))
	if err != nil {
		return nil, err
	}
	s.Sizes = sizes
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

// skciphers returns s with single messages and with calls for many sectors, the latter where o asks for them or, if it
// names no sizes, for the algorithm that is for sectors only.
func (g group) skciphers(s measure.Series, o speedOptions) (all []measure.Series, err error) {
	if len(o.sectors.values) == 0 {
		fits := batchFits(s.Batch)
		s.Sizes, err = sizesThat(o.sizes.values, o.usual.sizes, func(n int) error { return cmp.Or(g.takes(n), fits(n)) })
		all = append(all, s)
		if err != nil || len(o.sizes.values)+len(o.batch.values) > 0 || g.drivers[0].Algorithm != sectorAlgorithms[0] {
			return all, err
		}
	}
	if !hasSectors(g.drivers[0].Algorithm) {
		return nil, g.noSectors()
	}
	if s.Batch > 0 {
		return nil, usagef("--batch and --sectors: a call is for many messages or for many sectors; want one of them")
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

// batchFits returns why so many messages of n bytes are too much for one call, or nil.
func batchFits(messages int) func(n int) error {
	return func(n int) error {
		if messages*n > maxBatchBytes {
			return usagef("%d bytes for calls of %d messages: want at most %d bytes a call", n, messages, maxBatchBytes)
		}
		return nil
	}
}

func (g group) noSectors() error {
	return usagef("--sectors: %s has no sectors, which %s have", g.name, strings.Join(sectorAlgorithms, ", "))
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
