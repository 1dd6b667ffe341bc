package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"kcrypto/tools/tcrypt/internal/compare"
	"kcrypto/tools/tcrypt/internal/result"
)

// sampleTable compares two drivers that cross, and a size at which nothing is certain.
func sampleTable() compare.Table {
	series := result.Conditions{
		Algorithm: "gcm(aes)", KeyBits: 256, Direction: result.Encrypt, AAD: 16, Tag: 16, Threads: 1,
	}
	row := func(size int, a, b, within float64) compare.Row {
		r := b / a
		interval := result.Estimate{Median: r, Low: r - within, High: r + within}
		return compare.Row{Samples: 20, Size: size, ANS: a, BNS: b, Ratio: interval}
	}
	return compare.Table{Conditions: series, A: "gcm-aes-x", B: "gcm-aes-y", Rows: []compare.Row{
		row(16, 40, 38, 0.01), row(64, 40, 40, 0.01), row(256, 60, 90, 0.02),
	}, Crossings: []compare.Crossing{{Below: 16, Above: 256, At: 64, Faster: "A"}}}
}

// Files are compared as they are: a flag that says what to measure is refused, whatever its name.
func TestFlagsOfFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	out, errs, code := do(t.Context(), strings.Fields("speed gcm-aes-generic --sizes 64 --keys 128 --time 6ms -o json")...)
	if code != exitOK {
		t.Fatal(errs)
	}
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	value := map[string]string{"word": "table", "bool": "true", "duration": "50ms", "file": file + ".html"}
	c, _, err := (&app{out: &stdout{w: new(bytes.Buffer)}}).command().Find([]string{"compare"})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	c.Flags().VisitAll(func(f *pflag.Flag) {
		v, ok := value[f.Value.Type()]
		if !ok {
			v = "64"
		}
		arg := "--" + f.Name + "=" + v
		out, errs, code := do(t.Context(), "compare", file, file, arg)
		if f.Name == "output" || f.Name == "plot" || f.Value.Type() == "file" {
			if code != exitOK {
				t.Errorf("%s: exit code %d, %s", arg, code, errs)
			}
			return
		}
		refused++
		checkMistake(t, out, errs, code, "--"+f.Name+" says what to measure")
	})
	if refused < 8 {
		t.Errorf("%d flags are refused", refused)
	}
}

func TestWriteTable(t *testing.T) {
	table := sampleTable()
	golden(t, func(w io.Writer) { writeTable(w, &table) }, `gcm(aes), 256-bit key, encryption, 16 bytes of additional data
A: gcm-aes-x
B: gcm-aes-y
bytes  A ns  B ns    B/A   95 % interval  faster
   16  40.0  38.0  0.950  0.940 to 0.960  B
   64  40.0  40.0   1.00   0.990 to 1.01  ~
  256  60.0  90.0   1.50    1.48 to 1.52  A
Crossover: B is faster up to 16 bytes, A from 256 on, equal at about 64.
`)
}

func TestVerdict(t *testing.T) {
	table := sampleTable()
	for _, c := range []struct {
		rows []compare.Row
		want string
	}{
		{table.Rows[1:], "A is faster at 1 of 2 sizes, B at none: no crossover."},
		{table.Rows[:2], "B is faster at 1 of 2 sizes, A at none: no crossover."},
		{table.Rows[1:2], "Neither is faster for certain at any size."},
	} {
		if got := verdict(&compare.Table{Rows: c.rows}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Two runs of other machines and dates: what differs is said.
func TestWriteSources(t *testing.T) {
	one := result.Header{Date: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Machine: result.Machine{CPU: "A CPU", Go: "go1.26", Platform: "linux/amd64"}}
	two := one
	two.Machine.KCRYPTO = "cpu.avx512=off"
	golden(t, func(w io.Writer) {
		writeSources(w, &comparison{A: source{"a.json", &one}, B: source{"b.json", &two}})
	}, `A: a.json, A CPU, go1.26 linux/amd64, 2026-11-30 12:00, commit unknown
B: b.json, A CPU, go1.26 linux/amd64, KCRYPTO=cpu.avx512=off, 2026-11-30 12:00, commit unknown
kcrypto differs: "" and "cpu.avx512=off"
`)
}

func TestCompareJSON(t *testing.T) {
	args := strings.Fields("compare gcm-aes-generic go --keys 128 --sizes 64,16384 --time 2ms --count 6 -o json")
	stdout, stderr, code := tcrypt(t, "", args...)
	var got struct {
		A, B   struct{ Name string }
		Tables []struct {
			KeyBits int `json:"key_bits"`
			A, B    string
			Rows    []struct {
				Size  int
				ANS   float64 `json:"a_ns"`
				BNS   float64 `json:"b_ns"`
				Ratio struct{ Median, Low, High float64 }
			}
			Crossovers []any
		}
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v, stderr %q", code, err, stderr)
	}
	if got.A.Name != "gcm-aes-generic" || got.B.Name != result.Go || len(got.Tables) != 1 ||
		len(got.Tables[0].Rows) != 2 || got.Tables[0].KeyBits != 128 {
		t.Fatalf("%+v", got)
	}
	for _, r := range got.Tables[0].Rows {
		if x := r.BNS / r.ANS; r.Ratio.Low > r.Ratio.Median || r.Ratio.Median > r.Ratio.High ||
			math.Abs(math.Log(x/r.Ratio.Median)) > 1 {
			t.Errorf("%+v", r)
		}
	}
}

// slowDown makes all that was saved in a file take ten times as long: not every build has a faster driver.
func slowDown(t *testing.T, name string) {
	t.Helper()
	saved, err := result.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range saved.Cells {
		c := &saved.Cells[i]
		for k := range c.Samples {
			c.Samples[k].NS *= 10
		}
		c.Summarize()
	}
	var b bytes.Buffer
	if err := result.WriteJSON(&b, saved); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Saved results are compared without measuring, and what is no saved result is refused.
func TestCompareFiles(t *testing.T) {
	dir := t.TempDir()
	save := func(name, args string) string {
		stdout, _, code := tcrypt(t, "", strings.Fields("speed "+args+" --keys 128 --time 2ms --count 6 -o json")...)
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(stdout), 0o600); err != nil || code != exitOK {
			t.Fatal(code, err)
		}
		return path
	}
	fast, slow := save("a.json", "ctr(aes) --sizes 4096"), save("b.json", "ctr-aes-generic --sizes 4096,16")
	other, text := save("c", "gcm(aes) --sizes 16"), filepath.Join(dir, "text.json")
	if err := os.WriteFile(text, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	slowDown(t, slow)
	stdout, stderr, code := tcrypt(t, "", "compare", fast, slow)
	if code != exitOK || !regexp.MustCompile(`(?m)^A: .*a\.json, `).MatchString(stdout) ||
		!strings.Contains(stdout, "\nB: ctr-aes-generic\n") ||
		!strings.Contains(stdout, "A is faster at 1 of 1 size, B at none") {
		t.Errorf("exit code %d, stderr %q\n%s", code, stderr, stdout)
	}
	for args, want := range map[[2]string]string{
		{fast, other}:                        "no measurement in common",
		{fast, text}:                         "no JSON of tcrypt speed",
		{fast, filepath.Join(dir, "x.json")}: "no such file",
		{fast, "ctr(aes)"}:                   "a file can only be compared with a file",
	} {
		stdout, stderr, code := tcrypt(t, "", "compare", args[0], args[1])
		checkMistake(t, stdout, stderr, code, want)
	}
}
