package main

import (
	"bytes"
	"os"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	p := &progress{w: &out, width: 20, now: func() time.Time { return now }}
	expect := func(want string) {
		t.Helper()
		if out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
		out.Reset()
	}
	p.clear()
	expect("")
	p.say(0, 9, "one")
	expect("\r\x1b[K0/9  one")
	p.say(1, 9, "too soon")
	expect("")
	now = now.Add(progressPause)
	p.say(2, 9, "longer than the line is")
	expect("\r\x1b[K2/9  longer than th")
	p.clear()
	expect("\r\x1b[K")
	p.clear()
	expect("")
}

func TestNoProgressAwayFromTerminal(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/f")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if newProgress(f) != nil || newProgress(new(bytes.Buffer)) != nil {
		t.Error("progress is shown on what is no terminal")
	}
	var p *progress
	p.say(1, 2, "nothing")
	p.clear()
}

// A terminal that cannot write a line over gets one now and then.
func TestDumbProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	p := &progress{w: &out, dumb: true, now: func() time.Time { return now }}
	p.say(0, 9, "one")
	now = now.Add(progressPause)
	p.say(1, 9, "too soon")
	now = now.Add(dumbPause)
	p.say(2, 9, "two")
	p.clear()
	if want := "0/9  one\n2/9  two\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
