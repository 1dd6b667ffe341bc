package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kcrypto"
	"kcrypto/registry"
)

// A series is what one table of results shows: contenders with one key and several message sizes.
type series struct {
	info    registry.Info // of the algorithm: any driver's
	drivers []string      // who is to be timed; goName is Go's own code
	keySize int           // bytes
	sizes   []int         // bytes
	decrypt bool
}

type plan []series

// steps is how many measurements a plan needs.
func (p plan) steps() int {
	n := 0
	for _, s := range p {
		n += len(s.sizes) + 1 // and one for the key set-up
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
func (g group) series(o speedOptions) ([]series, error) {
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
	sizes, err := g.sizes(keys[0], o.sizes.values)
	if err != nil {
		return nil, err
	}
	var ss []series
	for _, k := range slices.Compact(keys) {
		ss = append(ss, series{info, drivers, k, sizes, o.decrypt})
	}
	return ss, nil
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
	if (all || slices.Contains(wanted, goName)) && goHas(g.drivers[0]) {
		list = append(list, goName)
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
	if goHas(g.drivers[0]) {
		names = append(names, goName)
	}
	return names
}

// knownDrivers refuses words of the --drivers flag that none of gs knows.
func knownDrivers(gs []group, wanted []string) error {
	known := []string{goName}
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

// sizes returns the message sizes to measure: the default ones that g's algorithm takes, or those wanted, all of
// which it must take.
func (g group) sizes(keySize int, wanted []int) ([]int, error) {
	explicit := len(wanted) > 0
	if !explicit {
		wanted = defaultSizes
	}
	if g.drivers[0].Type == registry.TypeAEAD {
		return wanted, nil
	}
	s, err := kcrypto.NewSkcipher(g.name, keyOf(keySize))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	buf, iv := make([]byte, slices.Max(wanted)), ivOf(s.IVSize())
	var sizes []int
	for _, n := range wanted {
		err := s.Encrypt(buf[:n], buf[:n], iv)
		if err != nil && explicit {
			return nil, usageError{err}
		}
		if err == nil {
			sizes = append(sizes, n)
		}
	}
	return sizes, nil
}
