package main

import (
	"slices"
	"testing"
)

// TestSplitLine: quotes and backslashes as in bash, and where bash's word to replace begins.
func TestSplitLine(t *testing.T) {
	for _, c := range []struct {
		line     string
		words    []string
		complete string // the last word becomes this
		insert   string // by this in the place of its end
	}{
		{"tcrypt ", []string{"tcrypt", ""}, "list", "list"},
		{"tcrypt explain gc", []string{"tcrypt", "explain", "gc"}, "gcm(aes)", `gcm\(aes\)`},
		{"tcrypt explain gcm\\(a", []string{"tcrypt", "explain", "gcm(a"}, "gcm(aes)", `gcm\(aes\)`},
		{"tcrypt explain 'gcm(", []string{"tcrypt", "explain", "gcm("}, "gcm(aes)", `gcm(aes)`},
		{`tcrypt  explain "gcm(`, []string{"tcrypt", "explain", "gcm("}, "gcm(aes)", `gcm(aes)`},
		{"tcrypt list 'xts(aes)' g", []string{"tcrypt", "list", "xts(aes)", "g"}, "gcm(aes)", `gcm\(aes\)`},
		{"tcrypt speed --drivers=go,x", []string{"tcrypt", "speed", "--drivers=go,x"}, "--drivers=go,x(y)", `go,x\(y\)`},
		{"tcrypt speed --drivers 'a(b)',c", []string{"tcrypt", "speed", "--drivers", "a(b),c"}, "a(b),cd", ",cd"},
		{"tcrypt speed --drivers='a(", []string{"tcrypt", "speed", "--drivers=a("}, "--drivers=a(b)", "a(b)"},
		{`tcrypt list "a\"b`, []string{"tcrypt", "list", `a"b`}, `a"bc`, `a"bc`},
	} {
		l := splitLine(c.line)
		if !slices.Equal(l.words, c.words) {
			t.Errorf("%s: words %q, want %q", c.line, l.words, c.words)
		}
		if got := l.insert(c.complete); got != c.insert {
			t.Errorf("%s: %q goes in as %q, want %q", c.line, c.complete, got, c.insert)
		}
	}
}
