package kcrypto_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// The rules of selection, on registries with all of this module's drivers. Package registry tests the same rules with
// fake drivers.

func TestBestDriverServes(t *testing.T) {
	r := newRegistry(t, "")
	for _, algorithm := range everyAlgorithm(r) {
		list := r.List(algorithm)
		if !slices.IsSortedFunc(list, func(a, b registry.Info) int { return cmp.Compare(b.Priority, a.Priority) }) {
			t.Errorf("the list of %s is not best first", algorithm)
		}
		best := usable(t, r, algorithm)[0]
		wantServed(t, r, algorithm, best)
		t.Logf("%s: %s", algorithm, best)
	}
}

// TestEveryAlgorithm: every algorithm that has a model has drivers.
func TestEveryAlgorithm(t *testing.T) {
	got := everyAlgorithm(kcrypto.Default())
	for name := range aeadModels {
		if !slices.Contains(got, name) {
			t.Errorf("no driver of %s", name)
		}
	}
	for name := range skModels {
		if !slices.Contains(got, name) {
			t.Errorf("no driver of %s", name)
		}
	}
}

// TestStepDown fails the drivers of each algorithm one after the other, best first. The next one serves, the failure is
// listed and logged, and by name it is an error. When the failures are taken back, the best driver serves again.
func TestStepDown(t *testing.T) {
	for _, algorithm := range everyAlgorithm(kcrypto.Default()) {
		t.Run(algorithm, func(t *testing.T) {
			r := newRegistry(t, "")
			log, names := captureLog(r), usable(t, r, algorithm)
			var restore []func()
			for i, name := range names {
				restore = append(restore, r.FailSelfTest(name))
				if i+1 < len(names) {
					wantServed(t, r, algorithm, names[i+1])
				} else {
					_, err := served(r, algorithm)
					wantError(t, "all drivers fail", err, registry.ErrSelfTest)
				}
				_, err := served(r, name)
				wantError(t, name+", which fails", err, registry.ErrSelfTest)
				if d := r.List(name)[0]; d.SelfTest != registry.Failed || d.Reason == "" {
					t.Errorf("%s is listed as %s, reason %q", name, d.SelfTest, d.Reason)
				}
				if text := log.text(); !strings.Contains(text, `"warn"`) || !strings.Contains(text, `"`+name+`"`) {
					t.Errorf("the failure of %s is not logged: %s", name, text)
				}
			}
			for _, f := range restore {
				f()
			}
			wantServed(t, r, algorithm, names[0])
		})
	}
}

// TestAllFail: when all inner drivers fail, so do the algorithm and the templates over it.
func TestAllFail(t *testing.T) {
	r := newRegistry(t, "")
	for _, name := range usable(t, r, "gcm(aes)") {
		r.FailSelfTest(name)
	}
	for _, name := range []string{"gcm(aes)", "rfc4106(gcm(aes))", "rfc4106(gcm-aes-generic)"} {
		_, err := served(r, name)
		wantError(t, name, err, registry.ErrSelfTest)
	}
}

// TestTemplateOverFailingDriver: another driver serves a composition if the inner driver fails, or the composition
// itself.
func TestTemplateOverFailingDriver(t *testing.T) {
	r := newRegistry(t, "")
	if err := r.Register([]registry.Driver{foreignGCMDriver("gcm-aes-acme", 9000, noFlaw)}); err != nil {
		t.Fatal(err)
	}
	wantServed(t, r, "rfc4106(gcm(aes))", "rfc4106(gcm-aes-acme)")
	next := usable(t, r, "rfc4106(gcm(aes))")[1]
	restore := r.FailSelfTest("gcm-aes-acme")
	wantServed(t, r, "rfc4106(gcm(aes))", next)
	_, err := served(r, "rfc4106(gcm-aes-acme)")
	wantError(t, "a template over a failing driver", err, registry.ErrSelfTest)
	restore()
	defer r.FailSelfTest("rfc4106(gcm-aes-acme)")()
	wantServed(t, r, "rfc4106(gcm(aes))", next)
	wantServed(t, r, "gcm(aes)", "gcm-aes-acme") // the inner driver has not failed
}

// TestStrict: under strict=on no other driver replaces one that failed, or a preferred one that is missing.
func TestStrict(t *testing.T) {
	r := newRegistry(t, "strict=on")
	for _, algorithm := range everyAlgorithm(r) {
		best := usable(t, r, algorithm)[0]
		restore := r.FailSelfTest(best)
		_, err := served(r, algorithm)
		wantError(t, algorithm, err, registry.ErrSelfTest)
		restore()
		wantServed(t, r, algorithm, best)
	}
	settings := "prefer.gcm(aes)=gcm-aes-stdlib,disable=gcm-aes-stdlib"
	_, err := served(newRegistry(t, settings+",strict=on"), "gcm(aes)")
	wantError(t, "a preferred driver that is missing", err, registry.ErrUnavailable)
	lax := newRegistry(t, settings)
	log := captureLog(lax)
	wantServed(t, lax, "gcm(aes)", usable(t, lax, "gcm(aes)")[0])
	if text := log.text(); !strings.Contains(text, "warn") || !strings.Contains(text, "gcm-aes-stdlib") {
		t.Errorf("a missing preferred driver is not logged: %s", text)
	}
}

