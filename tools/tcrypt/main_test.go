package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/measure"
	"kcrypto/tools/tcrypt/internal/result"
)

// With this variable set the test binary is tcrypt: so the tests run the whole program, with an environment of its
// own, without building it anew.
const beTcrypt = "TCRYPT_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(beTcrypt) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program is the program with a KCRYPTO variable.
func program(kcryptoVar string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), beTcrypt+"=1", "KCRYPTO="+kcryptoVar)
	return cmd
}

// tcrypt runs the program with a KCRYPTO variable.
func tcrypt(t *testing.T, kcryptoVar string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := program(kcryptoVar, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// A mistake is a command line and what the message about it must say.
type mistake struct{ args, want string }

// A mistake gives one line on stderr that says what would be right, and nothing else.
func TestMistakes(t *testing.T) {
	testMistakes(t, []mistake{
		{"lst", `no command "lst"; did you mean list?`},
		{"frobnicate", "the commands are compare, completion, draw, explain, info, limits, list, man, modes, speed, " +
			"test, tune"},
		{"mode=200 sec", `"sec" is no parameter; want name=value`},
		{"mode=200 secs=1", `no parameter "secs"; the parameters are alg,`},
		{"mode=200 sec=1.5", "sec=1.5 is no number"},
		{"mode=999", "no mode 999 here; tcrypt modes lists those there are"},
		{"mode=300 alg=sha256", "no mode 300 here"},
		{"mode=200 alg=gcm(aes)", "alg=gcm(aes) is not in this mode, which has ecb(aes), cbc(aes)"},
		{"mode=600 alg=gcm(aes)", "alg=gcm(aes) is not in this mode"},
		{"mode=200 alg=xts", "did you mean xts(aes)"},
		{"mode=200 alg=xts(aes) klen=16", "klen=16: xts(aes) takes keys of 32, 48, 64 bytes"},
		{"mode=200 klen=16", "klen=16 goes with alg"},
		{"alg=gcm(ase)", "did you mean gcm(aes)"},
		{"alg=gcm(aes) type=5", "gcm(aes) is an aead, type 3, and synchronous: not what type=5 mask=0x0 asks for"},
		{"alg=gcm(aes) type=0x80 mask=0x80", "synchronous"},
		{"modes 200", "run a mode with tcrypt mode=200"},
		{"help lst", `no command "lst"; did you mean list?`},
		{"completion bash zsh", "zsh"},
		{"completion tcsh", `no shell "tcsh"; the shells are bash, fish, powershell, zsh`},
		{"completion", "completion takes a shell"},
		{"help completion tcsh", `no command "tcsh"; the commands are bash`},
		{"--nonsense", "--nonsense"},
		{"list --nonsense", "--nonsense"},
		{"--log-level loud list", "debug, info, warn"},
		{"list aes-gcm", `no algorithm or driver "aes-gcm"; did you mean gcm(aes)`},
		{"list gcm(aes) twofish", `no algorithm or driver "twofish"; tcrypt list shows all`},
		{"list -o xml", "want table, json, proc"},
		{"explain", "takes one name"},
		{"explain gcm(aes) xts(aes)", "takes one name"},
		{"explain gcm-aes-generik", "gcm-aes-generic"},
		{"explain gcm(aes) -o table", "want text, json"},
		{"info gcm(aes)", "info takes no name"},
		{"test chacha", "did you mean chacha20"},
		{"test --seed x", "--seed"},
		{"man", "man takes one directory"},
	})
}

func testMistakes(t *testing.T, list []mistake) {
	for _, c := range list {
		t.Run(c.args, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(t.Context(), strings.Fields(c.args), &out, &errs)
			checkMistake(t, out.String(), errs.String(), code, c.want)
		})
	}
}

func checkMistake(t *testing.T, stdout, stderr string, code int, want string) {
	t.Helper()
	if code != exitUsage || stdout != "" {
		t.Errorf("exit code %d, stdout %q", code, stdout)
	}
	if !strings.HasPrefix(stderr, "tcrypt: ") || strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, "\n") {
		t.Errorf("stderr is not one line of tcrypt's: %q", stderr)
	}
	if !strings.Contains(stderr, want) {
		t.Errorf("stderr %q lacks %q", stderr, want)
	}
}

