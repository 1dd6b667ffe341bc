package main

import (
	"slices"
	"strings"
)

// order lists a row's contenders: ours first (their names have dashes), then Go, then the libraries.
func order(r row) []string {
	var names []string
	for name := range r.NS {
		names = append(names, name)
	}
	rank := func(name string) int {
		switch {
		case name == r.Driver:
			return 0
		case strings.Contains(name, "-"):
			return 1
		case name == "go":
			return 2
		}
		return 3
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}
