package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
)

// sample draws mutants: the same ones for the same sources and seed.
type sample struct {
	sources []source
	random  *rand.Rand
	at      int
	wanted  map[string]bool // by key; nil: all that are drawn
}

func newSample(sources []source, seed uint64) *sample {
	s := &sample{sources: sources, random: rand.New(rand.NewPCG(seed, 0))}
	s.random.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
	return s
}

var survivor = regexp.MustCompile(`(?m)^survived: (\S+):\d+ (.*)$`)

// only lets s draw just the survivors that the output of an earlier run names, and returns how many these are.
func (s *sample) only(file string) (int, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, fmt.Errorf("-again: %w", err)
	}
	s.wanted = map[string]bool{}
	for _, m := range survivor.FindAllStringSubmatch(string(text), -1) {
		s.wanted[m[1]+" "+m[2]] = true
	}
	if len(s.wanted) == 0 {
		return 0, fmt.Errorf("-again %s: no line in it begins with \"survived: \"", file)
	}
	return len(s.wanted), nil
}

// enough is how many draws find every mutant of the whole tree, but by very bad luck.
const enough = 2_000_000

// next draws a mutant.
func (s *sample) next() (*mutant, []check, error) {
	for range enough {
		from := s.sources[s.at%len(s.sources)]
		s.at++
		m := from.draw(s.random)
		if s.wanted == nil || s.wanted[m.key()] {
			delete(s.wanted, m.key())
			return m, from.checks(), nil
		}
	}
	return nil, nil, fmt.Errorf("-again: the code has no such place any more: %s",
		slices.Sorted(maps.Keys(s.wanted)))
}
