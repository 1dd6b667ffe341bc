package main

import (
	"slices"
	"testing"

	"kcrypto/tools/tcrypt/internal/measure"
)

func keyOption(bits int) speedOptions {
	o := newSpeedOptions()
	o.keys.values = []int{bits}
	return o
}

func TestPlanSectors(t *testing.T) {
	type options struct{ sizes, sectors []int }
	for _, c := range []struct {
		name string
		options
		sectors []int // of the series; nil for an error
		first   []int // sizes of the first one
	}{
		{"xts(aes)", options{}, []int{0, 512, 4096}, defaultSizes},
		{"xts(aes)", options{sizes: []int{17}}, []int{0}, []int{17}},
		{"xts(aes)", options{sectors: []int{520}}, []int{520}, []int{8 * 520, 128 * 520, 2048 * 520}},
		{"xts(aes)", options{sizes: []int{1024}, sectors: []int{512, 16}}, []int{512, 16}, []int{1024}},
		{"xts(aes)", options{sizes: []int{1000}, sectors: []int{512}}, nil, nil},
		{"cbc(aes)", options{sizes: []int{16}}, []int{0}, []int{16}},
		{"cbc(aes)", options{sizes: []int{1024}, sectors: []int{512}}, []int{512}, []int{1024}},
		{"cbc(aes)", options{sectors: []int{520}}, nil, nil},
		{"essiv(cbc(aes),sha256)", options{sectors: []int{512}}, []int{512}, []int{8 * 512, 128 * 512, 2048 * 512}},
		{"ctr(aes)", options{sectors: []int{512}}, nil, nil},
		{"gcm(aes)", options{sectors: []int{512}}, nil, nil},
	} {
		o := newSpeedOptions()
		o.sizes.values, o.sectors.values, o.keys.values = c.sizes, c.options.sectors, []int{256}
		p, err := (&app{}).plan(t.Context(), []string{c.name}, o)
		var sectors []int
		for _, s := range p {
			sectors = append(sectors, s.Sector)
		}
		if !slices.Equal(sectors, c.sectors) || (err == nil) != (c.sectors != nil) {
			t.Errorf("%s %+v: series with sectors of %v, error %v; want %v", c.name, c.options, sectors, err, c.sectors)
		} else if err == nil && !slices.Equal(p[0].Sizes, c.first) {
			t.Errorf("%s %+v: sizes %v, want %v", c.name, c.options, p[0].Sizes, c.first)
		}
	}
}

func TestPlanDefaults(t *testing.T) {
	a := &app{}
	p, err := a.plan(t.Context(), nil, newSpeedOptions())
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string][]int{}
	for _, s := range p {
		name := s.Info.Algorithm
		if s.Sector > 0 {
			continue // TestPlanSectors
		}
		keys[name] = append(keys[name], s.KeyBits)
		if len(s.Drivers) != 1 {
			t.Errorf("%s: drivers %q by default, want the best alone", name, s.Drivers)
		}
		if takes1420 := slices.Contains(s.Sizes, 1420); takes1420 == (s.Info.MultipleOf > 1) ||
			!slices.Contains(s.Sizes, 1<<20) {
			t.Errorf("%s: sizes %v", name, s.Sizes)
		}
	}
	for _, name := range algorithms() {
		if keys[name] == nil {
			t.Errorf("%s is not in the plan", name)
		}
	}
	for name, want := range map[string][]int{"gcm(aes)": {128, 256}, "xts(aes)": {256, 512}, "chacha20": {256}} {
		if !slices.Equal(keys[name], want) {
			t.Errorf("%s: keys of %v bits, want %v", name, keys[name], want)
		}
	}
}

// Without names, --keys leaves out what has no such key.
func TestPlanLeavesOut(t *testing.T) {
	a := &app{}
	p, err := a.plan(t.Context(), nil, keyOption(384))
	others := slices.ContainsFunc(p, func(s *measure.Series) bool { return s.Info.Algorithm != "xts(aes)" })
	if err != nil || len(p) == 0 || others {
		t.Errorf("a key of 384 bits: %v, %v; want xts(aes) alone", p, err)
	}
}
