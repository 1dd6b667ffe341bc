package main

import (
	"strings"
	"testing"
)

// showing is the commands that show what there is: that nothing can run here is no failure of theirs.
var showing = map[string]bool{"list": true, "draw": true, "info": true, "modes": true, "limits": true, "man": true,
	"bash": true, "zsh": true, "fish": true, "powershell": true}

// Where no driver can run, every command that tests, explains or measures fails and says so, in every form.
func TestNothingCanRun(t *testing.T) {
	for _, l := range everyLine(t) {
		if l.helps() {
			continue
		}
		want := exitFailed
		if showing[l.command.Name()] {
			want = exitOK
		}
		_, stderr, code := tcrypt(t, "disable=*", l.args...)
		if code != want || strings.Count(stderr, "\n") != want || want > 0 && !strings.HasPrefix(stderr, "tcrypt: ") {
			t.Errorf("%v: exit code %d, want %d, stderr %q", l, code, want, stderr)
		}
	}
}

// A driver that was asked for and cannot run here is a failure, others are none.
func TestCannotRun(t *testing.T) {
	const none = "chacha20poly1305-generic"
	for args, want := range map[string]string{
		"test NONE":                                   "NONE cannot run here",
		"test chacha20poly1305 NONE esp(NONE)":        "NONE, rfc7539esp(NONE) cannot run here",
		"test NONE --full":                            "NONE cannot run here",
		"mode=1035 alg=NONE":                          "NONE cannot run here",
		"explain NONE":                                "no driver can serve NONE",
		"explain NONE -o json":                        "no driver can serve NONE",
		"explain esp(NONE)":                           "no driver can serve rfc7539esp(NONE)",
		"speed NONE":                                  "NONE",
		"speed chacha20poly1305 --drivers NONE":       "NONE cannot be timed",
		"speed chacha20poly1305 --drivers generic,go": "NONE cannot be timed",
		"compare NONE go":                             "NONE cannot be timed",
		"compare chacha20poly1305 NONE":               "NONE cannot be timed",
		"mode=1213 alg=NONE sec=1":                    "NONE",
		"mode=0 alg=NONE":                             "NONE",
		"test chacha20poly1305":                       "",
		"explain chacha20poly1305":                    "",
		"list NONE":                                   "",
		"mode=1035":                                   "",
		"speed chacha20poly1305 --drivers all --sizes 64 --time 1ms": "",
	} {
		code := exitFailed
		if want == "" {
			code = exitOK
		}
		words := strings.NewReplacer("esp(", "rfc7539esp(", "NONE", none)
		want = strings.ReplaceAll(want, "NONE", none)
		_, stderr, got := tcrypt(t, "disable="+none, strings.Fields(words.Replace(args))...)
		if got != code || !strings.Contains(stderr, want) || (stderr == "") != (want == "") {
			t.Errorf("%s: exit code %d, want %d, stderr %q, want %q", args, got, code, stderr, want)
		}
	}
}
