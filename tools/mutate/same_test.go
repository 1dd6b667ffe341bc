package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEquivalents: the list can be read, and each of its lines means a file that is there.
func TestEquivalents(t *testing.T) {
	list, err := equivalents(sameText)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d lines, %v", len(list), err)
	}
	t.Chdir(filepath.Join("..", ".."))
	sources, err := readGo(regexp.MustCompile("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		file, _, _ := strings.Cut(e.pattern.String(), " ")
		found := false
		for _, s := range sources {
			found = found || regexp.MustCompile(file+"$").MatchString(s.path())
		}
		if !found {
			t.Errorf("%s: there is no such file (any more)", e.pattern)
		}
	}
	yes := &mutant{path: "batch.go", line: 20, function: "package level", before: "128", after: "129"}
	no := &mutant{path: "batch.go", line: 20, function: "package level", before: "128", after: "0"}
	if !computesSame(list, yes) || computesSame(list, no) {
		t.Errorf("%v: %v; %v: %v", yes, computesSame(list, yes), no, computesSame(list, no))
	}
	for _, bad := range []string{"^x: a -> b\n", "^(x  # because\n"} {
		if _, err := equivalents(bad); err == nil {
			t.Errorf("%q is taken for a list", bad)
		}
	}
}
