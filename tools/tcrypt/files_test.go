package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fullDisk takes so many bytes and no more.
type fullDisk struct{ free int }

func (w *fullDisk) Write(p []byte) (int, error) {
	if w.free -= len(p); w.free < 0 {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	}
	return len(p), nil
}

// What cannot be written is exit code 1 and one line, in every command and form.
func TestFullDisk(t *testing.T) {
	for _, l := range everyLine(t) {
		if l.writesFiles() {
			continue // see below
		}
		for _, free := range []int{0, 50} {
			var errs bytes.Buffer
			code := run(t.Context(), l.args, &fullDisk{free}, &errs)
			if want := "tcrypt: write /dev/stdout: no space left on device\n"; code != exitFailed || errs.String() != want {
				t.Errorf("%v with %d bytes free: exit code %d, stderr %q, want %q", l, free, code, &errs, want)
			}
		}
	}
}

// The same with a file, and when the measurement was ended too.
func TestFullDiskForFiles(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("NOT RUN: there is no " + full)
	}
	none := 0
	for _, l := range everyLine(t) {
		for _, flag := range l.fileFlags() {
			none++
			_, errs, code := do(t.Context(), append(l.args, flag, full)...)
			if want := "tcrypt: write /dev/full: no space left on device\n"; code != exitFailed || errs != want {
				t.Errorf("%v %s: exit code %d, stderr %q, want %q", l, flag, code, errs, want)
			}
		}
	}
	if none == 0 {
		t.Error("no command has a flag for a file")
	}
	dir := t.TempDir()
	if err := os.Symlink(full, filepath.Join(dir, "tcrypt-list.1")); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := do(t.Context(), "man", dir); code != exitFailed || !strings.Contains(errs, "no space left") {
		t.Errorf("man: exit code %d, stderr %q", code, errs)
	}
}

// The program itself: a full disk, and a reader that goes away, which is no mistake to report.
func TestStdoutOfProcess(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		errs string
	}{
		{"list", signalled + int(syscall.SIGPIPE), ""},
		{"speed gcm-aes-generic --sizes 64 --time 1ms -o csv", signalled + int(syscall.SIGPIPE), ""},
		{"speed gcm-aes-genric", exitUsage, "tcrypt: "},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := program("", strings.Fields(c.args)...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &errs
		err = cmd.Run()
		w.Close()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.HasPrefix(errs.String(), c.errs) ||
			(errs.Len() == 0) != (c.errs == "") {
			t.Errorf("%s: exit code %d, %v, stderr %q", c.args, code, err, &errs)
		}
	}
}

// A name that means no file, and one file for two results, are mistakes that are found before anything is measured.
func TestFileFlags(t *testing.T) {
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	for _, l := range everyLine(t) {
		flags := l.fileFlags()
		for i, flag := range flags {
			for name, want := range map[string]string{"-": "want the name of a file", "": "want the name of a file",
				filepath.Join(dir, "no", "x"): "no such file", dir: "is a directory"} {
				out, errs, code := do(t.Context(), append(l.args, flag, name)...)
				checkMistake(t, out, errs, code, want)
			}
			for _, second := range flags[:i] {
				if err := os.WriteFile(one, []byte("kept"), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(one, other); err != nil {
					t.Fatal(err)
				}
				out, errs, code := do(t.Context(), append(l.args, flag, one, second, other)...)
				checkMistake(t, out, errs, code, "goes to the same file")
				if err := os.Remove(other); err != nil {
					t.Fatal(err)
				}
				if text, err := os.ReadFile(one); err != nil || string(text) != "kept" {
					t.Errorf("%v: the file has %q, %v", l, text, err)
				}
			}
		}
		if t.Failed() {
			t.Fatal(l)
		}
	}
}

// Files are left as they are by the look whether they can be written.
func TestCanWrite(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := os.WriteFile(b, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(stdout io.Writer, a, b, want string) {
		t.Helper()
		err := canWrite(stdout, fileFlag{"--html", fileName(a)}, fileFlag{"--svg", fileName(b)})
		if fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	check(io.Discard, a, b, "<nil>")
	check(io.Discard, "", "", "<nil>")
	check(io.Discard, os.DevNull, os.DevNull, "<nil>")
	check(io.Discard, a, dir+"/./a", "--svg "+dir+"/./a: --html goes to the same file; want two files")
	stdout, err := os.OpenFile(b, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	check(stdout, a, b, "--svg "+b+": standard output goes to the same file; want two files")
	if _, err := os.Stat(a); err == nil {
		t.Error("a file is left")
	}
	if text, err := os.ReadFile(b); err != nil || string(text) != "text" {
		t.Errorf("the file has %q, %v", text, err)
	}
}