// Settings that make no sense are a mistake for every command.
func TestBadSettings(t *testing.T) {
	for _, args := range []string{"", "list", "list --no-test", "explain gcm(aes)", "info", "test", "speed"} {
		for setting, want := range map[string]string{
			"nonsense=1":        "nonsense",
			"cpu.sse9=off":      "cpu.sse9",
			"prefer.gcm(aes)=x": "unknown driver",
			"disable=nobody-*":  "nobody-*",
		} {
			stdout, stderr, code := tcrypt(t, setting, strings.Fields(args)...)
			checkMistake(t, stdout, stderr, code, want)
			if t.Failed() {
				t.Fatalf("KCRYPTO=%s tcrypt %s", setting, args)
			}
		}
	}
}

// Every command, run as a program.
func TestCommands(t *testing.T) {
	wide := regexp.MustCompile("complet|^test") // scripts, and the one line a driver that test prints
	for _, c := range []struct {
		args string
		want []string // regular expressions
	}{
		{"list", []string{`(?m)^gcm\(aes\): aead`, `(?m)^\*? +gcm-aes-generic +100  passed$`, `rfc4106\(gcm-aes-generic\)`}},
		{"list xts(aes)", []string{`(?m)^\*? +xts-aes-generic +100  passed$`}},
		{"list xts-aes-generic --no-test", []string{`(?m)^ +xts-aes-generic +100  untested$`}},
		{"list ctr(aes) -o proc", []string{`(?m)^driver       : ctr-aes-generic\nmodule       : kcrypto\n`,
			`(?m)^selftest     : passed$`}},
		{"list ctr(aes) -o proc --no-test", []string{`(?m)^selftest     : unknown$`}},
		{"explain gcm(aes)", []string{`^gcm\(aes\): gcm-aes-`, `(?m)^\*  gcm-aes-`, `gcm-aes-generic`}},
		{"explain chacha20-generic", []string{`^chacha20-generic: chacha20-generic\n`}},
		{"info", []string{`(?m)^CPU `, `(?m)^features `, `(?m)^Go  +go1`, `(?m)^KCRYPTO  +not set$`,
			`(?m)^drivers  +\d+, of which \d+ can run`}},
		{"test gcm(aes)", []string{`(?m)^gcm-aes-generic +passed$`,
			`(?m)^\d+ passed, 0 failed, \d+ unavailable, seed 0x[0-9a-f]+\n$`}},
		{"modes", []string{`(?m)^ 200  speed sync +ecb\(aes\) cbc\(aes\) xts\(aes\) cts\(cbc\(aes\)\) ctr\(aes\)\n` +
			` +without lrw\(aes\)`,
			`(?m)^ +not in the kernel:\n1010  test`}},
		{"alg=xctr-aes-generic type=5", []string{`^tcrypt: xctr-aes-generic exists, xctr-aes-generic serves it\n$`}},
		{"test xctr-aes-generic --full --seed 7",
			[]string{`^xctr-aes-generic  passed\n1 passed, 0 failed, 0 unavailable, seed 0x7\n$`}},
		{"speed gcm(aes) --drivers all --sizes 16,100 --time 1ms", []string{
			`(?m)^gcm\(aes\), 128-bit key, encryption, 16 bytes of additional data$`, `(?m)^gcm\(aes\), 256-bit key`,
			`(?m)^   16  .*gcm-aes-`, `(?m)gcm-aes-generic( +[0-9.]+%?){4}`, `(?m)^       go  `}},
		{"speed xts(aes) --keys 512 --sizes 512 --decrypt --time 1ms", []string{
			`(?m)^xts\(aes\), 512-bit key, decryption$`, `(?m)^  512  xts-aes-`}},
		{"speed rfc4106(gcm(aes)) rfc3686(ctr(aes)) --sizes 64 --drivers generic --time 1ms", []string{
			`(?m)^rfc4106\(gcm\(aes\)\), 160-bit key, encryption, 8 bytes`, `(?m)^rfc3686\(ctr\(aes\)\), 288-bit key`}},
		{"speed --aad 0,20 --tag 12 --sizes 64 --keys 256 --drivers generic,go --time 1ms", []string{
			`(?m)^gcm\(aes\), 256-bit key, encryption, 12-byte tag$`,
			`(?m)^gcm\(aes\), 256-bit key, encryption, 20 bytes of additional data, 12-byte tag$`}},
		{"speed gcm(aes) cbc(aes) --both --batch 1,8 --sizes 32 --keys 128 --drivers generic --time 1ms", []string{
			`(?m)^gcm\(aes\), .* encryption, .*, batches of 1$`, `(?m)^gcm\(aes\), .* decryption, .*, batches of 8$`,
			`(?m)^cbc\(aes\), .* encryption, batches of 8$`, `(?m)^cbc\(aes\), .* decryption, batches of 1$`}},
		{"compare gcm(aes) go --both --batch 4 --sizes 1k --keys 128 --time 6ms --count 6", []string{
			`encryption, 16 bytes of additional data, batches of 4`, `decryption, .* batches of 4`}},
		{"tune rfc7539(chacha20,poly1305) --both --sizes 64 --time 6ms --count 6", []string{
			`, encryption, `, `, decryption, `}},
		{"speed chacha20 --threads 1 --count 6 --sizes 64 --time 1ms", []string{`(?m)^chacha20, 256-bit key, encryption$`}},
		{"completion bash", []string{`bash completion`}},
		{"__complete list gcm-aes-gen", []string{`(?m)^gcm-aes-generic$`}},
		{"help", []string{`(?m)^  speed  +Time drivers$`}},
		{"__complete help ex", []string{`(?m)^explain$`}},
		{"__complete speed --drivers b", []string{`(?m)^best$`}},
		{"help speed", []string{`--drivers`, `tcrypt speed 'gcm\(aes\)' --drivers all`}},
	} {
		t.Run(c.args, func(t *testing.T) {
			stdout, stderr, code := tcrypt(t, "", strings.Fields(c.args)...)
			if code != exitOK {
				t.Fatalf("exit code %d, stderr %q", code, stderr)
			}
			for _, want := range c.want {
				if !regexp.MustCompile(want).MatchString(stdout) {
					t.Errorf("no %q in\n%s", want, stdout)
				}
			}
			for line := range strings.Lines(stdout) {
				if n := len([]rune(line)); n > 101 && !wide.MatchString(c.args) {
					t.Errorf("a line of %d characters: %s", n-1, line)
				}
			}
		})
	}
}

