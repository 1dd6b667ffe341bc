package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress is one line on a terminal that is written over and over. A nil progress, as there is away from a
// terminal, says nothing.
type progress struct {
	w     io.Writer
	width int
	now   func() time.Time
	last  time.Time // when the line was written last
	shown bool
}

// progressPause is how long a line stays before another one replaces it.
const progressPause = 50 * time.Millisecond

// newProgress shows progress on w if that is a terminal.
func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		width = 80
	}
	return &progress{w: w, width: width, now: time.Now}
}

// say replaces the line, unless that is too soon: done steps of total are over, and this is what the next one does.
func (p *progress) say(done, total int, what string) {
	if p == nil || p.now().Sub(p.last) < progressPause {
		return
	}
	p.last = p.now()
	line := fmt.Sprintf("%d/%d  %s", done, total, what)
	if len(line) >= p.width {
		line = line[:p.width-1]
	}
	fmt.Fprint(p.w, "\r\x1b[K"+line)
	p.shown = true
}

// clear takes the line away, so that other output can follow.
func (p *progress) clear() {
	if p != nil && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
