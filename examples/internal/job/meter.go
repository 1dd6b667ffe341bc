package job

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"
)

// A meter is one line on a terminal, rewritten ten times a second. Where there is no terminal it is silent.
type meter struct {
	w           *os.File // nil: silent
	done, total int64    // bytes; total may be 0 for a pipe
	start, last time.Time
}

func newMeter(w *os.File, total int64) *meter {
	if !term.IsTerminal(int(w.Fd())) {
		return &meter{}
	}
	return &meter{w: w, total: total, start: time.Now()}
}

func (m *meter) add(n int) {
	m.done += int64(n)
	now := time.Now()
	if m.w == nil || now.Sub(m.last) < 100*time.Millisecond {
		return
	}
	m.last = now
	rate := float64(m.done) / 1e6 / max(now.Sub(m.start).Seconds(), 1e-3)
	fmt.Fprintf(m.w, "\r%4d %%  %d of %d MiB  %.0f MB/s ", 100*m.done/max(m.total, 1), m.done>>20, m.total>>20, rate)
}

// clear leaves the terminal's line empty.
func (m *meter) clear() {
	if m.w != nil {
		fmt.Fprint(m.w, "\r\x1b[K")
	}
}
