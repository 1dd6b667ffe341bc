package main

import (
	"slices"
	"strings"
	"testing"
)

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
	}{
		{"16", []int{16}},
		{"16, 64,1420", []int{16, 64, 1420}},
		{"64,16,64", []int{64, 16}},
		{"4k,1K,1M", []int{4096, 1024, 1 << 20}},
		{"16-128", []int{16, 32, 64, 128}},
		{"16-100", []int{16, 32, 64}},
		{"1k-4k", []int{1024, 2048, 4096}},
		{"7-7", []int{7}},
		{"16-64/16", []int{16, 32, 48, 64}},
		{"1-2k/1k", []int{1, 1025}},
		{"64-128,100,16-64/16", []int{64, 128, 100, 16, 32, 48}},
		{"1-1000/1", nil}, // below
	} {
		s := newSizes(1, 1<<20)
		err := s.Set(c.text)
		if c.want == nil && len(s.values) == maxSizes {
			continue
		}
		if err != nil || !slices.Equal(s.values, c.want) {
			t.Errorf("%q: %v, %v; want %v", c.text, s.values, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"":               "is no number of bytes from 1 to 1048576",
		"16,":            "is no number of bytes",
		"0":              "is no number of bytes",
		"0-16":           "is no number of bytes",
		"-1":             "is no number of bytes",
		"1048577":        "is no number of bytes",
		"2M":             "is no number of bytes",
		"4g":             "want, for example, 1420, 4k",
		"k":              "is no number of bytes",
		"1kk":            "is no number of bytes",
		"3000000000":     "is no number of bytes",
		"2097152k":       "is no number of bytes",
		"4294967297k":    "is no number of bytes",
		"1.5k":           "is no number of bytes",
		"16;64":          "is no number of bytes",
		"64-16":          "ends before it begins",
		"16-":            "is no number of bytes",
		"16-32-64":       "is no number of bytes",
		"16/4":           "is no number of bytes", // a step goes with a range
		"16-64/0":        `"0" is no step`,
		"16-64/x":        `"x" is no step`,
		"16-64/":         `"" is no step`,
		"1-1001/1":       "more than 1000 sizes; want a wider step",
		"1-1048576/1":    "more than 1000 sizes",
		"16,64-16,again": "ends before it begins",
	} {
		s := newSizes(1, 1<<20)
		if err := s.Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, s.values, err, want)
		}
	}
	none := newSizes(0, 16) // of additional data
	if err := none.Set("0,8"); err != nil || !slices.Equal(none.values, []int{0, 8}) {
		t.Errorf("0,8: %v, %v", none.values, err)
	}
	if err := none.Set("0-4"); err != nil || !slices.Equal(none.values, []int{1, 2, 4}) {
		t.Errorf("0-4: %v, %v", none.values, err)
	}
}

func TestSizeName(t *testing.T) {
	for n, want := range map[int]string{0: "0", 16: "16", 1420: "1420", 1024: "1k", 1 << 20: "1M", 3 << 19: "1536k"} {
		if got := sizeName(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		} else if back, err := bytesOf(got); err != nil || back != n {
			t.Errorf("%s is read as %d, %v", got, back, err)
		}
	}
}
