package result

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestPartial(t *testing.T) {
	cell := func(n, wanted int) Cell { return Cell{Samples: make([]Sample, n), Wanted: wanted} }
	for want, cells := range map[string][]Cell{
		"":                     {cell(20, 0), cell(20, 0)},
		"7 of 20 samples":      {cell(7, 20), cell(7, 20)},
		"6 to 7 of 20 samples": {cell(7, 20), cell(6, 20)},
	} {
		if got := Partial(cells); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for n, want := range map[int]bool{MinSamples - 1: false, MinSamples: true} {
		if c := cell(n, 0); c.Known() != want {
			t.Errorf("%d samples have an interval: %v", n, !want)
		}
	}
}

func sample() *Run {
	c := Cell{
		Conditions: Conditions{Algorithm: "gcm(aes)", KeyBits: 128, Direction: Encrypt, AAD: 16, Tag: 16, Threads: 2},
		Driver:     "gcm-aes-generic", Impl: "generic", Size: 64,
		Spread: 0.01, Rounds: 60, Limit: 0.2, Share: 0.5, SetKeyNS: 100, TimesGo: 2,
	}
	for _, ns := range []float64{101, 100, 103, 99, 98, 150} {
		c.Samples = append(c.Samples, Sample{NS: ns, GHz: 3})
	}
	c.Summarize()
	r := &Run{Header: Header{Date: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Command: []string{"speed"},
		Machine: ThisMachine(),
		Drivers: []Driver{{"gcm(aes)", "gcm-aes-generic", "generic", 100, "passed", ""}}}}
	r.Machine.FeaturesOff = map[string]string{"avx": "masked by KCRYPTO"}
	sector := c
	sector.Sector = 512
	larger := c
	larger.Size = 128
	r.Cells = []Cell{c, larger, sector}
	return r
}

func TestJSON(t *testing.T) {
	run := sample()
	name := filepath.Join(t.TempDir(), "run.json")
	var out bytes.Buffer
	if err := WriteJSON(&out, run); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := ReadFile(name)
	if err != nil || !reflect.DeepEqual(run, again) {
		t.Errorf("%v: written\n%+v\nread\n%+v", err, run, again)
	}
}

func TestBadJSON(t *testing.T) {
	var whole bytes.Buffer
	if err := WriteJSON(&whole, sample()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"", "no JSON of tcrypt speed"},
		{"hello", "no JSON of tcrypt speed"},
		{"[]", "no JSON of tcrypt speed"},
		{`{"machine":{"cpu":"x"}}`, "no results in it"},
		{whole.String() + whole.String(), "more than one run"},
		{strings.Replace(whole.String(), `"size": 64`, `"size": 0`, 1), "lacks its algorithm, driver, size"},
		{strings.Replace(whole.String(), `"ns": 101,`, `"ns": -1,`, 1), "a sample of -1 ns"},
	} {
		if _, err := ReadJSON(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none.json")); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
}

func TestSeries(t *testing.T) {
	all := Series(sample().Cells)
	if len(all) != 2 || len(all[0]) != 2 || len(all[1]) != 1 || all[1][0].Sector != 512 {
		t.Errorf("%d series: %+v", len(all), all)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Estimate
	}{
		{[]float64{7}, Estimate{7, 7, 7}},
		{[]float64{3, 1, 2}, Estimate{2, 1, 3}},                            // too few for an interval: all of them
		{[]float64{6, 1, 5, 2, 4, 3}, Estimate{3.5, 1, 6}},                 // 1 - 2^-5 = 97 %
		{[]float64{10, 1, 9, 2, 8, 3, 7, 4, 6, 5}, Estimate{5.5, 2, 9}},    // 98 %; from the third to the eighth: 89 %
		{[]float64{5, 5, 5, 5, 5, 5, 5, 5, 5, 1000}, Estimate{5, 5, 5}},    // one that was disturbed
		{[]float64{1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6}, Estimate{6, 2, 9}},  // 96 %; to the tenth: 99 %
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, Estimate{6, 1, 11}}, // each is like the one before
	} {
		if got := Median(c.values); got != c.want {
			t.Errorf("Median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
	if w := (Estimate{10, 9, 13}).Within(); w != 0.3 {
		t.Errorf("Within gives %v", w)
	}
}

// Times that rise and fall together have a ratio that stands still.
func TestRatio(t *testing.T) {
	var a, b Cell
	for i := range 10 {
		pace := float64(1 + i%4)
		a.Samples = append(a.Samples, Sample{NS: 30 * pace})
		b.Samples = append(b.Samples, Sample{NS: 20 * pace})
	}
	if r := Ratio(&a, &b); r != (Estimate{1.5, 1.5, 1.5}) {
		t.Errorf("ratio %v", r)
	}
}

func TestSummarize(t *testing.T) {
	c := sample().Cells[0]
	if c.NS != 100.5 || c.Low != 98 || c.High != 150 || c.GBps != 128/100.5 || c.GHz != 3 || c.CyclesPerByte != 301.5/64 {
		t.Errorf("%+v", c)
	}
}

// Samples of a machine whose speed changes slowly: intervals must hold the truth all the same, and those of a machine
// without moods must not become much wider.
func TestInflation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ correlation, least, widest float64 }{{0, 0.94, 1.2}, {0.4, 0.9, 2}} {
		const n = 2000
		held, width := 0, 0.0
		for range n {
			values, drift := make([]float64, 20), r.NormFloat64()
			for i := range values {
				drift = c.correlation*drift + math.Sqrt(1-c.correlation*c.correlation)*r.NormFloat64()
				values[i] = 100 + drift
			}
			width += Inflation(values) / n
			if e := Median(values); e.Low <= 100 && 100 <= e.High {
				held++
			}
		}
		if share := float64(held) / n; share < c.least || width > c.widest {
			t.Errorf("correlation %v: %.1f %% of the intervals hold the truth, inflation %.2f", c.correlation, 100*share, width)
		}
	}
	for _, same := range [][]float64{{7}, {5, 5, 5, 5, 5, 5}} {
		if f := Inflation(same); f != 1 {
			t.Errorf("Inflation(%v) = %v, want 1", same, f)
		}
	}
}

// Figures are noisy if half of those that have an interval are known to more than 3 %.
func TestNotes(t *testing.T) {
	cell := func(within float64, samples int) Cell {
		return Cell{NS: 100, Low: 100 - 100*within, High: 100, Samples: make([]Sample, samples)}
	}
	for _, c := range []struct {
		run  Run
		want []string
	}{
		{Run{}, nil},
		{Run{Cells: []Cell{cell(0.02, 20), cell(0.03, 20), cell(0.5, 20)}}, nil},
		{Run{Cells: []Cell{cell(0.02, 20), cell(0.09, 20), cell(0.5, 20)}}, []string{"±9 %"}},
		{Run{Cells: []Cell{cell(0.02, 20), cell(0.5, MinSamples-1), cell(0.5, MinSamples-1)}}, nil},
		{Run{Header: Header{Interrupted: true}, Cells: []Cell{cell(0.07, 20)}}, []string{"Interrupted: ", "±7 %"}},
	} {
		got := c.run.Notes()
		if len(got) != len(c.want) {
			t.Errorf("%+v: %q", c.run, got)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%q lacks %q", got[i], want)
			}
		}
	}
}
