package main

import (
	"slices"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int // nil: an error
	}{
		{"16", []int{16}},
		{"16, 64,1420", []int{16, 64, 1420}},
		{"64,16,64", []int{64, 16}},
		{"1,4096", []int{1, 4096}},
		{"0", nil}, {"-1", nil}, {"4097", nil}, {"", nil}, {"16,", nil}, {"1k", nil}, {"16;64", nil},
		{"99999999999999999999", nil},
	} {
		n := numbers{what: "bits", min: 1, max: 4096}
		err := n.Set(c.text)
		if (err == nil) != (c.want != nil) || err == nil && !slices.Equal(n.values, c.want) {
			t.Errorf("%q: %v, %v; want %v", c.text, n.values, err, c.want)
		}
	}
	if got := (&numbers{}).or(7, 8); !slices.Equal(got, []int{7, 8}) {
		t.Errorf("or gives %v without values", got)
	}
	if got := (&numbers{values: []int{0}}).or(7); !slices.Equal(got, []int{0}) {
		t.Errorf("or gives %v instead of the value", got)
	}
	if got := (&numbers{values: []int{16, 64}}).String(); got != "16,64" {
		t.Errorf("String gives %q", got)
	}
}

func TestChoice(t *testing.T) {
	c := choice{"table", []string{"table", "json"}}
	if err := c.Set("xml"); err == nil || c.value != "table" {
		t.Errorf("xml: %v, value %q", err, c.value)
	}
	if err := c.Set("json"); err != nil || c.value != "json" {
		t.Errorf("json: %v, value %q", err, c.value)
	}
}

func TestNameList(t *testing.T) {
	for text, want := range map[string][]string{
		"all":                                {"all"},
		"generic, go":                        {"generic", "go"},
		"":                                   nil,
		"essiv(cbc-aes-generic,sha256)":      {"essiv(cbc-aes-generic,sha256)"},
		"go,essiv(cbc-aes-generic,sha256),x": {"go", "essiv(cbc-aes-generic,sha256)", "x"},
	} {
		got := []string{"best"}
		if err := (nameList{&got}).Set(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, bad := range []string{"essiv(cbc-aes-generic,sha256", "a),b"} {
		if err := (nameList{new([]string)}).Set(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
