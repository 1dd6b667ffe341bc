package kcrypto_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"kcrypto"
	"kcrypto/registry"
)

// The root package's functions on the default registry.

// TestInfo: a transform's Info equals the list's.
func TestInfo(t *testing.T) {
	for _, d := range slices.Concat(working(registry.TypeAEAD), working(registry.TypeSkcipher)) {
		got, err := infoOf(d)
		if err != nil {
			t.Fatal(err)
		}
		got.Refcount, d.Refcount = 0, 0
		got.SelfTest, d.SelfTest = "", "" // it has been tested by now
		if !reflect.DeepEqual(got, d) {
			t.Errorf("the transform says %+v, the list %+v", got, d)
		}
	}
}

func infoOf(d registry.Info) (registry.Info, error) {
	if d.Type == registry.TypeAEAD {
		a, err := kcrypto.AllocAEAD(d.Driver)
		if err != nil {
			return registry.Info{}, err
		}
		defer a.Close()
		return a.Info(), nil
	}
	s, err := kcrypto.AllocSkcipher(d.Driver)
	if err != nil {
		return registry.Info{}, err
	}
	defer s.Close()
	return s.Info(), nil
}

// TestInfoIsTheModels compares key, nonce and tag sizes in the list with those of the models.
func TestInfoIsTheModels(t *testing.T) {
	for _, d := range kcrypto.Drivers() {
		var keys, tags []int
		var iv, chunk int
		if d.Type == registry.TypeAEAD {
			m := aeadModelOf(t, d.Algorithm)
			keys, tags, iv, chunk = m.keySizes, m.tags, m.nonce, d.ChunkSize
		} else {
			m := skModelOf(t, d.Algorithm)
			keys, tags, iv, chunk = m.keySizes, []int{}, m.iv, max(m.chunk, 16)
		}
		if !slices.Equal(d.KeySizes, keys) || !slices.Equal(d.AuthSizes, tags) || d.IVSize != iv || d.ChunkSize != chunk {
			t.Errorf("%s: keys %v, tags %v, IV %d, chunk %d; want %v, %v, %d, %d",
				d.Driver, d.KeySizes, d.AuthSizes, d.IVSize, d.ChunkSize, keys, tags, iv, chunk)
		}
		if most := slices.Max(append([]int{0}, tags...)); d.MaxAuthSize != most {
			t.Errorf("%s: longest tag %d, want %d", d.Driver, d.MaxAuthSize, most)
		}
		block := 1
		if d.MinSize > 0 || d.MultipleOf > 1 {
			block = 16
		}
		if d.Module != "kcrypto" || d.Impl == "" || d.BlockSize != block {
			t.Errorf("want a block size of %d: %+v", block, d)
		}
	}
}

func TestSelfTestCalls(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	wantError(t, "SelfTest of nothing", kcrypto.SelfTest(ctx, "no such driver"), registry.ErrNotFound)
	if err := kcrypto.SelfTest(ctx, "chacha20", "rfc4106(gcm-aes-stdlib)"); err != nil {
		t.Error(err)
	}
	steps, total := 0, 0
	o := kcrypto.SelfTestOptions{Seed: 1, Progress: func(driver string, done, all int) {
		if driver != "chacha20-generic" || done > all {
			t.Errorf("progress: %s, %d of %d", driver, done, all)
		}
		steps, total = steps+1, all
	}}
	if err := kcrypto.RunSelfTest(ctx, o, "chacha20-generic"); err != nil {
		t.Error(err)
	}
	if steps == 0 || steps > total {
		t.Errorf("%d reports of progress, of %d", steps, total)
	}
	cancel()
	if err := kcrypto.RunSelfTest(ctx, o, "chacha20-generic"); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if d := kcrypto.Drivers("chacha20-generic")[0]; d.SelfTest != registry.Passed {
		t.Errorf("after an interrupted retest the driver is %s", d.SelfTest)
	}
}

// TestRetestFindsOut: a second self-test can fail where the first passed, and the other way round.
func TestRetestFindsOut(t *testing.T) {
	flawed := false
	d := foreignCTRDriver("ctr-aes-acme", 9000, func() registry.Skcipher { return &foreignCTR{narrow: flawed} })
	r := newRegistry(t, "")
	if err := r.Register([]registry.Driver{d}); err != nil {
		t.Fatal(err)
	}
	wantServed(t, r, "ctr(aes)", d.Name)
	flawed = true
	wantError(t, "Retest", r.Retest(t.Context(), d.Name), registry.ErrSelfTest)
	wantServed(t, r, "ctr(aes)", usable(t, newRegistry(t, ""), "ctr(aes)")[0])
	flawed = false
	if err := r.Retest(t.Context(), d.Name); err != nil {
		t.Error(err)
	}
	wantServed(t, r, "ctr(aes)", d.Name)
}

func TestDefaultRegistry(t *testing.T) {
	l := new(logBuffer)
	kcrypto.SetLogger(zerolog.New(l))
	wantServed(t, kcrypto.Default(), "gcm-aes-generic", "gcm-aes-generic")
	kcrypto.SetLogger(zerolog.Nop())
	if !strings.Contains(l.text(), "gcm-aes-generic") {
		t.Errorf("the choice of a driver is not logged: %s", l.text())
	}
	before := kcrypto.Drivers("gcm-aes-generic")[0].Priority
	if err := kcrypto.SetPriority("gcm-aes-generic", before); err != nil {
		t.Error(err)
	}
	wantError(t, "a negative priority", kcrypto.SetPriority("gcm-aes-generic", -1), registry.ErrDriver)
	if list := kcrypto.Drivers("gcm(aes)", "ctr-aes-generic", "no such name"); len(list) < 2 {
		t.Errorf("%d drivers of one algorithm and one name", len(list))
	}
}
