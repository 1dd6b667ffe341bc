package result

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommitOf(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT RUN: no git here")
	}
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	if got := commitOf(filepath.Join(dir, "none")); got != unknownCommit {
		t.Errorf("no directory: %q", got)
	}
	git("init", "-q")
	if got := commitOf(dir); got != unknownCommit {
		t.Errorf("no commit: %q", got)
	}
	git("commit", "-q", "--allow-empty", "-m", "x")
	want := git("rev-parse", "HEAD")[:12]
	if got := commitOf(dir); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := commitOf(dir); got != want+" with changes" {
		t.Errorf("changed: got %q", got)
	}
}

func TestIsRunBy(t *testing.T) {
	for path, want := range map[string]bool{
		"/root/.cache/go-build/ab/abcd-d/tcrypt": true,
		"/tmp/go-build123/b001/exe/tcrypt":       true,
		"/usr/local/bin/tcrypt":                  false,
	} {
		if got := isRunBy(filepath.FromSlash(path), nil); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if isRunBy("/tmp/go-build1/tcrypt", errors.New("unknown")) {
		t.Error("an unknown executable")
	}
}

func TestDescribe(t *testing.T) {
	if got := describe("0123456789abcdef", true); got != "0123456789ab with changes" {
		t.Error(got)
	}
	if got := describe("012", false); got != "012" {
		t.Error(got)
	}
}
