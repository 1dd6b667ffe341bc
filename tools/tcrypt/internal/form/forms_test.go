package form

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"kcrypto/tools/tcrypt/internal/result"
)

// Each form is read back by a reader that is not ours.

func TestJSON(t *testing.T) {
	var got map[string]any
	if err := json.Unmarshal([]byte(write(t, "json", sample())), &got); err != nil {
		t.Fatal(err)
	}
	machine, results := got["machine"].(map[string]any), got["results"].([]any)
	if machine["kcrypto"] != "cpu.avx=off" || len(results) != 4 ||
		results[0].(map[string]any)["driver"] != "gcm-aes-generic" {
		t.Errorf("read back: %v", got)
	}
}

func TestCSV(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(write(t, "csv", sample()))).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	row := func(i int) map[string]string {
		m := map[string]string{}
		for j, name := range rows[0] {
			m[name] = rows[i][j]
		}
		if len(m) != len(rows[0]) {
			t.Errorf("columns of one name: %q", rows[0])
		}
		return m
	}
	for i, want := range map[int]map[string]string{
		1: {"algorithm": "gcm(aes)", "driver": "gcm-aes-generic", "priority": "100", "direction": "decrypt", "size": "16",
			"ns":     "812",
			"ns_low": "810", "ns_high": "840", "samples": "6", "tag_bytes": "16", "core_ghz": "3.5", "times_go": "0.0834",
			"cpu":      "A CPU",
			"features": "sse2 aes", "kcrypto": "cpu.avx=off", "command": "tcrypt speed 'gcm(aes)' --drivers generic,go",
			"governor": ""},
		2: {"driver": "go", "priority": "", "times_go": ""},
		4: {"algorithm": "chacha20", "threads": "2", "cycles_per_byte": "", "gb_per_s": "1.28",
			"virtualisation": "virtual machine"},
	} {
		for name, value := range want {
			if got, ok := row(i)[name]; !ok || got != value {
				t.Errorf("row %d: %s is %q, want %q", i, name, got, value)
			}
		}
	}
}

func TestBench(t *testing.T) {
	r := benchfmt.NewReader(strings.NewReader(write(t, "bench", sample())), "sample")
	var results []*benchfmt.Result
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			results = append(results, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	if r.Err() != nil || len(results) != 3*6+1 {
		t.Fatalf("%d results, %v", len(results), r.Err())
	}
	first, last := results[0], results[len(results)-1]
	const wantFirst = "Open/alg=gcm(aes)/key=256/size=16/driver=gcm-aes-generic/aad=16/tag=16/threads=1"
	if got := string(first.Name); got != wantFirst {
		t.Errorf("the first is %q", got)
	}
	for unit, want := range map[string]float64{"sec/op": 812e-9, "B/s": 1.97044e7, "cyc/B": 177.625} {
		if got, ok := first.Value(unit); !ok || got < want*0.99999 || got > want*1.00001 {
			t.Errorf("%v %s, want %v", got, unit, want)
		}
	}
	const wantLast = "Encrypt/alg=chacha20/key=256/size=64/driver=chacha20-generic/threads=2"
	if _, ok := last.Value("cyc/B"); ok || string(last.Name) != wantLast {
		t.Errorf("the last is %q with %v", last.Name, last.Values)
	}
	for key, want := range map[string]string{"goos": "linux", "goarch": "amd64", "cpu": "A CPU", "kcrypto": "cpu.avx=off",
		"features": "sse2 aes"} {
		if got := last.GetConfig(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if better := r.Units().GetBetter("cyc/B"); better >= 0 {
		t.Errorf("more cycles are better (%d)", better)
	}
}

// Two runs of different dates must meet in benchstat's table, and two drivers of one run in its columns.
func TestBenchstat(t *testing.T) {
	older, newer := sample(), sample()
	newer.Date = newer.Date.AddDate(0, 0, 1)
	for i := range newer.Cells[0].Samples {
		newer.Cells[0].Samples[i].NS /= 2
	}
	dir := t.TempDir()
	for name, run := range map[string]*result.Run{"older": older, "newer": newer} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(write(t, "bench", run)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	benchstat := func(args ...string) string {
		var errs bytes.Buffer
		cmd := exec.Command("go", append([]string{"run", "golang.org/x/perf/cmd/benchstat"}, args...)...)
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
		return string(out)
	}
	out := benchstat(filepath.Join(dir, "older"), filepath.Join(dir, "newer"))
	if !strings.Contains(out, "-50.00% (p=0.002 n=6)") || !strings.Contains(out, "cyc/B") ||
		!strings.Contains(out, "features: sse2 aes") {
		t.Errorf("benchstat older newer:\n%s", out)
	}
	if out = benchstat("-col", "/driver", filepath.Join(dir, "older")); !strings.Contains(out, "│ gcm-aes-generic │") ||
		!strings.Contains(out, "-91.65%") {
		t.Errorf("benchstat -col /driver:\n%s", out)
	}
}
