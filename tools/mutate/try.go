package main

import (
	"context"
	"encoding/json"
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
	survived    outcome = "survived"
)

// patience is how long a step may take before its hanging counts as noticed. The tests themselves take a tenth of it.
const patience = 10 * time.Second

// bench builds and tries mutants in a folder of its own.
type bench struct{ dir string }

// try runs everything that might notice that s reads text, the cheapest first.
func (b bench) try(ctx context.Context, s *source, text string) (outcome, error) {
	overlay, err := b.overlay(s.path, text)
	if err != nil {
		return "", err
	}
	tcrypt := filepath.Join(b.dir, "tcrypt")
	if out, err := command(ctx, time.Minute, "go", "build", overlay, "-o", tcrypt, "./tools/tcrypt"); err != nil {
		if strings.Contains(out, "asm: assembly") || strings.Contains(out, filepath.Base(s.path)) {
			return unbuildable, nil
		}
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	steps := []struct {
		by   outcome
		args []string
	}{
		{selfTest, append([]string{tcrypt, "test"}, s.drivers...)},
		{package_, []string{"go", "test", overlay, "-vet=off", "-short", "-count=1", "./" + filepath.Dir(s.path)}},
		{suite, []string{"go", "test", overlay, "-vet=off", "-short", "-count=1",
			"-run", "/(" + strings.Join(s.drivers, "|") + ")($|[^-])", "."}},
	}
	for _, step := range steps {
		if _, err := command(ctx, patience+building(step.args), step.args[0], step.args[1:]...); err != nil {
			return step.by, ctx.Err()
		}
	}
	return survived, nil
}

// sound says whether everything passes while nothing is broken: what fails then would notice every mutant.
func sound(ctx context.Context) error {
	for _, args := range [][]string{
		{"run", "./tools/tcrypt", "test"},
		{"test", "-vet=off", "-short", "-count=1", ".", "./algs/...", "./internal/aes"},
	} {
		if out, err := command(ctx, 5*time.Minute, "go", args...); err != nil {
			return fmt.Errorf("go %s fails before anything is broken: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

// building is the time a step may spend on compiling and linking first.
func building(args []string) time.Duration {
	if args[0] == "go" {
		return 20 * time.Second
	}
	return 0
}

// overlay writes text where the build finds it instead of path, and returns the flag that says so.
func (b bench) overlay(path, text string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	mutated := filepath.Join(b.dir, "mutant.s")
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

// command runs a command and returns what it said.
func command(ctx context.Context, limit time.Duration, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}
