package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kcrypto/internal/cpu"
	"kcrypto/internal/limits"
	"kcrypto/tools/tcrypt/internal/measure"
	"kcrypto/tools/tcrypt/internal/result"
)

// Tests of this kind run every command, in every form that its -o takes: a new one is among them by itself.

// quickly has the arguments with which a command is soon done; others are run without any.
var quickly = map[string]string{
	"list":    "gcm(aes)",
	"explain": "gcm(aes)",
	"test":    "gcm(aes)",
	"speed":   "gcm-aes-generic --sizes 64 --keys 128 --time 6ms --count 6",
	"compare": "gcm-aes-generic go --sizes 64 --keys 128 --time 6ms --count 6",
	"tune":    "rfc7539(chacha20,poly1305) --sizes 64 --time 6ms --count 6",
	"draw":    "SAVED --plot",
	"man":     "DIRECTORY", // a new one
}

// A line is the arguments of one call of tcrypt.
type line struct {
	command *cobra.Command
	args    []string
}

func (l line) String() string { return "tcrypt " + strings.Join(l.args, " ") }

// everyLine returns a line for every command and form, those of the kernel's form and the helps among them.
func everyLine(t *testing.T) []line {
	t.Helper()
	root := (&app{out: &stdout{w: new(bytes.Buffer)}}).command()
	root.InitDefaultVersionFlag()
	lines := []line{{root, nil}, {root, []string{"--help"}}}
	others := []string{"help", "mode=0 alg=gcm(aes)", "mode=10 alg=ecb(aes)"}
	if measure.CyclesKnown {
		others = append(others, "mode=211 alg=gcm-aes-generic klen=16")
	}
	for _, args := range others {
		lines = append(lines, line{root, strings.Fields(args)})
	}
	if root.Flags().Lookup("version") != nil {
		lines = append(lines, line{root, []string{"--version"}})
	}
	return append(lines, linesOf(t, root)...)
}

// linesOf returns the lines of the commands below one.
func linesOf(t *testing.T, parent *cobra.Command) (lines []line) {
	for _, c := range parent.Commands() {
		if !c.IsAvailableCommand() || c.Name() == "limits" && limits.Measure(cpu.InEffect()).List == nil {
			continue // what cannot be measured in this build
		}
		path := strings.Fields(c.CommandPath())[1:]
		lines = append(lines, line{c, append(path, "--help")}, line{c, append([]string{"help"}, path...)})
		lines = append(lines, linesOf(t, c)...)
		if c.HasSubCommands() {
			continue
		}
		args := append(path, strings.Fields(strings.NewReplacer("DIRECTORY", t.TempDir(), "SAVED", saved(t)).
			Replace(quickly[c.Name()]))...)
		forms := []string{""}
		if f := c.Flags().Lookup("output"); f != nil {
			forms = f.Value.(*choice).of
		}
		for _, form := range forms {
			one := line{c, args[:len(args):len(args)]}
			if form != "" {
				one.args = append(one.args, "-o", form)
			}
			lines = append(lines, one)
		}
	}
	return lines
}

// saved returns the name of a file with results.
func saved(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "saved.json")
	text, err := json.Marshal(runOf(result.Encrypt, "generic"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// writesFiles says whether l writes files and nothing to its standard output.
func (l line) writesFiles() bool {
	return len(l.args) == 2 && l.args[0] == "man" && l.args[1] != "--help"
}

// helps says whether l only shows a help, or the version.
func (l line) helps() bool {
	return len(l.args) > 0 && (l.args[0] == "help" || slices.Contains(l.args, "--help") || l.args[0] == "--version")
}

// fileFlags returns the flags of l's command that take the name of a file to write.
func (l line) fileFlags() (flags []string) {
	if len(l.args) > 0 && !l.helps() {
		l.command.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "file" {
				flags = append(flags, "--"+f.Name)
			}
		})
	}
	return flags
}

// do runs tcrypt in this process.
func do(ctx context.Context, args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = run(ctx, args, &o, &e)
	return o.String(), e.String(), code
}

// Every command does something when all is well, or the tests of what goes wrong show nothing.
func TestEveryLine(t *testing.T) {
	for _, l := range everyLine(t) {
		out, errs, code := do(t.Context(), l.args...)
		if code != exitOK || errs != "" || (out == "") != l.writesFiles() {
			t.Errorf("%v: exit code %d, stderr %q, %d bytes on stdout", l, code, errs, len(out))
		}
	}
}
