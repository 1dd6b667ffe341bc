package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// COLUMNS says how wide lines may be, of all commands and helps; only a word, an example, a line of a program and
// cobra's own lines are not broken. That tables lose spare columns only, and no part of a cell, is package text's to
// test.
func TestWidths(t *testing.T) {
	for _, l := range everyLine(t) {
		if o := slices.Index(l.args, "-o"); l.writesFiles() || o >= 0 && l.args[o+1] != "table" && l.args[o+1] != "text" ||
			slices.Contains([]string{"bash", "zsh", "fish", "powershell"}, l.command.Name()) ||
			len(l.args) > 0 && (strings.HasPrefix(l.args[0], "mode=") || l.args[0] == "--version") {
			continue // for programs, or one line by nature
		}
		for _, columns := range []string{"60", "80", "120"} {
			t.Setenv("COLUMNS", columns)
			out, errs, code := do(t.Context(), l.args...)
			if code != exitOK && code != exitFailed {
				t.Fatalf("%v: exit code %d, %s", l, code, errs)
			}
			most := map[string]int{"60": 60, "80": 80, "120": 120}[columns]
			kept := false // examples and lists of commands
			for line := range strings.Lines(out) {
				line = strings.TrimSuffix(line, "\n")
				kept = strings.HasPrefix(line, "Examples:") || strings.HasSuffix(line, "Commands:") ||
					strings.HasSuffix(line, "topics:") || kept && line != ""
				word := len(strings.Fields(line)) == 1
				if n := utf8.RuneCountInString(line); n > most && !word && !kept && !strings.HasPrefix(line, "Use ") &&
					!strings.HasPrefix(line, "    err = ") {
					t.Errorf("%v, %s columns: %d in %q", l, columns, n, line)
				}
			}
		}
	}
}

func TestWidthOfOutput(t *testing.T) {
	for columns, want := range map[string]int{"": 0, "60": 60, "x": 0, "-5": 0, "3": narrowest} {
		t.Setenv("COLUMNS", columns)
		if got := widthOf(new(bytes.Buffer)); got != want {
			t.Errorf("COLUMNS=%s: %d, want %d", columns, got, want)
		}
	}
	f, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	t.Setenv("COLUMNS", "")
	if got := widthOf(f); got != 0 {
		t.Errorf("a file is %d wide", got)
	}
}

func TestRefold(t *testing.T) {
	const help = "One two three four\nfive.\n\n  an example line of text\n  short\nSix."
	const want = "One two three\nfour five.\n\n  an example\n  line of text\n  short\nSix."
	if got := refold(help, 14); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
