package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestShells types into bash, zsh and fish at a terminal, presses Tab and then Enter, and looks at the arguments that
// the shell gives the program. In the program's place is a script that prints them, but asks tcrypt for completions.
func TestShells(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN in a short run: it builds tcrypt and starts shells")
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", dir+"/real", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	script := "#!/bin/sh\ncase $1 in comp*) exec " + dir + "/real \"$@\";; esac\n" +
		"printf 'ARGS'; printf '<%s>' \"$@\"; printf END\n"
	if err := os.WriteFile(filepath.Join(dir, "tcrypt"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		name, setup string
		args        []string
	}{
		{"bash", "source <(tcrypt completion bash)", []string{"--norc", "--noprofile", "-i"}},
		{"zsh", "autoload -U compinit; compinit -D; source <(tcrypt completion zsh)", []string{"-f", "-i"}},
		{"fish", "tcrypt completion fish | source", []string{"--no-config", "-i"}},
	} {
		t.Run(s.name, func(t *testing.T) {
			path, err := exec.LookPath(s.name)
			if err != nil {
				t.Skipf("NOT RUN: %v", err)
			}
			p := sitDown(t, dir, path, s.args, s.setup)
			for typed, want := range map[string]string{
				`tcrypt explain gcm-aes-gener`:                          "<explain><gcm-aes-generic>",
				`tcrypt explain xts\(`:                                  "<explain><xts(aes)>",
				`tcrypt explain 'gcm(`:                                  "<explain><gcm(aes)>",
				`tcrypt explain "gcm(`:                                  "<explain><gcm(aes)>",
				`tcrypt list chacha20poly1305-gen`:                      "<list><chacha20poly1305-generic>",
				`tcrypt list gcm-aes-li`:                                "<list><gcm-aes-lib>", // an alias
				`tcrypt speed --drivers gcm-aes-generic,xts-aes-generi`: "<speed><--drivers><gcm-aes-generic,xts-aes-generic>",
				`tcrypt speed --drivers=gcm-aes-generic,xts-aes-generi`: "<speed><--drivers=gcm-aes-generic,xts-aes-generic>",
			} {
				if got := p.enter(typed + "\t"); !strings.Contains(got, "ARGS"+want) {
					t.Errorf("%s and Tab: want the arguments %s; the terminal has\n%q", typed, want, got)
				}
			}
		})
	}
}

// A typist sits at a terminal in which a shell runs.
type typist struct {
	keys *os.File
	seen chan []byte
}

// sitDown starts a shell at a terminal. It ends with the test.
func sitDown(t *testing.T, dir, shell string, args []string, setup string) *typist {
	t.Helper()
	control, terminal := openTerminal(t)
	c := exec.Command(shell, args...)
	c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+dir, "TERM=dumb", "PS1=$ ", "LC_ALL=C")
	c.Stdin, c.Stdout, c.Stderr = terminal, terminal, terminal
	c.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	p := &typist{control, make(chan []byte, 1000)}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		control.Close()
	})
	go func() {
		defer close(p.seen)
		for {
			buf := make([]byte, 4096)
			n, err := control.Read(buf)
			if err != nil {
				return
			}
			p.seen <- buf[:n]
		}
	}()
	p.enter(setup + "; tcrypt ready")
	return p
}

// enter types a line with its end and returns what the terminal shows until the program has printed its arguments. A
// shell reads Enter when it is done with the keys before it.
func (p *typist) enter(line string) string {
	fmt.Fprint(p.keys, line+"\n")
	var all bytes.Buffer
	patience := time.After(time.Minute)
	for {
		select {
		case b, ok := <-p.seen:
			all.Write(b)
			if !ok || strings.Contains(all.String(), ">END") {
				return all.String()
			}
		case <-patience:
			return all.String()
		}
	}
}

// openTerminal makes a pseudo-terminal and returns its two ends.
func openTerminal(t *testing.T) (control, terminal *os.File) {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fd := int(control.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 300}); err != nil {
		t.Fatal(err)
	}
	return control, terminal
}
