package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/result"
)

// A group is the drivers that one name means: an algorithm's, or a single one.
type group struct {
	name      string
	algorithm string
	drivers   []registry.Info // best first
}

// groups returns what names mean, each in its turn, or every algorithm if there are none.
func groups(names []string) ([]group, error) {
	if len(names) == 0 {
		names = algorithms()
	}
	var gs []group
	for _, name := range names {
		list := kcrypto.Drivers(name)
		if len(list) == 0 {
			return nil, unknownName(name)
		}
		gs = append(gs, group{name, list[0].Algorithm, list})
	}
	return gs, nil
}

// unknownName is the error for a name that means nothing.
func unknownName(name string) error {
	if _, err := kcrypto.Explain(name); !errors.Is(err, registry.ErrNotFound) {
		return usageError{err} // a composition of parts that exist and do not fit together
	}
	return unknown("algorithm or driver", name, allNames(), "tcrypt list shows all")
}

// algorithms returns the names of all algorithms.
func algorithms() []string {
	var names []string
	for _, info := range kcrypto.Drivers() {
		if !slices.Contains(names, info.Algorithm) {
			names = append(names, info.Algorithm)
		}
	}
	return names
}

// allNames returns the names of all algorithms, then of all drivers.
func allNames() []string {
	names := algorithms()
	for _, info := range kcrypto.Drivers() {
		names = append(names, info.Driver)
	}
	return names
}

// completeNames makes the shell offer the names of algorithms and drivers as arguments, or aliases, if only those begin
// with what is written.
func completeNames(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	names := allNames()
	if !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, word) }) {
		names = slices.Sorted(maps.Keys(kcrypto.Default().Aliases()))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// selfTest tests the drivers of gs that were not tested yet, and brings what gs says about them up to date. A driver
// that fails is no error here: its entry says so.
func (a *app) selfTest(ctx context.Context, gs []group) error {
	defer a.progress.clear()
	total, done := 0, 0
	for _, g := range gs {
		total += len(g.drivers)
	}
	for i := range gs {
		for _, info := range gs[i].drivers {
			a.progress.say(done, total, "self-test of "+info.Driver)
			if err := kcrypto.SelfTest(ctx, info.Driver); err != nil && !errors.Is(err, registry.ErrSelfTest) {
				gs[i].drivers = kcrypto.Drivers(gs[i].name)
				return err
			}
			done++
		}
		gs[i].drivers = kcrypto.Drivers(gs[i].name)
	}
	return nil
}

// driverWords are what --drivers takes: words for several, implementations, drivers.
func driverWords() []string {
	words := []string{"all", "best", result.Go}
	for _, info := range kcrypto.Drivers() {
		if !slices.Contains(words, info.Impl) {
			words = append(words, info.Impl)
		}
	}
	for _, info := range kcrypto.Drivers() {
		words = append(words, info.Driver)
	}
	return words
}
