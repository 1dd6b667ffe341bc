package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"kcrypto/internal/rewrite"
)

// sides are the two copies of a client, and the imports that are changed in each.
var sides = []struct {
	name    string
	imports map[string]string
}{{"before", nil}, {"after", changed}}

func (b *bench) side(c client, side string) string { return filepath.Join(b.dir, c.name, side) }

func (b *bench) program(c client, side string) string {
	return filepath.Join(b.dir, c.name, side+"-load")
}

// prepare makes both copies and builds both load programs.
func (b *bench) prepare(c client) error {
	home, err := filepath.Abs(b.home)
	if err != nil {
		return err
	}
	out, err := exec.Command("go", "mod", "download", "-json", c.module+"@"+c.version).Output()
	var source struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &source); jsonErr != nil || source.Dir == "" {
		return fmt.Errorf("go mod download: %v: %s", err, source.Error)
	}
	for _, side := range sides {
		dir := b.side(c, side.name)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := (&rewrite.Changes{Imports: side.imports, Keep: c.keep}).Tree(dir, source.Dir); err != nil {
			return err
		}
		loads := filepath.Join(home, "bench", "clients", "loads")
		if err := addLoad(loads, filepath.Join(dir, "kcryptoload"), c.load); err != nil {
			return err
		}
		// Both require kcrypto, so that both get the same versions of everything else. Only one imports it.
		if _, err := goIn(dir, "mod", "edit", "-require=kcrypto@v0.0.0", "-replace=kcrypto="+home); err != nil {
			return err
		}
		if _, err := goIn(dir, "build", "-o", b.program(c, side.name), "./kcryptoload"); err != nil {
			return err
		}
	}
	return b.checkImports(c)
}

// addLoad puts the load program and its loop into folder dir.
func addLoad(loads, dir, name string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, file := range []string{"loop", name} {
		text, err := os.ReadFile(filepath.Join(loads, file+".go.txt"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, file+".go"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// checkImports makes sure that the one copy is on our packages and the other is not.
func (b *bench) checkImports(c client) error {
	for _, side := range sides {
		deps, err := goIn(b.side(c, side.name), "list", "-deps", "./kcryptoload")
		if err != nil {
			return err
		}
		var ours []string
		for _, p := range strings.Fields(deps) {
			if strings.HasPrefix(p, "kcrypto/compat/") && !strings.Contains(p, "internal") {
				ours = append(ours, p)
			}
		}
		if (len(ours) > 0) != (side.imports != nil) {
			return fmt.Errorf("%s the change it imports %v of ours", side.name, ours)
		}
		if len(ours) > 0 {
			fmt.Printf("%s %s: imports %s\n", c.name, c.version, strings.Join(ours, ", "))
		}
	}
	return nil
}

// goIn runs a go command in dir and returns its output.
func goIn(dir string, args ...string) (string, error) {
	return goWith(dir, nil, args...)
}

// goWith is goIn with more in the environment.
func goWith(dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off", "GOTOOLCHAIN=local"), env...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return string(out), fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, complaints.String())
	}
	return string(out), nil
}
