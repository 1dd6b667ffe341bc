package main

import (
	"encoding/json"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"kcrypto/tools/tcrypt/internal/affinity"
	"kcrypto/tools/tcrypt/internal/measure"
	"kcrypto/tools/tcrypt/internal/result"
)

// --cpu leaves the process one CPU, which the results say; a CPU that it may not use is a mistake.
func TestCPUFlag(t *testing.T) {
	args := strings.Fields("speed gcm-aes-generic --sizes 64 --keys 128 --time 6ms --count 6 -o json --cpu")
	usable := affinity.CPUs()
	if runtime.GOOS != "linux" {
		stdout, stderr, code := tcrypt(t, "", append(args, "0")...)
		checkMistake(t, stdout, stderr, code, "--cpu 0: cannot be done on "+runtime.GOOS)
		return
	}
	stdout, stderr, code := tcrypt(t, "", append(args, strconv.Itoa(usable[len(usable)-1]))...)
	var run result.Run
	if err := json.Unmarshal([]byte(stdout), &run); err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v, stderr %q", code, err, stderr)
	}
	if m := run.Machine; m.Usable != 1 || m.GOMAXPROCS != 1 || m.CPUs < len(usable) {
		t.Errorf("of %d CPUs %d usable, GOMAXPROCS %d", m.CPUs, m.Usable, m.GOMAXPROCS)
	}
	stdout, stderr, code = tcrypt(t, "", append(args, "1023")...)
	checkMistake(t, stdout, stderr, code, "--cpu 1023: this process may not use CPU 1023, but "+affinity.Text(usable))
	stdout, stderr, code = tcrypt(t, "", append(args, "0", "--threads", "2")...)
	checkMistake(t, stdout, stderr, code, "no more can run at once here")
}

func TestVersion(t *testing.T) {
	stdout, stderr, code := tcrypt(t, "", "--version")
	line := regexp.MustCompile(`^tcrypt of kcrypto, commit [^,]+, go[^ ]+ [a-z0-9]+/[a-z0-9]+\n$`)
	if code != exitOK || stderr != "" || !line.MatchString(stdout) {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// What a run costs is about what it takes, and is said before it if it is much.
func TestDuration(t *testing.T) {
	o := keyOption(256)
	o.sizes.values = []int{64, 1024}
	p, err := (&app{}).plan(t.Context(), []string{"gcm(aes)", "xts(aes)"}, o)
	if err != nil {
		t.Fatal(err)
	}
	b := o.bench()
	if d, want := p.duration(b), time.Duration(2*(2*2+1))*o.time*11/10; d != want {
		t.Errorf("%v, want %v", d, want)
	}
	b.Settle = true
	if d, want := p.duration(b), time.Duration(2*(2*2*2+1))*o.time*11/10; d != want {
		t.Errorf("with a window not timed before each: %v, want %v", d, want)
	}
	for limit, said := range map[time.Duration]bool{longRun / 2: false, 2 * longRun: true} {
		var errs strings.Builder
		a := &app{err: &errs}
		a.announce(&measure.Bench{Time: limit / 10, Count: 6}, p)
		const what = "tcrypt: this takes about 22s: 2 tables; "
		if (errs.String() != "") != said || said && !strings.HasPrefix(errs.String(), what) {
			t.Errorf("%v: %q", limit, errs.String())
		}
	}
}
