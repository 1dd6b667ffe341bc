package kcrypto_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// A driver with tunings has as many forms as there are combinations of values. Each is tested here, on every CPU.

// formsOf lists d in all its forms, first in the one that is chosen for this machine.
func formsOf(d registry.Info) []registry.Info {
	h, err := kcrypto.Default().Acquire(d.Driver, registry.Want{Type: d.Type})
	if err != nil {
		return []registry.Info{d} // needDriver says what is wrong
	}
	defer h.Release()
	all := []registry.Info{d}
	for _, form := range h.Driver().Forms() {
		if !maps.Equal(form, d.Tuning) {
			other := d
			other.Tuning = form
			all = append(all, other)
		}
	}
	return all
}

// tuneSettings returns the settings that choose d's form.
func tuneSettings(d registry.Info) string {
	var settings []string
	for _, name := range slices.Sorted(maps.Keys(d.Tuning)) {
		settings = append(settings, "tune."+name+"="+d.Tuning[name])
	}
	return strings.Join(settings, ",")
}

// formRegistries are the registries of inForm, by their settings.
var formRegistries sync.Map

// inForm allocates d in its form, from a registry with these settings.
func inForm(t testing.TB, d registry.Info, settings ...string) kcrypto.Option {
	t.Helper()
	text := strings.Join(append(settings, tuneSettings(d)), ",")
	if len(settings) == 0 && len(d.Tuning) == 0 {
		return kcrypto.WithRegistry(kcrypto.Default())
	}
	made, ok := formRegistries.Load(text)
	if !ok {
		r, err := kcrypto.NewRegistry(text)
		if rest, smallest := strings.CutPrefix(text, smallestChunks); smallest {
			r, err = kcrypto.NewRegistryWithChunk(rest, 1)
		}
		if err != nil {
			t.Fatal(err)
		}
		made, _ = formRegistries.LoadOrStore(text, r)
	}
	return kcrypto.WithRegistry(made.(*registry.Registry))
}

// TestFormsAreTested registers a driver that is wrong in one form of four, which is not the one chosen: it must not
// pass.
func TestFormsAreTested(t *testing.T) {
	for _, wrong := range []map[string]string{
		nil, {"a": "1", "b": "x"}, {"a": "1", "b": "y"}, {"a": "2", "b": "x"}, {"a": "2", "b": "y"},
	} {
		r := newRegistry(t, "")
		d := foreignGCMDriver("gcm-aes-tuned", 1, noFlaw)
		d.Tunings = []registry.Tuning{{Name: "a", Values: []string{"1", "2"}}, {Name: "b", Values: []string{"x", "y"}}}
		d.NewAEAD = func(c registry.Config) registry.AEAD {
			if wrong["a"] == c.Value(d.Tunings[0]) && wrong["b"] == c.Value(d.Tunings[1]) {
				return &foreignGCM{flaw: wrongIfLong}
			}
			return &foreignGCM{}
		}
		if err := r.Register([]registry.Driver{d}); err != nil {
			t.Fatal(err)
		}
		err := r.Test(context.Background(), d.Name)
		if wrong == nil {
			if err != nil {
				t.Errorf("right in every form: %v", err)
			}
			continue
		}
		wantError(t, fmt.Sprint("wrong in ", wrong), err, registry.ErrSelfTest)
		wantWordsOf(t, err, "tune.a="+wrong["a"], "tune.b="+wrong["b"])
	}
}

func wantWordsOf(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error %v does not say %q", err, w)
		}
	}
}

// TestProgressOverForms: progress counts the steps of all forms together.
func TestProgressOverForms(t *testing.T) {
	d := slices.IndexFunc(kcrypto.Drivers("chacha20"), func(d registry.Info) bool {
		return len(d.Tuning) > 0 && d.SelfTest != registry.Unavailable
	})
	if d < 0 {
		t.Skip("NOT RUN HERE: no driver of chacha20 that works here has tunings")
	}
	last, name := 0, kcrypto.Drivers("chacha20")[d].Driver
	err := kcrypto.RunSelfTest(context.Background(), kcrypto.SelfTestOptions{Progress: func(_ string, done, total int) {
		if done != last+1 || done > total {
			t.Fatalf("step %d of %d follows step %d", done, total, last)
		}
		last = done
		if done == total {
			last = -1
		}
	}}, name)
	if err != nil || last != -1 {
		t.Errorf("%v, the last step seen is %d", err, last)
	}
}

// TestTuningOfCompositions: what is composed over a driver runs that driver's code, in the form chosen for it.
func TestTuningOfCompositions(t *testing.T) {
	tuned := map[string]map[string]string{}
	for _, d := range kcrypto.Drivers() {
		tuned[d.Driver] = d.Tuning
	}
	composed := 0
	for name, tuning := range tuned {
		_, inner, ok := strings.Cut(strings.TrimSuffix(name, ")"), "(")
		if !ok || tuned[inner] == nil {
			continue
		}
		composed++
		if !maps.Equal(tuning, tuned[inner]) {
			t.Errorf("%s has the tuning %v, %s %v", name, tuning, inner, tuned[inner])
		}
	}
	if composed == 0 {
		t.Error("no driver is a composition")
	}
}
