// Package codesize measures the machine code of assembly, for the tests that bound it.
package codesize

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Of returns the sizes in bytes of the machine code of functions of the Go package in the working folder: of those
// whose names match the regular expression names, each with its wrapper for calls from Go. It needs the go command and
// the package's sources.
func Of(names string) (map[string]int, error) {
	listed, err := exec.Command("go", "list", "-export", "-f", "{{.ImportPath}} {{.Export}}", ".").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	pkg, archive, _ := strings.Cut(strings.TrimSpace(string(listed)), " ")
	symbols, err := exec.Command("go", "tool", "nm", "-size", archive).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("go tool nm: %w\n%s", err, symbols)
	}
	line := regexp.MustCompile(`(?m)\s(\d+) T ` + regexp.QuoteMeta(pkg) + `\.(` + names + `)(?:\.abi0)?$`)
	sizes := map[string]int{}
	for _, m := range line.FindAllStringSubmatch(string(symbols), -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, err
		}
		sizes[m[2]] += n
	}
	return sizes, nil
}

// Check fails t unless there are as many functions as expected, with at most limit bytes together.
func Check(t *testing.T, sizes map[string]int, functions, limit int) {
	t.Helper()
	total := 0
	for name, n := range sizes {
		t.Logf("%-20s %6d bytes", name, n)
		total += n
	}
	t.Logf("%-20s %6d bytes", "all", total)
	if len(sizes) != functions {
		t.Fatalf("%d functions of assembly found, want %d: %v", len(sizes), functions, sizes)
	}
	if total > limit {
		t.Errorf("the assembly has %d bytes, want at most %d", total, limit)
	}
}
