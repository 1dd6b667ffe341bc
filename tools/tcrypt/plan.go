package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/measure"
	"kcrypto/tools/tcrypt/internal/result"
)

type plan []*measure.Series

// steps is how many steps b takes to measure p.
func (p plan) steps(b *measure.Bench) int {
	n := 0
	for _, s := range p {
		n += b.Steps(s)
	}
	return n
}

// plan works out what to measure. Whatever names or o ask for that cannot be had is an error; without names, an
// algorithm that cannot do what o asks is left out.
func (a *app) plan(ctx context.Context, names []string, o speedOptions) (plan, error) {
	gs, err := groups(names)
	if err != nil {
		return nil, err
	}
	if err := knownDrivers(gs, o.drivers); err != nil {
		return nil, err
	}
	if err := a.selfTest(ctx, gs); err != nil {
		return nil, err
	}
	var p plan
	var refused error
	for _, g := range gs {
		ss, err := g.series(o)
		if err != nil && len(names) > 0 {
			return nil, err
		}
		if err != nil {
			refused = err
		}
		p = append(p, ss...)
	}
	if len(p) == 0 {
		return nil, refused
	}
	return p, nil
}

// series plans the measurements of one name.
func (g group) series(o speedOptions) (plan, error) {
	drivers, err := g.contenders(o.drivers)
	if err != nil {
		return nil, err
	}
	info := g.drivers[0]
	keys := []int{slices.Min(info.KeySizes), slices.Max(info.KeySizes)}
	if len(o.keys.values) > 0 {
		keys, err = g.keys(o.keys.values)
	}
	if err != nil {
		return nil, err
	}
	runs, err := g.runs(keys[0], o)
	if err != nil {
		return nil, err
	}
	var p plan
	for _, k := range slices.Compact(keys) {
		for _, r := range runs {
			p = append(p, &measure.Series{Info: info, Drivers: drivers, KeySize: k, Sizes: r.sizes, Sector: r.sector,
				AAD: aadSize(info), Tag: info.MaxAuthSize, Decrypt: o.decrypt})
		}
	}
	return p, nil
}

// contenders returns the drivers of g that the --drivers flag means.
func (g group) contenders(wanted []string) ([]string, error) {
	if wanted[0] == "best" {
		best, err := g.best()
		return []string{best}, err
	}
	all := wanted[0] == "all"
	var list []string
	for _, info := range g.drivers {
		named := slices.Contains(wanted, info.Driver) || slices.Contains(wanted, info.Impl)
		if named && info.SelfTest != registry.Passed {
			return nil, fmt.Errorf("%s cannot be timed: %s: %s", info.Driver, info.SelfTest, info.Reason)
		}
		if named || all && info.SelfTest == registry.Passed {
			list = append(list, info.Driver)
		}
	}
	if (all || slices.Contains(wanted, result.Go)) && measure.HasGo(g.drivers[0], g.drivers[0].MaxAuthSize) {
		list = append(list, result.Go)
	}
	switch {
	case list == nil && all:
		_, err := g.best() // says why there is none
		return nil, err
	case list == nil:
		return nil, usagef("%s has no driver %s; it has %s", g.name, strings.Join(wanted, " or "), strings.Join(g.choices(), ", "))
	}
	return list, nil
}

// best returns the driver that an allocation by g's name gets.
func (g group) best() (string, error) {
	e, err := kcrypto.Explain(g.name)
	if err == nil && e.Winner == "" {
		err = errors.New(e.Why)
	}
	return e.Winner, err
}

// choices returns what --drivers can choose from in g.
func (g group) choices() []string {
	var names []string
	for _, info := range g.drivers {
		names = append(names, info.Driver)
	}
	if measure.HasGo(g.drivers[0], g.drivers[0].MaxAuthSize) {
		names = append(names, result.Go)
	}
	return names
}

// knownDrivers refuses words of the --drivers flag that none of gs knows.
func knownDrivers(gs []group, wanted []string) error {
	known := []string{result.Go}
	for _, g := range gs {
		for _, info := range g.drivers {
			known = append(known, info.Driver, info.Impl)
		}
	}
	for _, word := range wanted {
		if word == "all" || word == "best" {
			if len(wanted) > 1 {
				return usagef("--drivers %s: %q stands alone", strings.Join(wanted, ","), word)
			}
		} else if !slices.Contains(known, word) {
			return unknown("driver", word, known, "want all, best, or names from tcrypt list")
		}
	}
	if len(wanted) == 0 {
		return usagef("--drivers is empty; want all, best, or names from tcrypt list")
	}
	return nil
}

// keys turns key sizes in bits into bytes, without those that g's algorithm does not take.
func (g group) keys(wanted []int) ([]int, error) {
	valid := g.drivers[0].KeySizes
	var sizes []int
	for _, b := range wanted {
		if b%8 == 0 && slices.Contains(valid, b/8) {
			sizes = append(sizes, b/8)
		}
	}
	if sizes == nil {
		return nil, usagef("%s has no key of %v bits; it has %s", g.name, strings.Trim(fmt.Sprint(wanted), "[]"), bits(valid))
	}
	return sizes, nil
}

// aadSize is how many bytes of additional data go with each message unless --aad says so: the IPsec templates take SPI
// and sequence number, others anything.
func aadSize(info registry.Info) int {
	switch {
	case info.Type != registry.TypeAEAD:
		return 0
	case info.IVSize == 8:
		return 8
	}
	return 16
}

// lengths says how long the messages of one series are.
type lengths struct {
	sector int // as in series
	sizes  []int
}

// runs returns what to measure in one key size: single messages and, where g's algorithm has them and o names no sizes,
// calls for many sectors; or what o names.
func (g group) runs(keySize int, o speedOptions) ([]lengths, error) {
	if g.drivers[0].Type == registry.TypeAEAD {
		if len(o.sectors.values) > 0 {
			return nil, usagef("--sectors: %s has no sectors, xts(aes) has", g.name)
		}
		sizes, err := sizesThat(o.sizes.values, defaultSizes, func(int) error { return nil })
		return []lengths{{0, sizes}}, err
	}
	s, err := kcrypto.NewSkcipher(g.name, measure.Key(keySize))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	iv := measure.IV(s.IVSize())
	var rs []lengths
	if len(o.sectors.values) == 0 {
		sizes, err := sizesThat(o.sizes.values, defaultSizes, func(n int) error {
			buf := make([]byte, n)
			return s.Encrypt(buf, buf, iv)
		})
		if err != nil || len(o.sizes.values) > 0 || g.drivers[0].Algorithm != sectorAlgorithm {
			return []lengths{{0, sizes}}, err
		}
		rs = append(rs, lengths{0, sizes})
		o.sectors.values = defaultSectors
	}
	for _, sector := range o.sectors.values {
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
		rs = append(rs, lengths{sector, sizes})
	}
	return rs, nil
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
