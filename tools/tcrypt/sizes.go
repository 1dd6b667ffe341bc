package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// sizes is a flag that takes sizes in bytes between commas: 1420, 4k, 1M; 16-64k for each twice the one before; and
// 16-2048/16 for every sixteenth.
type sizes struct{ numbers }

func newSizes(min, max int) sizes { return sizes{numbers{what: "bytes", min: min, max: max}} }

// maxSizes is how many sizes a range may mean.
const maxSizes = 1000

func (s *sizes) Type() string { return "sizes" }

func (s *sizes) Set(text string) error {
	s.values = nil
	for word := range strings.SplitSeq(text, ",") {
		list, err := s.parse(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		for _, n := range list {
			if !slices.Contains(s.values, n) {
				s.values = append(s.values, n)
			}
		}
	}
	return nil
}

// parse returns what one word means.
func (s *sizes) parse(word string) ([]int, error) {
	span, stepWord, steps := strings.Cut(word, "/")
	fromWord, toWord, isRange := strings.Cut(span, "-")
	from, err := s.size(fromWord)
	if err != nil || !isRange && !steps {
		return []int{from}, err
	}
	to, err := s.size(toWord)
	switch {
	case err != nil:
		return nil, err
	case to < from:
		return nil, fmt.Errorf("%q ends before it begins", word)
	}
	next := func(n int) int { return 2 * n }
	if steps {
		step, err := bytesOf(stepWord)
		if err != nil || step < 1 {
			return nil, fmt.Errorf("%q: %q is no step in bytes; want, for example, 16-2048/16", word, stepWord)
		}
		next = func(n int) int { return n + step }
	}
	return between(word, max(from, 1), to, next)
}

// between lists from, the next one, and so on up to to.
func between(word string, from, to int, next func(int) int) ([]int, error) {
	var list []int
	for n := from; n <= to; n = next(n) {
		if list = append(list, n); len(list) > maxSizes {
			return nil, fmt.Errorf("%q means more than %d sizes; want a wider step", word, maxSizes)
		}
	}
	return list, nil
}

// size is a number of bytes within the flag's limits.
func (s *sizes) size(word string) (int, error) {
	n, err := bytesOf(word)
	if err != nil || n < s.min || n > s.max {
		return 0, fmt.Errorf("%q is no number of bytes from %d to %d; want, for example, 1420, 4k, 1M, 16-64k or "+
			"16-2048/16", word, s.min, s.max)
	}
	return n, nil
}

// bytesOf reads a number of bytes: k is 1024 of them, M 1024 times as many.
func bytesOf(word string) (int, error) {
	word = strings.TrimSpace(word)
	digits := strings.TrimRight(word, "kKM")
	unit := 1
	switch word[len(digits):] {
	case "":
	case "k", "K":
		unit = 1 << 10
	case "M":
		unit = 1 << 20
	default:
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	if n *= uint64(unit); err != nil || n > math.MaxInt32 {
		return 0, strconv.ErrSyntax
	}
	return int(n), nil
}

// sizeName is n as --sizes takes it, in as few characters as it can be.
func sizeName(n int) string {
	switch {
	case n > 0 && n%(1<<20) == 0:
		return fmt.Sprintf("%dM", n>>20)
	case n > 0 && n%(1<<10) == 0:
		return fmt.Sprintf("%dk", n>>10)
	}
	return strconv.Itoa(n)
}
