package main

import (
	"strings"
	"testing"
)

// showing is the commands that show what there is: that nothing can run here is no failure of theirs.
var showing = map[string]bool{"list": true, "info": true, "modes": true, "limits": true, "man": true, "bash": true,
	"zsh": true, "fish": true, "powershell": true}

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
	const none = "gcm-aes-generic"
	for args, want := range map[string]string{
		"test gcm-aes-generic": none + " cannot run here",
		"test gcm(aes) gcm-aes-generic rfc4106(gcm-aes-generic)":        none + ", rfc4106(gcm-aes-generic) cannot run here",
		"test gcm-aes-generic --full":                                   none + " cannot run here",
		"mode=35 alg=gcm-aes-generic":                                   none + " cannot run here",
		"explain gcm-aes-generic":                                       "no driver can serve " + none,
		"explain gcm-aes-generic -o json":                               "no driver can serve " + none,
		"explain rfc4106(gcm-aes-generic)":                              "no driver can serve rfc4106(gcm-aes-generic)",
		"speed gcm-aes-generic":                                         none,
		"speed gcm(aes) --drivers generic":                              none + " cannot be timed",
		"speed gcm(aes) --drivers generic,go":                           none + " cannot be timed",
		"compare gcm-aes-generic go":                                    none + " cannot be timed",
		"compare gcm(aes) gcm-aes-generic":                              none + " cannot be timed",
		"mode=211 alg=gcm-aes-generic klen=16":                          none,
		"mode=0 alg=gcm-aes-generic":                                    none,
		"test gcm(aes)":                                                 "",
		"explain gcm(aes)":                                              "",
		"list gcm-aes-generic":                                          "",
		"mode=35":                                                       "",
		"speed gcm(aes) --drivers all --keys 128 --sizes 64 --time 1ms": "",
	} {
		code := exitFailed
		if want == "" {
			code = exitOK
		}
		_, stderr, got := tcrypt(t, "disable=gcm-aes-generic", strings.Fields(args)...)
		if got != code || !strings.Contains(stderr, want) || (stderr == "") != (want == "") {
			t.Errorf("%s: exit code %d, want %d, stderr %q, want %q", args, got, code, stderr, want)
		}
	}
}
