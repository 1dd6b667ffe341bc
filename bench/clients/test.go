package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// verdicts are the names of tests, with their packages before a space, by what came of them, and what each said.
type verdicts struct {
	pass, fail, skip []string
	output           map[string]string
}

// test runs the client's own tests on both copies. What fails before the change is not our fault, but is reported; what
// passes before it and not after it is.
func (b *bench) test(c client) error {
	var v [2]verdicts
	for i, side := range sides {
		start := time.Now()
		v[i] = b.runTests(c, side.name, c.tests...)
		if len(v[i].pass) == 0 {
			return fmt.Errorf("no test passed %s the change: %v", side.name, v[i].output)
		}
		fmt.Printf("%s, %-6s the change: %d tests and subtests passed, %d failed, %d left themselves out, %.0f s\n",
			c.name, side.name, len(v[i].pass), len(v[i].fail), len(v[i].skip), time.Since(start).Seconds())
		b.again(c, side.name, &v[i])
	}
	before, after := v[0], v[1]
	var broken []string
	for _, name := range before.pass {
		if !slices.Contains(after.pass, name) && !slices.Contains(after.skip, name) {
			broken = append(broken, name)
			fmt.Printf("%s: %s\n%s\n", c.name, name, after.output[name])
		}
	}
	for _, name := range before.fail {
		fmt.Printf("%s: %s fails here with its own imports\n", c.name, name)
	}
	if len(broken) > 0 {
		return fmt.Errorf("passed before the change and not after it: %s", strings.Join(broken, ", "))
	}
	return nil
}

// again gives the tests that failed two more chances, alone: many wait for some milliseconds and fail when the machine
// was busy with others. Those that pass then are reported, and count as passed.
func (b *bench) again(c client, side string, v *verdicts) {
	folders := map[string]bool{}
	for range 2 {
		for _, name := range slices.Clone(v.fail) {
			folder, test, isTest := strings.Cut(name, " ")
			if !isTest || strings.Contains(test, "/") {
				continue
			}
			folders[folder] = true
			now := b.runTests(c, side, "-run=^"+test+"$", folder)
			if slices.Contains(now.pass, name) {
				fmt.Printf("%s, %-6s the change: %s passed when it was run again\n", c.name, side, name)
				v.passed(now.pass)
			}
		}
	}
	for folder := range folders { // a package fails if one of its tests does
		if !slices.ContainsFunc(v.fail, func(name string) bool { return strings.HasPrefix(name, folder+" ") }) {
			v.passed([]string{folder})
		}
	}
}

// passed moves names from those that failed to those that passed.
func (v *verdicts) passed(names []string) {
	v.pass = append(v.pass, names...)
	v.fail = slices.DeleteFunc(v.fail, func(f string) bool { return slices.Contains(names, f) })
}

// runTests runs tests of one copy.
func (b *bench) runTests(c client, side string, what ...string) verdicts {
	args := append([]string{"test", "-vet=off", "-short", "-count=1", "-timeout=8m", "-json"}, what...)
	out, _ := goWith(b.side(c, side), c.env, args...) // the verdicts say more than the exit status
	return read(out)
}

// read takes the verdicts out of what go test -json says.
func read(out string) verdicts {
	v := verdicts{output: map[string]string{}}
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var e struct{ Action, Package, Test, ImportPath, Output string }
		if dec.Decode(&e) != nil {
			break
		}
		name := strings.TrimSuffix(e.ImportPath+e.Package+" "+e.Test, " ")
		v.output[name] += e.Output
		switch e.Action {
		case "pass":
			v.pass = append(v.pass, name)
		case "fail", "build-fail":
			v.fail = append(v.fail, name)
		case "skip":
			v.skip = append(v.skip, name)
		}
	}
	return v
}
