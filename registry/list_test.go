package registry

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/*.json anew")

func TestList(t *testing.T) {
	r := reg(t, []Driver{
		aead("gcm(aes)", "gcm-a", 1),
		skcipher("ctr(aes)", "ctr-a", 1),
		aead("gcm(aes)", "gcm-b", 9, needs("avx")),
		aead("gcm(aes)", "gcm-c", 1),
		aead("big", "big-a", 1, func(d *Driver) { d.IVSize = 24 }),
		skcipher("ctr(aes)", "ctr-b", 2),
		aead("small", "small-a", 0),
	}, Options{
		Templates: []Template{wrap("wrap2"), wrap("wrap1"), loop("loop")},
		Aliases:   map[string]string{"old": "ctr-a", "old2": "wrap1(gcm(aes))"},
		Prefer:    map[string]string{"small": "none", "wrap1(gcm(aes))": "wrap1(gcm-a)"},
	})
	for asked, want := range map[string]string{
		"": "gcm-b gcm-c gcm-a ctr-b ctr-a big-a small-a wrap2(gcm-b) wrap2(gcm-c) wrap2(gcm-a) wrap2(small-a) " +
			"wrap1(gcm-a) wrap1(gcm-b) wrap1(gcm-c) wrap1(small-a) " +
			"loop(gcm-b) loop(gcm-c) loop(gcm-a) loop(ctr-b) loop(ctr-a) loop(big-a) loop(small-a)",
		"gcm(aes)":               "gcm-b gcm-c gcm-a",
		"small gcm(aes)":         "gcm-b gcm-c gcm-a small-a", // the order of the catalog
		"old gcm-a gcm-a":        "gcm-a ctr-a",
		"old2":                   "wrap1(gcm-a) wrap1(gcm-b) wrap1(gcm-c)",
		"wrap2(gcm-b) des":       "wrap2(gcm-b)",
		"loop(loop(ctr(aes)))":   "loop(loop(ctr-b)) loop(loop(ctr-a))", // not in the catalog, but asked for
		"loop(loop(ctr-a)) old":  "ctr-a loop(loop(ctr-a))",
		"wrap1(ctr(aes)) nobody": "",
	} {
		if got := names(r.List(strings.Fields(asked)...)); got != want {
			t.Errorf("List(%s):\n got %s\nwant %s", asked, got, want)
		}
	}
	if New().List() == nil {
		t.Error("an empty list is nil: it must be [] in JSON")
	}
}

// loop is a template over everything, itself included.
func loop(name string) Template {
	t := wrap(name)
	build := t.Build
	t.Type, t.Accepts = TypeAEAD, nil
	t.Build = func(inner *Driver) Driver {
		d := build(inner)
		if inner.Type == TypeSkcipher {
			d = aead(d.Algorithm, d.Name, 0)
		}
		return d
	}
	return t
}

func TestJSON(t *testing.T) {
	j := newTester("gcm-bad")
	r := reg(t, []Driver{
		aead("gcm(aes)", "gcm-aes-generic", 100),
		aead("gcm(aes)", "gcm-bad", 200),
		aead("gcm(aes)", "gcm-aes-avx512", 800, needs("avx2", "avx512f"), tunings()),
		skcipher("ctr(aes)", "ctr-aes-generic", 100),
	}, Options{
		Config:   Config{Tuning: map[string]string{"gcm.b": "y", "other": "1"}},
		SelfTest: j.run, Templates: []Template{wrap("rfc4106")},
	})
	h, err := r.Acquire("rfc4106(gcm(aes))", Want{Type: TypeAEAD})
	must(t, err)
	defer h.Release()
	e, err := r.Explain("gcm(aes)")
	must(t, err)
	golden(t, "list.json", r.List())
	golden(t, "explanation.json", e)
	golden(t, "info.json", h.Info())

	var back []Info
	text, err := json.Marshal(r.List())
	must(t, err)
	must(t, json.Unmarshal(text, &back))
	if again, _ := json.Marshal(back); string(again) != string(text) {
		t.Errorf("read back from JSON:\n got %s\nwant %s", again, text)
	}
}

func golden(t *testing.T, file string, v any) {
	t.Helper()
	text, err := json.MarshalIndent(v, "", "\t")
	must(t, err)
	text = append(text, '\n')
	if *update {
		must(t, os.WriteFile("testdata/"+file, text, 0o644))
	}
	want, err := os.ReadFile("testdata/" + file)
	must(t, err)
	if string(text) != string(want) {
		t.Errorf("%s:\n got %s\nwant %s", file, text, want)
	}
}

func TestExplain(t *testing.T) {
	drivers := []Driver{
		aead("gcm(aes)", "gcm-low", 1), aead("gcm(aes)", "gcm-tie", 5), aead("gcm(aes)", "gcm-best", 5),
		aead("gcm(aes)", "gcm-bad", 7), aead("gcm(aes)", "gcm-avx", 9, needs("avx2")),
		aead("none", "none-avx", 1, needs("avx2")), aead("bad", "bad-bad", 1),
	}
	j := newTester("gcm-bad", "bad-bad")
	o := Options{SelfTest: j.run, Templates: []Template{wrap("wrap")}}
	prefers := func(driver string) *Registry {
		o := o
		o.Prefer = map[string]string{"gcm(aes)": driver}
		return reg(t, drivers, o)
	}
	o.Aliases = map[string]string{"old": "gcm-low", "gone": "des", "gcm-tie": "gcm-low"}
	plain := reg(t, drivers, o)
	const (
		top     = " has the highest priority (5) of the drivers of "
		passed  = " that can run here and passed their self-test; "
		tie     = "gcm-tie has the same and was registered earlier"
		skipped = "; passed over: gcm-avx (unavailable: lacks avx2), gcm-bad (failed: wrong result on test vector 3)"
		byName  = " is asked for by its own name, so priorities do not matter"
		absent  = "registry: not available on this machine: "
	)
	for _, c := range []struct {
		r                 *Registry
		name, winner, why string
		candidates        string
	}{
		{plain, "gcm(aes)", "gcm-best", "gcm-best" + top + "gcm(aes)" + passed + tie + skipped,
			"gcm-avx gcm-bad gcm-best gcm-tie gcm-low"},
		{plain, "gcm-low", "gcm-low", "gcm-low" + byName, "gcm-low"},
		{plain, "gcm-tie", "gcm-tie", "gcm-tie" + byName, "gcm-tie"}, // no alias
		{plain, "old", "gcm-low", "old is an alias of gcm-low; gcm-low" + byName, "gcm-low"},
		{plain, "gcm-avx", "", absent + "gcm-avx: lacks avx2; " +
			"asking for \"gcm(aes)\" gets the best driver that works here", "gcm-avx"},
		{plain, "none", "", absent + "no driver of none can be used: none-avx (unavailable: lacks avx2)", "none-avx"},
		{plain, "bad", "", "registry: self-test failed: no driver of bad can be used: " +
			"bad-bad (failed: wrong result on test vector 3)", "bad-bad"},
		{plain, "wrap(gcm(aes))", "wrap(gcm-best)", "wrap(gcm-best)" + top + "wrap(gcm(aes))" + passed +
			"wrap(gcm-tie) has the same and was registered earlier; passed over: wrap(gcm-avx) (unavailable: lacks avx2), " +
			"wrap(gcm-bad) (failed: gcm-bad: wrong result on test vector 3)",
			"wrap(gcm-avx) wrap(gcm-bad) wrap(gcm-best) wrap(gcm-tie) wrap(gcm-low)"},
		{prefers("gcm-low"), "gcm(aes)", "gcm-low", "gcm-low is preferred for gcm(aes) by configuration",
			"gcm-low gcm-avx gcm-bad gcm-best gcm-tie"},
		{prefers("gcm-low"), "wrap(gcm(aes))", "wrap(gcm-low)",
			"wrap(gcm-low) is preferred for wrap(gcm(aes)) by configuration",
			"wrap(gcm-low) wrap(gcm-avx) wrap(gcm-bad) wrap(gcm-best) wrap(gcm-tie)"},
		{prefers("gcm-none"), "gcm(aes)", "gcm-best", "gcm-best" + top + "gcm(aes)" + passed + tie + skipped +
			", gcm-none (preferred, but not one of its drivers)", "gcm-avx gcm-bad gcm-best gcm-tie gcm-low"},
	} {
		e, err := c.r.Explain(c.name)
		must(t, err)
		if e.Name != c.name || e.Winner != c.winner || e.Why != c.why || names(e.Candidates) != c.candidates {
			t.Errorf("Explain(%s):\n got %s: %s: %s\nwant %s: %s: %s",
				c.name, e.Winner, e.Why, names(e.Candidates), c.winner, c.why, c.candidates)
		}
		for _, i := range e.Candidates {
			if i.Refcount != 1 {
				t.Errorf("Explain(%s) leaves %s with a refcount of %d", c.name, i.Driver, i.Refcount)
			}
		}
	}
	for _, name := range []string{"des", "gone", "wrap(des)"} {
		_, err := plain.Explain(name)
		is(t, err, ErrNotFound, "des")
	}
}
