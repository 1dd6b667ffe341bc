//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// killAll has cmd killed with all that it started: go test leaves a test that hangs behind.
func killAll(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
