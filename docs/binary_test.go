package docs

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// scratch is a folder for the run of these tests. In its bin is tcrypt, as tcryptBuilt made it.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "kcrypto-docs-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var tcryptBuilt = sync.OnceValue(func() error {
	return build("tcrypt", "./tcrypt")
})

// build makes a program of a package of the tools.
func build(name, pkg string) error {
	cmd := exec.Command("go", "build", "-o", filepath.Join(scratch, "bin", name), pkg)
	cmd.Dir = filepath.Join(home, "tools")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// needTcrypt builds tcrypt if no test has yet.
func needTcrypt(t *testing.T) {
	t.Helper()
	sources(t)
	if _, err := os.Stat(filepath.Join(home, "tools", "go.mod")); err != nil {
		t.Skip("NOT RUN: only a clone of the repository has tcrypt")
	}
	if err := tcryptBuilt(); err != nil {
		t.Fatal(err)
	}
}

// tcrypt returns what tcrypt writes to stdout.
func tcrypt(t *testing.T, args ...string) string {
	t.Helper()
	needTcrypt(t)
	out, err := exec.Command(filepath.Join(scratch, "bin", "tcrypt"), args...).Output()
	if err != nil {
		t.Fatalf("tcrypt %q: %v", args, err)
	}
	return string(out)
}

var (
	helpCommand = regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`)
	helpFlag    = regexp.MustCompile(`(?m)^ +(?:(-\w), )?(--[a-z-]+)`)
	listed      = regexp.MustCompile(`(?m)^(name|driver) +: (.*)$`)
)

// flag is a flag of a command: -o and --output. short may be "".
type flag struct{ short, long string }

// in reports whether a text names the flag.
func (f flag) in(text string) bool {
	return regexp.MustCompile(`(` + f.long + `|\B` + cmp.Or(f.short, f.long) + `)\b[^-]`).MatchString(text)
}

// commands returns tcrypt's commands, each with its flags. Those of "" are the flags that all have.
func commands(t *testing.T) map[string][]flag {
	t.Helper()
	all := tcrypt(t, "help")
	flags := map[string][]flag{"": flagsIn(all)}
	for _, m := range helpCommand.FindAllStringSubmatch(section(all, "Available Commands:"), -1) {
		flags[m[1]] = flagsIn(tcrypt(t, "help", m[1]))
	}
	if len(flags) < 10 || !slices.Contains(flags["list"], flag{"-o", "--output"}) {
		t.Fatalf("the commands are read wrongly from tcrypt help: %v", flags)
	}
	return flags
}

// flagsIn reads the flags from a text of tcrypt help, but -h, which all commands have.
func flagsIn(help string) (flags []flag) {
	for _, m := range helpFlag.FindAllStringSubmatch(section(help, "Flags:")+section(help, "Global Flags:"), -1) {
		if m[2] != "--help" {
			flags = append(flags, flag{m[1], m[2]})
		}
	}
	return flags
}

// section returns the lines behind a heading, up to an empty one.
func section(help, heading string) string {
	_, after, _ := strings.Cut("\n"+help, "\n"+heading+"\n")
	lines, _, _ := strings.Cut(after, "\n\n")
	return lines
}

// drivers returns the names of algorithms and drivers.
func drivers(t *testing.T) (algorithms, drivers []string) {
	t.Helper()
	for _, m := range listed.FindAllStringSubmatch(tcrypt(t, "list", "--no-test", "-o", "proc"), -1) {
		if m[1] == "name" {
			algorithms = append(algorithms, m[2])
		} else {
			drivers = append(drivers, m[2])
		}
	}
	return algorithms, drivers
}
