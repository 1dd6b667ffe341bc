package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// outcome is what noticed a mutant.
type outcome string

const (
	unbuildable outcome = "did not assemble"
	selfTest    outcome = "self-test"
	package_    outcome = "package's tests"
	suite       outcome = "suite"
	users       outcome = "tests of what is built on it"
	hung        outcome = "did not end"
	survived    outcome = "survived"
)

// patience is how long a check may take before its hanging counts as noticed: many times what the slowest takes, and
// what compiling and linking take first, on a machine that does other things as well.
const patience = 4 * time.Minute

// bench builds and tries mutants in a folder of its own.
type bench struct{ dir string }

// check is a command that passes while nothing is broken.
type check struct {
	by   outcome // what has noticed if it fails
	args []string
}

// try runs the checks against a mutant until one fails.
func (b bench) try(ctx context.Context, m *mutant, checks []check) (outcome, error) {
	overlay, err := b.overlay(m.path, m.text)
	if err != nil {
		return "", err
	}
	if out, err := command(ctx, 2*time.Minute, overlay, "go", "build", "./"+filepath.Dir(m.path)); err != nil {
		// What compiler and assembler say stands under the package's name; it may be about another file than the mutant's.
		if strings.HasPrefix(out, "# ") || strings.Contains(out, "\n# ") {
			return unbuildable, nil
		}
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	for _, c := range checks {
		if _, err := command(ctx, patience, overlay, c.args...); errors.Is(err, context.DeadlineExceeded) {
			return hung, nil
		} else if err != nil {
			return c.by, ctx.Err()
		}
	}
	return survived, nil
}

// sound says whether everything passes while nothing is broken: what fails then would notice every mutant.
func sound(ctx context.Context) error {
	for _, args := range [][]string{
		{"run", "./tools/tcrypt", "test"},
		append([]string{"test", "-vet=off", "-short", "-count=1"}, goPackages...),
	} {
		if out, err := command(ctx, 20*time.Minute, "", append([]string{"go"}, args...)...); err != nil {
			return fmt.Errorf("go %s fails before anything is broken: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

// overlay writes text where the build finds it instead of path, and returns the flag that says so.
func (b bench) overlay(path, text string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	mutated := filepath.Join(b.dir, "mutant"+filepath.Ext(path))
	plan, err := json.Marshal(map[string]any{"Replace": map[string]string{abs: mutated}})
	if err != nil {
		return "", err
	}
	file := filepath.Join(b.dir, "overlay.json")
	if err := os.WriteFile(mutated, []byte(text), 0o600); err != nil {
		return "", err
	}
	return "-overlay=" + file, os.WriteFile(file, plan, 0o600)
}

// command runs a command with a flag for go, also for a go that a test starts, and returns what it said.
func command(ctx context.Context, limit time.Duration, flag string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" "+flag)
	cmd.WaitDelay = time.Second
	killAll(cmd)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return string(out), err
}
