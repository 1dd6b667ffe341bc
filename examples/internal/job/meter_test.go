package job

import (
	"io"
	"os"
	"regexp"
	"testing"
	"time"
)

// TestMeter: a line of progress ten times a second at most, each in the place of the one before, and an empty line at
// the end.
func TestMeter(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	m := &meter{w: w, total: 64 << 20, start: time.Now().Add(-time.Second)}
	m.add(16 << 20)
	m.last = time.Now().Add(time.Hour) // so that this one is too early, however slow the machine is
	m.add(16 << 20)
	m.last = time.Time{}
	m.add(16 << 20)
	m.clear()
	w.Close()
	got, err := io.ReadAll(r)
	want := `^\r  25 %  16 of 64 MiB  \d+ MB/s \r  75 %  48 of 64 MiB  \d+ MB/s \r\x1b\[K$`
	if err != nil || !regexp.MustCompile(want).Match(got) {
		t.Errorf("%q, %v; want %s", got, err, want)
	}

	silent := newMeter(w, 1) // no terminal
	silent.add(1)
	silent.clear()
	if silent.w != nil {
		t.Error("a meter where there is no terminal")
	}
}
