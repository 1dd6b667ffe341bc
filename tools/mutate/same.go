package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed same.txt
var sameText string

// An equivalent is a pattern of mutants that compute the same, and why they do.
type equivalent struct {
	pattern *regexp.Regexp
	why     string
}

// equivalents reads the list.
func equivalents(text string) ([]equivalent, error) {
	var list []equivalent
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, why, ok := strings.Cut(line, "  # ")
		if !ok {
			return nil, fmt.Errorf("same.txt: %q does not say why, behind two blanks and a #", line)
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("same.txt: %w", err)
		}
		list = append(list, equivalent{re, why})
	}
	return list, nil
}

// computesSame reports whether list has m.
func computesSame(list []equivalent, m *mutant) bool {
	for _, e := range list {
		if e.pattern.MatchString(m.key()) {
			return true
		}
	}
	return false
}
