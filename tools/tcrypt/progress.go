package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress is one line on a terminal that is written over and over or, on one that cannot do that, a line now and then.
// A nil progress, as there is away from a terminal, says nothing.
type progress struct {
	w     io.Writer
	width int
	dumb  bool
	now   func() time.Time
	last  time.Time // when the line was written last
	shown bool
}

// progressPause is how long a line stays before another one replaces it, and dumbPause how long before another one
// follows.
const (
	progressPause = 50 * time.Millisecond
	dumbPause     = 5 * time.Second
)

// newProgress shows progress on w if that is a terminal.
func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return &progress{w: w, width: widthOf(f), dumb: isDumb(), now: time.Now}
}

// pause is how long the line at hand stays.
func (p *progress) pause() time.Duration {
	if p.dumb {
		return dumbPause
	}
	return progressPause
}

// say replaces the line, unless that is too soon: done steps of total are over, and this is what the next one does.
func (p *progress) say(done, total int, what string) {
	if p == nil || p.now().Sub(p.last) < p.pause() {
		return
	}
	p.last = p.now()
	line := fmt.Sprintf("%d/%d  %s", done, total, what)
	if p.width > 0 && len(line) >= p.width {
		line = line[:p.width-1]
	}
	if p.dumb {
		fmt.Fprintln(p.w, line)
		return
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
