package kcrypto

import (
	"maps"
	"slices"
	"testing"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// TestTunings compares the table of tuning.go with the drivers' tunings: every name that a driver lists has a row for
// each of its values and for no other, and a value is chosen on every CPU.
func TestTunings(t *testing.T) {
	s, listed := defaultSettings(), map[string]bool{}
	drivers := catalog(cpu.Host(), &s)
	for _, d := range drivers {
		for _, of := range d.Tunings {
			listed[of.Name] = true
			i := slices.IndexFunc(tunings, func(t tuning) bool { return t.name == of.Name })
			if i < 0 {
				t.Errorf("%s: tuning.go lacks %s", d.Name, of.Name)
				continue
			}
			var rows []string
			for _, r := range tunings[i].rows {
				rows = append(rows, r.value)
			}
			if !slices.Equal(slices.Sorted(slices.Values(rows)), slices.Sorted(slices.Values(of.Values))) {
				t.Errorf("%s: %s has the values %v, tuning.go rows for %v", d.Name, of.Name, of.Values, rows)
			}
		}
	}
	assembly := slices.ContainsFunc(drivers, func(d registry.Driver) bool { return d.Impl == "avx512" })
	for _, row := range tunings {
		if assembly && !listed[row.name] {
			t.Errorf("tuning.go has %s, which no driver lists", row.name)
		}
		if last := row.rows[len(row.rows)-1]; !last.cpus(cpu.Features{}) {
			t.Errorf("%s: nothing is chosen on a CPU that no row is about", row.name)
		}
		for _, r := range row.rows {
			if r.why == "" {
				t.Errorf("%s=%s has no reason", row.name, r.value)
			}
		}
	}
}

func TestTuned(t *testing.T) {
	for _, c := range []struct {
		vendor      string
		family      int
		forced      map[string]string
		pass, block string
	}{
		{"GenuineIntel", 6, nil, "16", "vector"},
		{"AuthenticAMD", 25, nil, "24", "vector"},
		{"AuthenticAMD", 26, nil, "24", "scalar"},
		{"GenuineIntel", 26, nil, "16", "vector"},
		{"", 0, nil, "24", "vector"},
		{"GenuineIntel", 6, map[string]string{"chacha.pass": "24"}, "24", "vector"},
		{"AuthenticAMD", 26, map[string]string{"chacha.pass": "16", "chacha.block": "vector"}, "16", "vector"},
	} {
		got := tuned(cpu.Features{Vendor: c.vendor, Family: c.family}, c.forced)
		if !maps.Equal(got, map[string]string{"chacha.pass": c.pass, "chacha.block": c.block}) {
			t.Errorf("%q, family %d, forced %v: %v", c.vendor, c.family, c.forced, got)
		}
	}
}

// TestNeeds: a driver in assembly needs the level that its implementation is named for, so that it never runs where its
// instructions do not exist. A portable one needs nothing.
func TestNeeds(t *testing.T) {
	s := defaultSettings()
	for _, d := range catalog(cpu.Host(), &s) {
		switch d.Impl {
		case "generic":
			if d.Needs != nil {
				t.Errorf("%s needs %v", d.Name, d.Needs)
			}
		case "stdlib":
		default:
			if !slices.Contains(d.Needs, d.Impl) {
				t.Errorf("%s needs %v, want %s among them", d.Name, d.Needs, d.Impl)
			}
		}
	}
}
