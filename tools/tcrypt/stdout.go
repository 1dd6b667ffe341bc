package main

import (
	"context"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// stdout is where results go. To those who write it never fails: its first error ends the command's context, since what
// follows would be lost too, and run reports it. So no command can forget to look.
type stdout struct {
	w      io.Writer
	width  int // characters of a line; 0: any number
	cancel context.CancelCauseFunc
	err    error
}

// Width is for package text.
func (s *stdout) Width() int { return s.width }

// narrowest is the least width that is believed.
const narrowest = 40

// widthOf is how many characters fit on a line of w: what COLUMNS says or, if it is a terminal, what that says.
func widthOf(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, narrowest)
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return max(n, narrowest)
		}
	}
	return 0
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
