//go:build !purego

package chacha

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestCodeSize holds the assembly of all drivers to 50 KB.
func TestCodeSize(t *testing.T) {
	archive, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", ".").Output()
	if err != nil {
		t.Skipf("NOT RUN HERE: it wants the go command and the sources: %v", err)
	}
	out, err := exec.Command("go", "tool", "nm", "-size", strings.TrimSpace(string(archive))).CombinedOutput()
	if err != nil {
		t.Fatalf("go tool nm: %v\n%s", err, out)
	}
	symbol := regexp.MustCompile(`(?m)\s(\d+) T kcrypto/algs/chacha\.(xorSSSE3|xorAVX2|xorAVX512|streamSSSE3|streamAVX2|streamAVX512|bulkIFMA|squareEight|addEight|macShort)(?:\.abi0)?$`)
	total, found := 0, map[string]int{}
	for _, m := range symbol.FindAllStringSubmatch(string(out), -1) { // the function, and what calls it from Go
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		found[m[2]] += n
		total += n
	}
	for name, n := range found {
		t.Logf("%-20s %6d bytes", name, n)
	}
	t.Logf("%-20s %6d bytes", "all", total)
	if len(found) != 10 {
		t.Fatalf("%d functions of assembly found, want 10:\n%s", len(found), out)
	}
	if total > 50000 {
		t.Errorf("the assembly has %d bytes, want at most 50000", total)
	}
}
