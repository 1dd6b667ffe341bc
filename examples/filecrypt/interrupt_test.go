//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// TestInterrupted sends Ctrl-C's signal to the program in the middle of a file: it reads from a pipe, which has taken
// more than the pipe holds and never ends.
func TestInterrupted(t *testing.T) {
	d := newDesk(t)
	if err := unix.Mkfifo(d.path("pipe"), 0o600); err != nil {
		t.Skipf("NOT RUN HERE: no named pipes: %v", err)
	}
	var stderr bytes.Buffer
	c := exec.Command(must(os.Executable()), "encrypt", d.path("key"), d.path("pipe"), d.path("out"))
	c.Env = append(os.Environ(), "FILECRYPT_TEST_MAIN=1")
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	pipe := must(os.OpenFile(d.path("pipe"), os.O_WRONLY, 0)) // waits for the program to open it
	defer pipe.Close()
	if _, err := pipe.Write(randomBytes(20 * chunkSize)); err != nil {
		t.Fatal(err)
	}
	if names := must(os.ReadDir(d.dir)); len(names) != 3 {
		t.Errorf("while it runs there are %d files, want key, pipe and a temporary one", len(names))
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := c.Wait()
	if c.ProcessState.ExitCode() != 1 || stderr.String() != "filecrypt: interrupted; "+d.path("out")+" was not written\n" {
		t.Errorf("ended with %v and said %q", err, stderr.String())
	}
	d.wantNothing("interrupted", os.ErrInvalid, "invalid", "key", "pipe")
}
