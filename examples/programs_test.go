// Package examples tests the programs in its folders as programs.
package examples

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrograms builds every program and gives it one argument, which is too few or too many for all of them: each ends
// with status 2 and says how to use it.
func TestPrograms(t *testing.T) {
	dir := t.TempDir() + string(filepath.Separator)
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", dir, "./...").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	mains, err := filepath.Glob("*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, main := range mains {
		name := filepath.Dir(main)
		c := exec.Command(dir+name, "nonsense")
		out, _ := c.CombinedOutput()
		code, lines := c.ProcessState.ExitCode(), strings.Count(string(out), "\n")
		if code != 2 || lines == 0 || !strings.Contains(string(out), name) {
			t.Errorf("%s nonsense: status %d, want 2 and its usage:\n%s", name, code, out)
		}
	}
}
