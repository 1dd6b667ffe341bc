package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"kcrypto"
)

// seriesOf plans the one series that words ask for.
func seriesOf(t *testing.T, name string, o speedOptions) series {
	t.Helper()
	a := &app{}
	p, err := a.plan(t.Context(), []string{name}, o)
	if err != nil || len(p) != 1 {
		t.Fatalf("%s: %d series, %v", name, len(p), err)
	}
	return p[0]
}

func keyOption(bits int) speedOptions {
	o := newSpeedOptions()
	o.keys.values = []int{bits}
	return o
}

// What Go's own code does with a job must be what the generic driver does with it: only then is it a comparison.
func TestGoPeers(t *testing.T) {
	for name := range goPeers {
		info := kcrypto.Drivers(name)[0]
		for _, keySize := range info.KeySizes {
			for _, decrypt := range []bool{false, true} {
				s := series{info: info, drivers: []string{goName}, keySize: keySize, decrypt: decrypt}
				reference, err := s.reference(keyOf(keySize))
				if err != nil {
					t.Fatal(err)
				}
				peer, err := contend(info, goName, keyOf(keySize))
				if err != nil {
					t.Fatal(err)
				}
				for _, size := range []int{16, 64, 1424, 4096} {
					j, want, err := newJob(s, size, reference)
					if err != nil {
						t.Fatal(err)
					}
					if err := j.do(peer.transform); err != nil || !bytes.Equal(j.dst, want) {
						t.Errorf("%s, key %d, %d bytes, decrypt %v: Go and %s disagree (%v)", name, keySize, size, decrypt, reference.driver, err)
					}
				}
			}
		}
	}
}

// A call for many sectors must give what Go's code gives sector by sector.
func TestGoSectors(t *testing.T) {
	info := kcrypto.Drivers(sectorAlgorithm)[0]
	for _, decrypt := range []bool{false, true} {
		s := series{info: info, drivers: []string{goName}, keySize: 64, sector: 512, decrypt: decrypt}
		ours, err := contend(info, info.Driver, keyOf(64))
		if err != nil {
			t.Fatal(err)
		}
		peer, err := contend(info, goName, keyOf(64))
		if err != nil {
			t.Fatal(err)
		}
		j, want, err := newJob(s, 8*512, ours)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.do(peer.transform); err != nil || !bytes.Equal(j.dst, want) {
			t.Errorf("decrypt %v: Go and %s disagree (%v)", decrypt, ours.driver, err)
		}
		clear(j.dst)
		if j.op(peer.transform)(1); !bytes.Equal(j.dst, want) {
			t.Errorf("decrypt %v: what is timed is not what was compared", decrypt)
		}
	}
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
		{"ctr(aes)", options{sectors: []int{512}}, nil, nil},
		{"gcm(aes)", options{sectors: []int{512}}, nil, nil},
	} {
		o := newSpeedOptions()
		o.sizes.values, o.sectors.values, o.keys.values = c.sizes, c.options.sectors, []int{256}
		p, err := (&app{}).plan(t.Context(), []string{c.name}, o)
		var sectors []int
		for _, s := range p {
			sectors = append(sectors, s.sector)
		}
		if !slices.Equal(sectors, c.sectors) || (err == nil) != (c.sectors != nil) {
			t.Errorf("%s %+v: series with sectors of %v, error %v; want %v", c.name, c.options, sectors, err, c.sectors)
		} else if err == nil && !slices.Equal(p[0].sizes, c.first) {
			t.Errorf("%s %+v: sizes %v, want %v", c.name, c.options, p[0].sizes, c.first)
		}
	}
}

// wrong is a cipher that gets one bit wrong.
type wrong struct{ skcipher }

func (w wrong) Encrypt(dst, src, iv []byte) error {
	err := w.skcipher.Encrypt(dst, src, iv)
	dst[len(dst)-1] ^= 1
	return err
}

func TestWrongResult(t *testing.T) {
	s := seriesOf(t, "ctr-aes-generic", keyOption(128))
	reference, err := s.reference(keyOf(s.keySize))
	if err != nil {
		t.Fatal(err)
	}
	broken := reference
	broken.driver, broken.transform = "ctr-aes-broken", wrong{reference.transform.(skcipher)}
	r := runner{meter: newMeter(time.Millisecond)}
	rs, err := r.size(t.Context(), s, 64, reference, []contender{reference, broken})
	if err == nil || !strings.Contains(err.Error(), "ctr-aes-broken and ctr-aes-generic disagree on ctr(aes)") || rs != nil {
		t.Errorf("results %v, error %v", rs, err)
	}
}

// Go's XTS has no ciphertext stealing: it is left out of sizes that need it, and of those only.
func TestLeftOut(t *testing.T) {
	o := keyOption(256)
	o.drivers = []string{"generic", goName}
	o.sizes.values = []int{16, 17, 32}
	s := seriesOf(t, "xts(aes)", o)
	r := runner{meter: newMeter(time.Millisecond), total: 4}
	rs, err := r.series(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range rs {
		got = append(got, strings.Join([]string{x.Driver, number(float64(x.Size))}, " "))
	}
	want := []string{"xts-aes-generic 16.0", "go 16.0", "xts-aes-generic 17.0", "xts-aes-generic 32.0", "go 32.0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if r.done != r.total {
		t.Errorf("%d steps, %d were planned", r.done, r.total)
	}
}

func TestSeriesCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := runner{meter: newMeter(time.Millisecond)}
	rs, err := r.series(ctx, seriesOf(t, "chacha20-generic", newSpeedOptions()))
	if len(rs) > 0 || err != context.Canceled {
		t.Errorf("%d results, %v", len(rs), err)
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
		name := s.info.Algorithm
		if s.sector > 0 {
			continue // TestPlanSectors
		}
		keys[name] = append(keys[name], 8*s.keySize)
		if len(s.drivers) != 1 {
			t.Errorf("%s: drivers %q by default, want the best alone", name, s.drivers)
		}
		if takes1420 := slices.Contains(s.sizes, 1420); takes1420 == (name == "ecb(aes)") || !slices.Contains(s.sizes, 1<<20) {
			t.Errorf("%s: sizes %v", name, s.sizes)
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
	others := slices.ContainsFunc(p, func(s series) bool { return s.info.Algorithm != "xts(aes)" })
	if err != nil || len(p) == 0 || others {
		t.Errorf("a key of 384 bits: %v, %v; want xts(aes) alone", p, err)
	}
}