func TestUnregisterInUse(t *testing.T) {
	for _, name := range []string{"gcm-aes-generic", "rfc4106(gcm-aes-generic)"} {
		r := newRegistry(t, "")
		a, err := kcrypto.AllocAEAD(name, kcrypto.WithRegistry(r))
		if err != nil {
			t.Fatal(err)
		}
		wantError(t, "Unregister under "+name, r.Unregister("gcm-aes-generic"), registry.ErrBusy)
		if n := a.Info().Refcount; n != 2 {
			t.Errorf("%s in use once has the reference count %d, want 2", name, n)
		}
		a.Close()
		if err := r.Unregister("gcm-aes-generic"); err != nil {
			t.Errorf("Unregister after Close: %v", err)
		}
		_, err = served(r, name)
		wantError(t, name+" after Unregister", err, registry.ErrNotFound)
		wantError(t, "Unregister twice", r.Unregister("gcm-aes-generic"), registry.ErrNotFound)
	}
}

// TestDriverForLife: a transform keeps its driver and its results, whatever changes in the registry.
func TestDriverForLife(t *testing.T) {
	r := newRegistry(t, "")
	key, nonce := make([]byte, 16), make([]byte, 12)
	a, err := kcrypto.NewAEAD("gcm(aes)", key, kcrypto.WithRegistry(r))
	if err != nil {
		t.Fatal(err)
	}
	driver, sealed := a.Driver(), a.Seal(nil, nonce, key, nil)
	if err := r.SetPriority(driver, 0); err != nil {
		t.Fatal(err)
	}
	if err := r.Register([]registry.Driver{foreignGCMDriver("gcm-aes-acme", 9000, noFlaw)}); err != nil {
		t.Fatal(err)
	}
	defer r.FailSelfTest(driver)()
	wantServed(t, r, "gcm(aes)", "gcm-aes-acme")
	if err := a.SetKey(key); err != nil || a.Driver() != driver || a.Info().Driver != driver {
		t.Errorf("the transform's driver is now %s (%v), was %s", a.Driver(), err, driver)
	}
	if diff := difference(a.Seal(nil, nonce, key, nil), sealed); diff != "" {
		t.Error(diff)
	}
}

func TestSetPriority(t *testing.T) {
	for _, algorithm := range everyAlgorithm(kcrypto.Default()) {
		r := newRegistry(t, "")
		names := usable(t, r, algorithm)
		worst := names[len(names)-1]
		if strings.Contains(worst, "(") {
			continue // a composition has the priority of what it is built over
		}
		if err := r.SetPriority(worst, 12345); err != nil {
			t.Fatal(err)
		}
		wantServed(t, r, algorithm, worst)
	}
	r := newRegistry(t, "")
	if err := r.SetPriority("gcm-aes-generic", 12345); err != nil {
		t.Fatal(err)
	}
	wantServed(t, r, "rfc4106(gcm(aes))", "rfc4106(gcm-aes-generic)")
	wantError(t, "an unknown driver", r.SetPriority("gcm-aes-nope", 1), registry.ErrNotFound)
}

// TestWithImpl asks for each implementation by its name.
func TestWithImpl(t *testing.T) {
	r := newRegistry(t, "")
	for _, algorithm := range everyAlgorithm(r) {
		for _, d := range r.List(algorithm) {
			got, err := served(r, algorithm, kcrypto.WithImpl(d.Impl))
			if d.SelfTest == registry.Unavailable {
				wantError(t, d.Driver, err, registry.ErrUnavailable)
			} else if err != nil || r.List(got)[0].Impl != d.Impl {
				t.Errorf("%s as %s is served by %s (%v)", algorithm, d.Impl, got, err)
			}
		}
		_, err := served(r, algorithm, kcrypto.WithImpl("nonsense"))
		wantError(t, algorithm+" with an unknown implementation", err, registry.ErrNotFound)
	}
}

