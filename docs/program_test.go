package docs

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shell runs a command line of a document in folder dir, and returns what it wrote.
func shell(t *testing.T, dir, command string, env ...string) (stdout, stderr string, err error) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("NOT RUN: no shell here")
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// sources makes the result of the test depend on all Go code here: the go command keeps results, and cannot know of
// code that another go command builds.
func sources(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(home, func(name string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".go") {
			_, err = os.Stat(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// follow carries out the steps that a document gives for a module, those of the block with "go mod edit", and returns
// what the last one printed. The sums of modules are not looked up in the network; the go command is left as it is
// otherwise.
func follow(t *testing.T, document, dir string) (printed string) {
	t.Helper()
	sources(t)
	var steps []line
	for _, b := range named(t, document).blocks {
		if slices.ContainsFunc(b.lines, func(l line) bool { return strings.Contains(l.text, "go mod edit") }) {
			steps = append(steps, b.lines...)
		}
	}
	if len(steps) < 2 {
		t.Fatalf("%s has %d steps for a module, want some", document, len(steps))
	}
	for _, s := range steps {
		command := strings.ReplaceAll(s.text, "/path/to/this/clone", home)
		out, errs, err := shell(t, dir, command, "GOWORK=off", "GONOSUMDB=*", "GOFLAGS=-buildvcs=false")
		if err != nil {
			t.Fatalf("%s:%d: %s\n%v\n%s%s", document, s.number, command, err, out, errs)
		}
		printed = out
	}
	return printed
}

// readmeProgram returns the program that the README shows.
func readmeProgram(t *testing.T) string {
	t.Helper()
	for _, b := range named(t, "README.md").blocks {
		if b.tag == "go" && b.lines[0].text == "package main" {
			var code strings.Builder
			for _, l := range b.lines {
				code.WriteString(l.text + "\n")
			}
			return code.String()
		}
	}
	t.Fatal("the README has no program")
	return ""
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestProgram follows the README from an empty folder to a program that runs.
func TestProgram(t *testing.T) {
	t.Parallel() // it waits for the go command
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), readmeProgram(t))
	if got := follow(t, "README.md", dir); !strings.HasPrefix(got, "attack at dawn <nil>, by gcm-aes-") {
		t.Errorf("the README's program printed %q", got)
	}
}

var (
	goLine      = regexp.MustCompile(`(?m)^go (\S+)$`)
	requirement = regexp.MustCompile(`(?m)^(?:require)?\s+(\S+) (v\S+)(?: // indirect)?$`)
)

// TestMigratingSteps follows docs/migrating.md in a module with an older go line, and holds what it says about go.mod.
func TestMigratingSteps(t *testing.T) {
	t.Parallel() // it waits for the go command
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), readmeProgram(t))
	write(t, filepath.Join(dir, "go.mod"), "module example.org/old\n\ngo 1.21\n")
	follow(t, "docs/migrating.md", dir)
	if out, err := exec.Command(filepath.Join(dir, "old")).CombinedOutput(); !strings.HasPrefix(string(out), "attack") {
		t.Errorf("the program printed %q: %v", out, err)
	}
	theirs, ours := read(t, filepath.Join(dir, "go.mod")), read(t, filepath.Join(home, "go.mod"))
	says := named(t, "docs/migrating.md").text
	oldest := goLine.FindStringSubmatch(ours)[1]
	if got := goLine.FindStringSubmatch(theirs)[1]; got != oldest || !strings.Contains(says, "kcrypto's, "+oldest) {
		t.Errorf("the go line becomes %s; kcrypto's is %s, and docs/migrating.md must say so", got, oldest)
	}
	versions := map[string]string{}
	for _, m := range requirement.FindAllStringSubmatch(ours, -1) {
		versions[m[1]] = m[2]
	}
	for _, m := range requirement.FindAllStringSubmatch(theirs, -1) {
		switch {
		case m[1] == "kcrypto":
		case versions[m[1]] != m[2]:
			t.Errorf("%s %s comes with kcrypto, whose go.mod says %q", m[1], m[2], versions[m[1]])
		case !strings.Contains(says, m[1]):
			t.Errorf("%s comes with kcrypto, and docs/migrating.md does not say so", m[1])
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
