package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/tools/tcrypt/internal/kernelmode"
	"kcrypto/tools/tcrypt/internal/measure"
)

// A mode that times prints a heading and its rows for each algorithm and direction, numbered from 0.
func TestKernelForm(t *testing.T) {
	heading := regexp.MustCompile(`^tcrypt: testing speed of (.+) \((\S+)\) (en|de)cryption$`)
	row := regexp.MustCompile(`^tcrypt: test (\d+) \((\d+) bit key, (\d+) byte blocks\): ` +
		`1 operation in [1-9]\d* cycles \((\d+) bytes\)$`)
	for _, c := range []struct {
		args     string
		headings []string
		rows     int // under each heading
	}{
		{"mode=211 alg=gcm-aes-generic klen=16", []string{"gcm(aes) gcm-aes-generic en", "gcm(aes) gcm-aes-generic de"}, 8},
		{"mode=214 alg=chacha20-generic", []string{"sync chacha20 chacha20-generic en", "sync chacha20 chacha20-generic de"},
			7},
		{"mode=600 alg=xctr-aes-generic klen=32 num_mb=2",
			[]string{"multibuffer xctr(aes) xctr-aes-generic en", "multibuffer xctr(aes) xctr-aes-generic de"}, 7},
		{"mode=1211 alg=rfc4543(gcm-aes-generic) klen=36",
			[]string{"rfc4543(gcm(aes)) rfc4543(gcm-aes-generic) en", "rfc4543(gcm(aes)) rfc4543(gcm-aes-generic) de"}, 8},
	} {
		t.Run(c.args, func(t *testing.T) {
			if !measure.CyclesKnown {
				t.Skip("NOT RUN: cycles are counted on amd64 only")
			}
			var out, errs bytes.Buffer
			if code := run(t.Context(), strings.Fields(c.args), &out, &errs); code != exitOK {
				t.Fatalf("exit code %d, %s", code, &errs)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			for !strings.Contains(lines[0], "testing speed") { // those on the machine
				lines = lines[1:]
			}
			for _, want := range c.headings {
				m := heading.FindStringSubmatch(lines[0])
				if m == nil || strings.Join(m[1:], " ") != want {
					t.Fatalf("heading %q, want %q", lines[0], want)
				}
				for i := range c.rows {
					if m := row.FindStringSubmatch(lines[1+i]); m == nil || m[1] != string(rune('0'+i)) || m[3] != m[4] {
						t.Fatalf("row %d is %q", i, lines[1+i])
					}
				}
				lines = lines[1+c.rows:]
			}
			if len(lines) > 0 {
				t.Errorf("also there: %q", lines)
			}
		})
	}
}

// With seconds a row counts what was done in that time.
func TestKernelSeconds(t *testing.T) {
	var out bytes.Buffer
	r := &kernelRun{app: &app{}, Params: kernelmode.Params{Sec: 1}, lines: kernelmode.NewLines(&out)}
	info := kcrypto.Drivers("chacha20-generic")[0]
	s := measure.NewSeries(info, info.Driver)
	s.Sizes = []int{4096}
	if err := r.rows(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^tcrypt: test 0 \(256 bit key, 4096 byte blocks\): ` +
		`[1-9]\d* operations in 1 seconds \(([1-9]\d*) bytes\)\n$`)
	if !row.MatchString(out.String()) {
		t.Errorf("the row is %q", out.String())
	}
}

// A mode tests the drivers of its algorithms, and has a line on each algorithm that is not there.
func TestKernelTestModes(t *testing.T) {
	for args, want := range map[string][]string{
		"mode=10": {
			"tcrypt: failed to load transform for lrw(aes): -2 (kcrypto does not have it)", "xctr-aes-generic",
			"xts-aes-generic", "rfc3686(ctr-aes-generic)",
		},
		"mode=35 alg=gcm-aes-generic":                 {"gcm-aes-generic  passed\n1 passed, 0 failed, 0 unavailable"},
		"mode=152":                                    {"rfc4543(gcm-aes-generic)"},
		"mode=1034":                                   {"xchacha12-generic", "chacha20-generic"},
		"mode=0 alg=gcm-aes-generic":                  {"tcrypt: gcm-aes-generic exists, gcm-aes-generic serves it\n"},
		"alg=rfc4106(gcm-aes-generic) type=3":         {"exists"},
		"alg=xts-aes-generic type=5 mask=0xf":         {"exists"},
		"alg=chacha20 type=0 mask=0x80 mode=0 sec=10": {"chacha20 exists"},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), &out, &errs); code != exitOK {
			t.Errorf("%s: exit code %d, %s", args, code, &errs)
		}
		for _, text := range want {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%s: %q lacks %q", args, out.String(), text)
			}
		}
	}
}

// Every algorithm of a mode that times is either measured or named as missing; what modes lists says the same.
func TestModesSayWhatIsThere(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"modes", "-o", "json"}, &out, &errs); code != exitOK {
		t.Fatal(errs.String())
	}
	var list []modeLine
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if len(m.Algorithms) == 0 && m.Mode != 0 {
			t.Errorf("mode %d is listed and does nothing: %+v", m.Mode, m)
		}
		for _, name := range m.Algorithms {
			if kcrypto.Drivers(name) == nil {
				t.Errorf("mode %d claims %s", m.Mode, name)
			}
		}
	}
	for _, info := range kcrypto.Drivers() { // nothing that we have is without a mode
		found := false
		for _, m := range list {
			for _, name := range m.Algorithms {
				found = found || name == info.Algorithm && strings.HasPrefix(m.Does, "speed")
			}
		}
		if !found {
			t.Errorf("no mode times %s", info.Algorithm)
		}
	}
}
