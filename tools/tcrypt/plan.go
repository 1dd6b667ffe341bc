package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

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

// duration is about how long b takes to measure p, on an idle machine.
func (p plan) duration(b *measure.Bench) time.Duration {
	var d time.Duration
	for _, s := range p {
		d += b.Duration(s)
	}
	return d
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
	if err := knownKeys(gs, o.keys.values); err != nil {
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
	info := g.drivers[0]
	keys := slices.Compact([]int{slices.Min(info.KeySizes), slices.Max(info.KeySizes)})
	var err error
	if len(o.keys.values) > 0 {
		keys, err = g.keys(o.keys.values)
	}
	if err != nil {
		return nil, err
	}
	variants, err := g.variants(o)
	if err != nil {
		return nil, err
	}
	var p plan
	for _, k := range keys {
		for _, one := range variants {
			one.KeyBits = 8 * k
			if one.Drivers, err = g.contenders(o.drivers, one.Tag); err != nil {
				return nil, err
			}
			if slices.Equal(one.Drivers, []string{result.Go}) {
				err = onlyWhatGoTakes(&one, len(o.sizes.values) > 0)
			}
			if err != nil {
				return nil, err
			}
			p = append(p, &one)
		}
	}
	return p, nil
}

// onlyWhatGoTakes leaves out the sizes that Go's own code cannot do, unless somebody asked for them.
func onlyWhatGoTakes(s *measure.Series, asked bool) error {
	var sizes []int
	var refused error
	for _, size := range s.Sizes {
		if err := s.GoTakes(size); err == nil {
			sizes = append(sizes, size)
		} else if refused = usagef("%d bytes for Go's own %s: %w", size, s.Algorithm, err); asked {
			return refused
		}
	}
	if sizes == nil {
		return refused
	}
	s.Sizes = sizes
	return nil
}

// knownKeys refuses key sizes in bits that none of gs takes.
func knownKeys(gs []group, wanted []int) error {
	for _, b := range wanted {
		var err error
		for _, g := range gs {
			if _, err = g.keys([]int{b}); err == nil {
				break
			}
		}
		if err != nil {
			return err
		}
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
