package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/measure"
	"kcrypto/tools/tcrypt/internal/result"
)

// contenders returns the drivers of g that the --drivers flag means, for tags of tag bytes if g is an AEAD.
func (g group) contenders(wanted []string, tag int) ([]string, error) {
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
	if all && list == nil {
		_, err := g.best() // says why there is none
		return nil, err
	}
	if (all || slices.Contains(wanted, result.Go)) && measure.HasGo(g.drivers[0], tag) {
		list = append(list, result.Go)
	}
	if list == nil {
		return nil, usagef("%s has no driver %s; it has %s", g.name, strings.Join(wanted, " or "),
			strings.Join(g.choices(), ", "))
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