// TestThreeErrors: a driver that does not exist, one that cannot run here, one of the other type.
func TestThreeErrors(t *testing.T) {
	r := newRegistry(t, "disable=gcm-aes-generic")
	with := kcrypto.WithRegistry(r)
	for _, name := range []string{
		"", "gcm", "gcm-aes-nope", "gcm(des)", "rfc4106(gcm(des))", "rfc4106(gcm(aes)", "nope(gcm(aes))", "rfc4106()",
		"GCM(AES)", " gcm(aes)",
	} {
		_, err := kcrypto.AllocAEAD(name, with)
		wantError(t, fmt.Sprintf("%q", name), err, registry.ErrNotFound)
	}
	_, err := kcrypto.AllocAEAD("gcm-aes-generic", with)
	wantError(t, "a disabled driver", err, registry.ErrUnavailable)
	for _, name := range []string{"ctr(aes)", "ctr-aes-generic", "rfc3686(ctr(aes))", "chacha20"} {
		_, err = kcrypto.AllocAEAD(name, with)
		wantError(t, name+" as AEAD", err, registry.ErrType)
	}
	for _, name := range []string{"gcm(aes)", "gcm-aes-stdlib", "chacha20poly1305", "rfc4106(gcm(aes))"} {
		_, err = kcrypto.AllocSkcipher(name, with)
		wantError(t, name+" as skcipher", err, registry.ErrType)
	}
	_, err = kcrypto.AllocAEAD("rfc4106(ctr(aes))", with)
	wantError(t, "a template over the wrong type", err, registry.ErrType)
}

func TestAliases(t *testing.T) {
	r := newRegistry(t, "")
	for alias, name := range map[string]string{
		"chacha20poly1305": "rfc7539(chacha20,poly1305)", "xchacha20-poly1305": "xchacha20poly1305",
		"chacha20-simd":            "chacha20",
		"gcm_base(ctr(aes),ghash)": "gcm(aes)", "xts(ecb(aes-generic))": "xts-aes-generic",
		"ctr(aes-generic)":                           "ctr-aes-generic",
		"gcm_base(ctr(aes-generic),ghash-generic)":   "gcm-aes-generic",
		"rfc7539(chacha20-generic,poly1305-generic)": "chacha20poly1305-generic",
	} {
		want, err := served(r, name)
		if err != nil {
			t.Fatal(err)
		}
		wantServed(t, r, alias, want)
	}
}

// TestExplain: an explanation says which driver wins, and why the others do not.
func TestExplain(t *testing.T) {
	r := newRegistry(t, "disable=gcm-aes-stdlib")
	e, err := r.Explain("gcm(aes)")
	if err != nil {
		t.Fatal(err)
	}
	if want := usable(t, r, "gcm(aes)")[0]; e.Winner != want || e.Name != "gcm(aes)" || !strings.Contains(e.Why, want) {
		t.Errorf("%+v", e)
	}
	i := slices.IndexFunc(e.Candidates, func(d registry.Info) bool { return d.Driver == "gcm-aes-stdlib" })
	if i < 0 || e.Candidates[i].SelfTest != registry.Unavailable || !strings.Contains(e.Candidates[i].Reason, "disabled") {
		t.Errorf("candidate %d of %+v", i, e.Candidates)
	}
	_, err = kcrypto.Explain("gcm(des)")
	wantError(t, "Explain of nothing", err, registry.ErrNotFound)
	text, err := json.Marshal(kcrypto.Drivers())
	var back []registry.Info
	if err != nil || json.Unmarshal(text, &back) != nil || len(back) != len(kcrypto.Drivers()) {
		t.Errorf("the list does not go through JSON: %v", err)
	}
}

// TestFirstUseAtOnce: 64 goroutines ask for the same untested drivers.
func TestFirstUseAtOnce(t *testing.T) {
	r := newRegistry(t, "")
	atOnce(t, func(worker int) error {
		names := []string{"gcm(aes)", "rfc4106(gcm(aes))", "ctr(aes)", "chacha20poly1305"}
		got, err := served(r, names[worker%len(names)])
		if err == nil && got == "" {
			err = errors.New("served by nobody")
		}
		return err
	})
}

// TestChangesAtOnce allocates, registers, unregisters and changes priorities from many goroutines.
func TestChangesAtOnce(t *testing.T) {
	r := newRegistry(t, "")
	for _, name := range usable(t, r, "gcm(aes)") {
		wantServed(t, r, name, name) // tested before the goroutines start
	}
	atOnce(t, func(worker int) error {
		name := fmt.Sprintf("gcm-aes-acme-%d", worker)
		for i := range 4 {
			switch worker % 4 {
			case 0:
				if err := r.Register([]registry.Driver{foreignGCMDriver(name, 30+worker, noFlaw)}); err != nil {
					return err
				}
				if _, err := served(r, name); i == 0 && err != nil {
					return err
				}
				if err := r.Unregister(name); err != nil && !errors.Is(err, registry.ErrBusy) {
					return err
				} else if err != nil {
					return nil // somebody uses it: it stays
				}
			case 1:
				if err := r.SetPriority("gcm-aes-generic", 40+100*i); err != nil {
					return err
				}
			default:
				a, err := kcrypto.NewAEAD("gcm(aes)", make([]byte, 16), kcrypto.WithRegistry(r))
				if err != nil {
					return err
				}
				a.Seal(nil, make([]byte, 12), make([]byte, 100), nil)
				r.List()
				a.Close()
			}
		}
		return nil
	})
}
