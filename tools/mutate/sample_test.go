package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgain: what survived is drawn again, wherever its lines are now, and nothing else is.
func TestAgain(t *testing.T) {
	s := goExample(t)
	var first []*mutant
	for whole := newSample([]source{s}, 7); len(first) < 3; {
		m, _, err := whole.next()
		if err != nil {
			t.Fatal(err)
		}
		first = append(first, m)
	}
	file := filepath.Join(t.TempDir(), "output")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("3 mutants of 1 files, seed 7\nsurvived: " + first[1].String() + "\n3 mutants in 4s: noticed\n")
	moved := &goSource{name: s.name, text: "// A line more.\n" + goCode}
	if err := moved.index(); err != nil {
		t.Fatal(err)
	}
	again := newSample([]source{moved}, 8)
	if n, err := again.only(file); n != 1 || err != nil {
		t.Fatalf("%d, %v; want the one survivor", n, err)
	}
	m, _, err := again.next()
	if err != nil || m.key() != first[1].key() || m.line != first[1].line+1 {
		t.Errorf("%v, %v; want %v a line further", m, err, first[1])
	}

	write("survived: x.go:1 gone: a -> b\n")
	if n, err := again.only(file); n != 1 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if _, _, err := again.next(); err == nil || !strings.Contains(err.Error(), "x.go gone: a -> b") {
		t.Errorf("a place that is not there any more: %v, want an error that names it", err)
	}
	write("all noticed\n")
	if _, err := again.only(file); err == nil {
		t.Error("an output without survivors: no error")
	}
}