func TestTour(t *testing.T) {
	stdout, stderr, code := tcrypt(t, "")
	if code != exitOK || stderr != "" {
		t.Fatalf("exit code %d, stderr %q", code, stderr)
	}
	for _, name := range algorithms() {
		if !strings.Contains(stdout, "\n"+name+" ") {
			t.Errorf("the tour passes over %s", name)
		}
	}
	if !strings.Contains(stdout, " 0 failed,") ||
		!regexp.MustCompile(`(?m)^Next: tcrypt speed .*\n      tcrypt help .*\n\z`).MatchString(stdout) {
		t.Errorf("the tour is\n%s", stdout)
	}
}

// The JSON of list is an array of registry.Info, with nothing lost.
func TestListJSON(t *testing.T) {
	stdout, _, code := tcrypt(t, "", "list", "-o", "json")
	d := json.NewDecoder(strings.NewReader(stdout))
	d.DisallowUnknownFields()
	var list []registry.Info
	if err := d.Decode(&list); err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v", code, err)
	}
	want := kcrypto.Drivers()
	if len(list) != len(want) {
		t.Fatalf("%d drivers, want %d", len(list), len(want))
	}
	for i, info := range list {
		if info.Driver != want[i].Driver || info.Priority != want[i].Priority || len(info.KeySizes) == 0 {
			t.Errorf("driver %d is %+v, want %+v", i, info, want[i])
		}
		if info.SelfTest != registry.Passed && info.SelfTest != registry.Unavailable {
			t.Errorf("%s: %s: %s", info.Driver, info.SelfTest, info.Reason)
		}
	}
}

func TestSpeedJSON(t *testing.T) {
	args := "speed gcm(aes) chacha20 --sizes 64,1024 --drivers generic,go --keys 256 --time 1ms -o json"
	stdout, _, code := tcrypt(t, "", strings.Fields(args)...)
	run, err := result.ReadJSON(strings.NewReader(stdout))
	if err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v", code, err)
	}
	if len(run.Cells) != 2*2*2 || run.Machine.Go == "" || run.Command[0] != "speed" || time.Since(run.Date) > time.Hour ||
		!slices.ContainsFunc(run.Drivers, func(d result.Driver) bool {
			return d.Driver == "chacha20-generic" && d.Priority == 100
		}) {
		t.Fatalf("%d results, %+v", len(run.Cells), run.Header)
	}
	for _, c := range run.Cells {
		if c.NS <= 0 || c.GBps <= 0 || c.SetKeyNS <= 0 || len(c.Samples) != 20 || c.KeyBits != 256 ||
			c.Direction != result.Encrypt ||
			measure.CyclesKnown && c.CyclesPerByte <= 0 || (c.Driver == result.Go) != (c.TimesGo == 0) {
			t.Errorf("%+v", c)
		}
	}
}

