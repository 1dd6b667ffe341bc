package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every command has a page, and groff has nothing to say against it.
func TestMan(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man", "man1")
	var out, errs strings.Builder
	if code := run(t.Context(), []string{"man", dir}, &out, &errs); code != exitOK || out.String()+errs.String() != "" {
		t.Fatalf("exit code %d, %q", code, out.String()+errs.String())
	}
	for _, c := range (&app{out: &stdout{w: &out}}).command().Commands() {
		if name := filepath.Join(dir, "tcrypt-"+c.Name()+".1"); c.IsAvailableCommand() && c.Name() != "help" {
			if _, err := os.Stat(name); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("NOT RUN: groff, which reads the pages, is not installed")
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	text, err := exec.Command("groff", append([]string{"-man", "-Tutf8", "-ww"}, pages...)...).CombinedOutput()
	if err != nil || strings.Contains(string(text), "warning") {
		t.Errorf("groff: %v\n%s", err, text)
	}
	for _, want := range []string{"TCRYPT-COMPARE(1)", "faster one changes", "--all-cores"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the pages lack %q", want)
		}
	}
	info, err := os.Stat(pages[0])
	if err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if code := run(t.Context(), []string{"man", filepath.Join(pages[0], info.Name())}, &out, &errs); code != exitUsage {
		t.Errorf("a file instead of a directory: exit code %d", code)
	}
}
