package main

import (
	"context"
	"io"
)

// stdout is where results go. To those who write it never fails: its first error ends the command's context, since what
// follows would be lost too, and run reports it. So no command can forget to look.
type stdout struct {
	w      io.Writer
	cancel context.CancelCauseFunc
	err    error
}

// Write writes p, or nothing after an error.
func (s *stdout) Write(p []byte) (int, error) {
	if s.err != nil {
		return len(p), nil
	}
	if _, s.err = s.w.Write(p); s.err != nil {
		s.cancel(s.err)
	}
	return len(p), nil
}
