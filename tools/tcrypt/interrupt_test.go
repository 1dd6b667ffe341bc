package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An endless line would take minutes. Interrupted soon, it has what was measured until then in its output and its
// files, marked as what matches.
type endless struct {
	args  []string
	files []string // that it writes
	mark  string   // a regular expression
}

const partialMark = `of 1000\b|"samples_wanted": 1000|,1000,`

// everyEndless returns every line that measures, the flags for files and for plots among its arguments. A command that
// has --time measures.
func everyEndless(t *testing.T) (all []endless) {
	for _, l := range everyLine(t) {
		flags := l.command.Flags()
		if l.args == nil || flags.Lookup("time") == nil || l.helps() {
			continue
		}
		one := endless{args: append(slices.Clone(l.args), "--time", "60s", "--count", "1000"), mark: partialMark}
		for _, flag := range l.fileFlags() {
			name := filepath.Join(t.TempDir(), "file")
			one.args, one.files = append(one.args, flag, name), append(one.files, name)
		}
		all = append(all, one)
		if plain := !slices.Contains(l.args, "-o") || slices.Contains(l.args, "table"); flags.Lookup("plot") != nil && plain {
			one.args = append(slices.Clone(one.args), "--plot")
			one.mark = `(?s), interrupted:\s[^┤]*of\s1000\ssamples,\s(GB/s|B's\stime\sover\sA's|times\sthe\sfastest\sone's)\n`
			all = append(all, one)
		}
	}
	const row = `interrupted: the next row is of [0-9.]+ seconds, scaled to 60\n.* in 60 seconds .*\n.*Interrupted`
	for args, mark := range map[string]string{
		"":                         `(?s)^.*\n\d+ drivers: .*\n\nInterrupted: not all`,
		"test --full":              `(?m)^\d+ passed, 0 failed, \d+ unavailable, [1-9]\d* not tested, seed 0x`,
		"mode=211 sec=60":          row,
		"mode=600 num_mb=2 sec=60": row,
	} {
		all = append(all, endless{args: strings.Fields(args), mark: mark})
	}
	return all
}

// soon calls attempt with longer and longer times, until it is content.
func soon(t *testing.T, what string, attempt func(time.Duration) (problem string)) {
	t.Helper()
	for after := 300 * time.Millisecond; ; after *= 2 {
		problem := attempt(after)
		if problem == "" {
			return
		}
		if after > 20*time.Second {
			t.Errorf("%s: %s", what, problem)
			return
		}
	}
}

// lacks says where the mark of e is not, in its output and its files, or that its end was wrong.
func (e endless) lacks(out, errs string, code, wantCode int, wantErrs string) string {
	mark := regexp.MustCompile(e.mark)
	announcement := regexp.MustCompile(`^tcrypt: this takes about \S+: .*\n`)
	if errs = announcement.ReplaceAllString(errs, ""); code != wantCode || errs != "tcrypt: "+wantErrs+"\n" {
		return fmt.Sprintf("exit code %d and stderr %q", code, errs)
	}
	if !mark.MatchString(out) {
		return "no " + e.mark + " in\n" + out
	}
	for _, name := range e.files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err.Error()
		}
		if !regexp.MustCompile(partialMark).Match(text) {
			return name + " does not say that it is of a part"
		}
	}
	return ""
}

// What was measured is there after an interruption, in every command and form, in pictures too.
func TestEveryInterruption(t *testing.T) {
	for _, e := range everyEndless(t) {
		soon(t, strings.Join(e.args, " "), func(after time.Duration) string {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			time.AfterFunc(after, cancel)
			out, errs, code := do(ctx, e.args...)
			return e.lacks(out, errs, code, signalled+int(syscall.SIGINT), "interrupted")
		})
	}
}

// Signals do that. They are caught here, so that the program gets them although the tests run where they are ignored,
// as in a shell's background: what is ignored stays so in a program that is started, and what is caught does not.
func TestSignals(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(caught)
	for signal, message := range map[syscall.Signal]string{
		syscall.SIGINT: "interrupted", syscall.SIGTERM: "terminated", syscall.SIGHUP: "hangup",
	} {
		page := filepath.Join(t.TempDir(), "r.html")
		e := endless{mark: partialMark, files: []string{page}, args: []string{"speed", "gcm-aes-generic", "--sizes", "64",
			"--keys", "128", "--time", "60s", "--count", "1000", "-o", "json", "--html", page}}
		soon(t, signal.String(), func(after time.Duration) string {
			cmd := program("", e.args...)
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(after, func() { cmd.Process.Signal(signal) })
			cmd.Wait()
			return e.lacks(out.String(), errs.String(), cmd.ProcessState.ExitCode(), signalled+int(signal), message)
		})
	}
}
