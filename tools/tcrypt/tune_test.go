package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/tools/tcrypt/internal/compare"
	"kcrypto/tools/tcrypt/internal/result"
)

func TestWriteTuned(t *testing.T) {
	estimate := func(x float64) result.Estimate { return result.Estimate{Median: x, Low: x * 0.99, High: x * 1.02} }
	sizes := func(ratios ...float64) []result.Estimate {
		var list []result.Estimate
		for _, x := range ratios {
			list = append(list, result.Estimate{Median: x, Low: x, High: x})
		}
		return list
	}
	right := tuned{Algorithm: "gcm(aes)", Threads: 1, Direction: result.Encrypt, Ranking: compare.Ranking{Samples: 20,
		Sizes: []int{64, 4096},
		Ranks: []compare.Rank{
			{Driver: "gcm-aes-x", Priority: 800, Behind: result.Estimate{Median: 1, Low: 1, High: 1}, BySize: sizes(1.1, 1)},
			{Driver: "gcm-aes-y", Priority: 600, Behind: estimate(1.2), BySize: sizes(1, 1.4)},
		},
	}}
	golden(t, func(w io.Writer) { writeTuned(w, &right) },
		`gcm(aes), encryption, 1 thread: times over the fastest driver's, best driver first
driver     priority  64 B  4096 B   all     ±
gcm-aes-x       800  1.10    1.00  1.00  0.0%
gcm-aes-y       600  1.00    1.40  1.20  2.0%
The order is right: no driver is slower than one of a lower priority for certain.
At 64 bytes gcm-aes-y is the fastest; gcm-aes-x takes 1.10 times as long.
`)
	wrong := right
	wrong.Ranks = slices.Clone(right.Ranks)
	wrong.Ranks[0].Priority, wrong.Threads, wrong.Ranks[0].BySize = 400, 2, sizes(1, 1)
	wrong.Wrong = []compare.Inversion{{Faster: "gcm-aes-x", Slower: "gcm-aes-y", By: estimate(1.2)}}
	wrong.KCRYPTO, wrong.Priorities = "prefer.gcm(aes)=gcm-aes-x", map[string]int{"gcm-aes-x": 600, "gcm-aes-y": 400}
	golden(t, func(w io.Writer) { writeTuned(w, &wrong) },
		`gcm(aes), encryption, 2 threads: times over the fastest driver's, best driver first
driver     priority  64 B  4096 B   all     ±
gcm-aes-x       400  1.00    1.00  1.00  0.0%
gcm-aes-y       600  1.00    1.40  1.20  2.0%
The order is wrong: gcm-aes-y comes before gcm-aes-x and takes 1.20 times as long (1.19 to 1.22).
To prefer the best driver: KCRYPTO='prefer.gcm(aes)=gcm-aes-x'
To set the order in a program:
    err = kcrypto.SetPriority("gcm-aes-x", 600)
    err = kcrypto.SetPriority("gcm-aes-y", 400)
`)
	// No line is longer than a hundred characters, whatever the drivers are called.
	wrong.Wrong[0].Faster, wrong.Wrong[0].Slower = "chacha20poly1305-avx512", "chacha20poly1305-avx512-ifma"
	var out bytes.Buffer
	writeTuned(&out, &wrong)
	for line := range strings.Lines(out.String()) {
		if len(line) > 101 {
			t.Errorf("a line of %d characters: %s", len(line)-1, line)
		}
	}
}

type tuningJSON struct {
	Machine    struct{ CPU string }
	Algorithms []struct {
		Algorithm string
		Threads   int
		Ranks     []struct {
			Driver string
			Behind struct{ Median float64 }
		}
		Wrong      []struct{ Slower, Faster string }
		KCRYPTO    string         `json:"set_kcrypto"`
		Priorities map[string]int `json:"set_priorities"`
	}
}

// The generic driver with the highest priority is noticed, and what tune prints corrects that. Whether it is the last
// of all is not certain on a busy machine.
func TestTune(t *testing.T) {
	var winner string
	for _, info := range kcrypto.Drivers("ctr(aes)") {
		if info.Driver == "ctr-aes-generic" {
			defer kcrypto.SetPriority(info.Driver, info.Priority)
		}
	}
	if e, err := kcrypto.Explain("ctr(aes)"); err != nil {
		t.Fatal(err)
	} else if winner = e.Winner; winner == "ctr-aes-generic" {
		t.Skip("NOT RUN: nothing here is faster than the generic driver")
	}
	if err := kcrypto.SetPriority("ctr-aes-generic", 1000); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	code := run(t.Context(), strings.Fields("tune ctr(aes) --keys 256 --sizes 1024,4096 --time 20ms --count 6 -o json"),
		&out, &errs)
	var got tuningJSON
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil || code != exitOK || len(got.Algorithms) != 1 {
		t.Fatalf("exit code %d, %v, stderr %q\n%s", code, err, errs.String(), out.String())
	}
	a := got.Algorithms[0]
	wrong := func(w struct{ Slower, Faster string }) bool {
		return w.Slower == "ctr-aes-generic" && w.Faster == a.Ranks[0].Driver
	}
	if a.Ranks[0].Driver == "ctr-aes-generic" || !slices.ContainsFunc(a.Wrong, wrong) ||
		a.KCRYPTO != "prefer.ctr(aes)="+a.Ranks[0].Driver || a.Priorities["ctr-aes-generic"] >= 1000 ||
		got.Machine.CPU == "" {
		t.Errorf("%+v", got)
	}
	for driver, priority := range a.Priorities {
		defer func(before int) { kcrypto.SetPriority(driver, before) }(kcrypto.Drivers(driver)[0].Priority)
		if err := kcrypto.SetPriority(driver, priority); err != nil {
			t.Error(err)
		}
	}
	if e, err := kcrypto.Explain("ctr(aes)"); err != nil || e.Winner != a.Ranks[0].Driver {
		t.Errorf("the winner is %s after all (%v), want %s", e.Winner, err, a.Ranks[0].Driver)
	}
}
