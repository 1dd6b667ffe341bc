package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const goCode = `package x

const size = 16

func (k *key) open(dst, src []byte, n int) (bool, error) {
	if err := k.check(n); err != nil {
		return false, err
	}
	if n < 8 && !k.done {
		k.rounds = 10
	}
	sum := n + 1
	defer k.close()
	clear(k.buf)
	return true, nil
}
`

func goExample(t *testing.T) *goSource {
	t.Helper()
	s := &goSource{name: "x.go", text: goCode}
	if err := s.index(); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGoSites: every kind of place is found, with what it becomes.
func TestGoSites(t *testing.T) {
	s := goExample(t)
	want := map[string][]string{
		"statement": {"defer k.close() -> ", "k.rounds = 10 -> "},
		"wiping":    {"clear(k.buf) -> "},
		"condition": {"&& -> ||", "!= -> ==", "err != nil -> !(err != nil)", "false -> true",
			"n < 8 && !k.done -> !(n < 8 && !k.done)", "true -> false"},
		"bound":      {"< -> <="},
		"arithmetic": {"+ -> -"},
		"constant":   {"1 -> 0", "1 -> 2", "10 -> 11", "10 -> 9", "8 -> 7", "8 -> 9"},
		"error":      {"err -> nil", "{ return false, err } -> {}"},
	}
	got := s.sites["key.open"]
	for kind, edits := range got {
		var list []string
		for _, e := range edits {
			list = append(list, oneLine(s.text[e.from:e.to])+" -> "+e.by)
		}
		slices.Sort(list)
		slices.Sort(want[kind])
		if !slices.Equal(list, want[kind]) {
			t.Errorf("%s: %q, want %q", kind, list, want[kind])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d kinds, want %d", len(got), len(want))
	}
	if len(s.sites["package level"]["constant"]) != 2 {
		t.Error("the constant of the package has not two neighbours")
	}
}

// TestGoDraw: a mutant differs from its source in the place that it names.
func TestGoDraw(t *testing.T) {
	s, random := goExample(t), rand.New(rand.NewPCG(5, 6))
	for range 100 {
		m := s.draw(random)
		lines := strings.Split(s.text, "\n")
		at := len(strings.Join(lines[:m.line-1], "\n"))
		i := at + strings.Index(s.text[at:], m.before)
		if m.text == s.text || !strings.HasPrefix(m.text, s.text[:at]) || i < at {
			t.Fatalf("%v: not at its line", m)
		}
		if len(m.text) != len(s.text)-len(m.before)+len(m.after) {
			t.Fatalf("%v changed more than it says", m)
		}
	}
}

// TestGoTests: what is built on a package is tested as well as the package.
func TestGoTests(t *testing.T) {
	for dir, want := range map[string][]string{
		".":             {".", "./compat/..."},
		"registry":      {"./registry", ".", "./compat/..."},
		"compat/xts":    {"./compat/xts", "./compat/..."},
		"examples/disk": {"./examples/disk", "./examples/..."},
	} {
		var got []string
		for _, c := range goTests(dir, true) {
			got = append(got, c.args[len(c.args)-1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