// What KCRYPTO switches off is seen, with the reason.
func TestDisabled(t *testing.T) {
	stdout, _, code := tcrypt(t, "disable=chacha20poly1305-generic", "list", "chacha20poly1305")
	row := regexp.MustCompile(`(?m)^ +chacha20poly1305-generic +100  unavailable +disabled by configuration$`)
	if code != exitOK || !row.MatchString(stdout) {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	stdout, stderr, code := tcrypt(t, "disable=chacha20poly1305-generic", "speed", "chacha20poly1305", "--drivers",
		"generic")
	want := "tcrypt: chacha20poly1305-generic cannot be timed: unavailable: disabled by configuration\n"
	if code != exitFailed || stderr != want || stdout != "" {
		t.Errorf("exit code %d, stdout %q, stderr %q, want %q", code, stdout, stderr, want)
	}
}

// Without the generic driver, others are compared with each other.
func TestNoGeneric(t *testing.T) {
	args := strings.Fields("speed chacha20poly1305 --drivers all --sizes 16 --time 1ms")
	stdout, stderr, code := tcrypt(t, "disable=*-generic", args...)
	if code != exitOK || strings.Contains(stdout, "chacha20poly1305-generic") || !strings.Contains(stdout, "  go  ") {
		t.Errorf("exit code %d, stderr %q, stdout\n%s", code, stderr, stdout)
	}
}

func TestLog(t *testing.T) {
	args := strings.Fields("speed gcm(aes) --sizes 16 --keys 128 --time 1ms --log-level")
	_, stderr, code := tcrypt(t, "", append(args, "debug")...)
	if code != exitOK || !regexp.MustCompile(`DBG .*driver chosen.* driver=gcm-aes-`).MatchString(stderr) {
		t.Errorf("debug: exit code %d, stderr %q", code, stderr)
	}
	if _, stderr, code = tcrypt(t, "", append(args, "warn")...); code != exitOK || stderr != "" {
		t.Errorf("warn: exit code %d, stderr %q", code, stderr)
	}
}

// A failed self-test is shown, and is exit code 1 for test.
func TestFailure(t *testing.T) {
	defer kcrypto.Default().FailSelfTest("chacha20poly1305-stdlib")()
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"test chacha20poly1305", exitFailed, `(?m)^chacha20poly1305-stdlib +FAILED  .+$`},
		{"", exitFailed, `(?m)^FAILED: chacha20poly1305-stdlib: `},
		{"list chacha20poly1305", exitOK, `(?m)^ +chacha20poly1305-stdlib +\d+  failed .+$`},
		{"explain chacha20poly1305", exitOK, `(?m)^ +chacha20poly1305-stdlib +\d+  failed`},
		{"explain chacha20poly1305-stdlib", exitFailed, `(?m)^ +chacha20poly1305-stdlib +\d+  failed`},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(c.args), &out, &errs); code != c.code {
			t.Errorf("%s: exit code %d, want %d: %s", c.args, code, c.code, errs.String())
		}
		if !regexp.MustCompile(c.want).MatchString(out.String()) {
			t.Errorf("%s: no %q in\n%s", c.args, c.want, out.String())
		}
	}
}

// Ctrl-C leaves what was measured so far.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out := &cancelWriter{after: "bytes", cancel: cancel}
	var errs bytes.Buffer
	code := run(ctx, strings.Fields("speed gcm(aes) --sizes 16 --time 1ms"), out, &errs)
	if code != signalled+int(syscall.SIGINT) || !strings.Contains(out.String(), "128-bit key") ||
		strings.Contains(out.String(), "256-bit key") {
		t.Errorf("exit code %d, stderr %q, stdout\n%s", code, errs.String(), out.String())
	}
	out.Reset()
	if code := run(ctx, strings.Fields("speed gcm(aes) -o json"), out, &errs); code != signalled+int(syscall.SIGINT) {
		t.Errorf("exit code %d after an end before the start", code)
	}
}

// cancelWriter cancels when it has seen a word.
type cancelWriter struct {
	bytes.Buffer
	after  string
	cancel func()
}

func (w *cancelWriter) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.after)) {
		w.cancel()
	}
	return w.Buffer.Write(p)
}
