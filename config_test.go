package kcrypto_test

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// Every key of KCRYPTO: what it does, and the error for a value that cannot be understood.

// badSettings pairs each mistake with words of the error, which says what would be right.
var badSettings = []struct {
	text  string
	words []string
}{
	{"nonsense=1", []string{"nonsense", "known keys", "prefer.ALGORITHM"}},
	{"nonsense", []string{`"nonsense"`, "key=value", "known keys"}},
	{"=x", []string{"unknown key"}},
	{"chunk=4096,cpu.foo=off", []string{"cpu.foo", "aes", "vpclmulqdq", "all"}},
	{"cpu.=off", []string{"cpu.", "ssse3"}},
	{"cpu.aes=on", []string{"cpu.aes=on", "want off"}},
	{"cpu.aes=", []string{"want off"}},
	{"prefer.gcm(aes)=", []string{"prefer.gcm(aes)", "empty value"}},
	{"prefer.=gcm-aes-generic", []string{"prefer."}},
	{"prefer.gcm(des)=gcm-aes-generic", []string{"gcm(des)", "unknown algorithm"}},
	{"prefer.gcm(aes)=gcm-aes-nope", []string{"gcm-aes-nope", "unknown driver", "gcm-aes-generic"}},
	{"prefer.gcm(aes)=ctr-aes-generic", []string{"ctr-aes-generic", "gcm-aes-generic"}},
	{"disable=", []string{"disable", "pattern"}},
	{"disable=gcm-*;;x", []string{"disable", "pattern"}},
	{"disable=gcm-[", []string{"gcm-[", "pattern"}},
	{"disable=nope-*", []string{"nope-*", "no driver has such a name"}},
	{"preferymm=maybe", []string{"preferymm=maybe", "auto", "on", "off"}},
	{"tune.chacha.pass=32", []string{"tune.chacha.pass=32", "want 16, 24"}},
	{"tune.chacha.pass=", []string{"tune.chacha.pass=", "want 16, 24"}},
	{"tune.nothing=1", []string{"tune.nothing", "chacha.pass"}},
	{"tune.=1", []string{"tune.", "chacha.pass"}},
	{"tune=24", []string{"tune=24", "known keys", "tune.NAME"}},
	{"selftest=never", []string{"selftest=never", "lazy", "eager", "full"}},
	{"strict=yes", []string{"strict=yes", "on", "off"}},
	{"chunk=0", []string{"chunk=0", "1024"}},
	{"chunk=-1", []string{"chunk=-1", "1024"}},
	{"chunk=1023", []string{"chunk=1023", "1024"}},
	{"chunk=64K", []string{"chunk=64K", "bytes"}},
	{"chunk=1073741825", []string{"1073741824"}},
	{"chunk=99999999999999999999", []string{"1073741824"}},
}

func TestBadSettings(t *testing.T) {
	for _, bad := range badSettings {
		_, err := kcrypto.NewRegistry(bad.text)
		wantError(t, bad.text, err, registry.ErrConfig)
		wantWords(t, bad.text, err, bad.words)
	}
}

func wantWords(t *testing.T, what string, err error, words []string) {
	t.Helper()
	for _, w := range append(words, "kcrypto: ") {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error %q does not say %q", what, err, w)
		}
	}
}

func TestGoodSettings(t *testing.T) {
	for _, text := range []string{
		"", ",", " , chunk=4096 ,, ", "chunk=1024", "chunk=1073741824",
		"selftest=lazy,strict=off,preferymm=auto", "strict=on,preferymm=on", "preferymm=off",
		"disable=gcm-aes-std?ib;ctr-*-stdlib",
		"prefer.gcm(aes)=gcm-aes-generic, strict = on",
		"prefer.rfc7539(chacha20,poly1305)=chacha20poly1305-generic,chunk=2048", "disable=rfc4106(gcm-aes-generic)",
		"cpu.all=off,cpu.aes=off", "tune.chacha.pass=16,tune.chacha.pass=24",
	} {
		if _, err := kcrypto.NewRegistry(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestBadSettingsEverywhere: with a mistake in the environment, every call returns ErrConfig.
func TestBadSettingsEverywhere(t *testing.T) {
	for _, text := range []string{"nonsense=1", "prefer.gcm(aes)=gcm-aes-nope"} {
		r := child(t, "report", "KCRYPTO="+text)
		all := map[string]outcome{"Explain": r.Explain, "SelfTest": r.SelfTest, "RunSelfTest": r.Retest}
		for name, o := range r.Alloc {
			all["Alloc "+name] = o
		}
		for what, o := range all {
			if !o.Config {
				t.Errorf("KCRYPTO=%s, %s: got %+v, want ErrConfig", text, what, o)
			}
		}
		if len(r.Drivers) == 0 {
			t.Errorf("KCRYPTO=%s: nothing is listed", text)
		}
	}
}

func TestPreferSetting(t *testing.T) {
	r := newRegistry(t, "prefer.gcm(aes)=gcm-aes-generic,prefer.rfc7539(chacha20,poly1305)=chacha20poly1305-generic")
	wantServed(t, r, "gcm(aes)", "gcm-aes-generic")
	wantServed(t, r, "rfc4106(gcm(aes))", "rfc4106(gcm-aes-generic)")
	wantServed(t, r, "rfc7539(chacha20,poly1305)", "chacha20poly1305-generic")
	const algorithm = "rfc7539(chacha20,poly1305)"                         // whose stdlib driver runs in every build
	wantServed(t, r, "chacha20poly1305-stdlib", "chacha20poly1305-stdlib") // a driver's name means that driver
	restore := r.FailSelfTest("chacha20poly1305-generic")
	if got, err := served(r, algorithm); err != nil || got == "chacha20poly1305-generic" {
		t.Errorf("the preferred driver fails, and %s is served by %q (%v)", algorithm, got, err)
	}
	restore()
}

func TestDisableSetting(t *testing.T) {
	for _, globs := range []string{"*-stdlib", "gcm-aes-stdlib;ctr-aes-std*"} {
		r, n := newRegistry(t, "disable="+globs), 0
		for _, d := range r.List() {
			hit := slices.ContainsFunc(strings.Split(globs, ";"), func(g string) bool {
				ok, _ := path.Match(g, d.Driver)
				return ok
			})
			if !hit {
				continue
			}
			n++
			if d.SelfTest != registry.Unavailable || !strings.Contains(d.Reason, "disabled by configuration") {
				t.Errorf("disable=%s: %s is %s, reason %q", globs, d.Driver, d.SelfTest, d.Reason)
			}
			_, err := served(r, d.Driver)
			wantError(t, d.Driver, err, registry.ErrUnavailable)
		}
		if n < 2 {
			t.Errorf("disable=%s hit %d drivers", globs, n)
		}
		for _, name := range []string{"gcm(aes)", "rfc4106(gcm(aes))"} {
			if got, err := served(r, name); err != nil || strings.Contains(got, "stdlib") {
				t.Errorf("disable=%s: %s is served by %q (%v)", globs, name, got, err)
			}
		}
	}
	r := newRegistry(t, "disable=*")
	for _, algorithm := range everyAlgorithm(r) {
		_, err := served(r, algorithm)
		wantError(t, "everything disabled", err, registry.ErrUnavailable)
	}
}

// TestMaskSettings switches each feature off. The drivers that need it are unavailable, with the reason; all others
// stay.
func TestMaskSettings(t *testing.T) {
	free := newRegistry(t, "").List()
	for _, feature := range cpu.Maskable() {
		r := newRegistry(t, "cpu."+feature+"=off")
		masked, err := cpu.Host().Mask(feature)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range r.List() {
			if free[i].Driver != d.Driver {
				t.Fatalf("the lists differ: %s, %s", free[i].Driver, d.Driver)
			}
			goes := len(masked.Missing(d.Needs)) > 0
			if d.Impl == "stdlib" && strings.Contains(d.Algorithm, "aes") { // Go's own code cannot be told
				goes = goes || feature == "aes" || feature == "all"
			}
			stays := free[i].SelfTest != registry.Unavailable && !goes
			if (d.SelfTest != registry.Unavailable) != stays {
				t.Errorf("cpu.%s=off: %s is %s (%s)", feature, d.Driver, d.SelfTest, d.Reason)
			}
			if goes && d.Reason == "" {
				t.Errorf("cpu.%s=off: %s has no reason", feature, d.Driver)
			}
		}
		for _, algorithm := range everyAlgorithm(r) {
			if got, err := served(r, algorithm); err != nil {
				t.Errorf("cpu.%s=off: %s: %q, %v", feature, algorithm, got, err)
			}
		}
	}
	wantServed(t, newRegistry(t, "cpu.all=off"), "gcm(aes)", "gcm-aes-generic")
	wantServed(t, newRegistry(t, "cpu.aes=off"), "ctr(aes)", "ctr-aes-generic")
}

// TestPreferYMMSetting: drivers with 512-bit registers stay, and come last.
func TestPreferYMMSetting(t *testing.T) {
	on, off := newRegistry(t, "preferymm=on").List(), newRegistry(t, "preferymm=off").List()
	priority := map[string]int{}
	for _, d := range off {
		priority[d.Driver] = d.Priority
	}
	for _, d := range on {
		demoted := d.Priority == 1
		if !demoted && (d.Priority != priority[d.Driver] || slices.Contains([]string{"vaes_avx512", "avx512"}, d.Impl)) {
			t.Errorf("preferymm=on: %s has priority %d, and %d without", d.Driver, d.Priority, priority[d.Driver])
		}
		if demoted && !strings.Contains(d.Impl, "avx512") {
			t.Errorf("preferymm=on: %s has priority 1, and uses no 512-bit registers", d.Driver)
		}
	}
	auto := map[bool][]registry.Info{true: on, false: off}[cpu.Host().PreferYMM()]
	for i, d := range newRegistry(t, "").List() {
		if d.Priority != auto[i].Priority {
			t.Errorf("preferymm=auto: %s has priority %d, want %d", d.Driver, d.Priority, auto[i].Priority)
		}
	}
}

func TestChunkSetting(t *testing.T) {
	if got := newRegistry(t, "chunk=4096").Config().Chunk; got != 4096 {
		t.Errorf("chunk=4096 gives drivers %d", got)
	}
	if got := newRegistry(t, "").Config().Chunk; got != registry.DefaultChunk {
		t.Errorf("the default gives drivers %d", got)
	}
}

// TestTuneSetting: a driver with tunings is made in the form that the setting names, which the list shows.
func TestTuneSetting(t *testing.T) {
	const algorithm = "rfc7539(chacha20,poly1305)"
	for _, pass := range []string{"16", "24"} {
		r := newRegistry(t, "tune.chacha.pass="+pass)
		if got := r.Config().Tuning["chacha.pass"]; got != pass {
			t.Errorf("tune.chacha.pass=%s gives drivers %q", pass, got)
		}
		e, err := r.Explain(algorithm)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range e.Candidates {
			if want := map[string]string{"chacha.pass": pass}; strings.Contains(d.Impl, "avx512") != maps.Equal(d.Tuning, want) {
				t.Errorf("tune.chacha.pass=%s: %s has %v", pass, d.Driver, d.Tuning)
			}
		}
	}
}

// TestSelfTestSetting: lazy tests no driver before it is used, eager tests all of them.
func TestSelfTestSetting(t *testing.T) {
	for _, d := range newRegistry(t, "selftest=lazy").List() {
		if d.SelfTest != registry.Untested && d.SelfTest != registry.Unavailable {
			t.Errorf("lazy: %s is %s", d.Driver, d.SelfTest)
		}
	}
	for _, d := range newRegistry(t, "selftest=eager").List() {
		if d.SelfTest != registry.Passed && d.SelfTest != registry.Unavailable {
			t.Errorf("eager: %s is %s (%s)", d.Driver, d.SelfTest, d.Reason)
		}
	}
	if testing.Short() {
		return
	}
	wantServed(t, newRegistry(t, "selftest=full"), "chacha20-generic", "chacha20-generic")
}

// TestEnvironment: the default registry has the variable's settings.
func TestEnvironment(t *testing.T) {
	r := child(t, "report", "KCRYPTO=prefer.gcm(aes)=gcm-aes-generic,disable=ctr-aes-stdlib,selftest=eager")
	if r.Alloc["gcm(aes)"].Driver != "gcm-aes-generic" || r.Explain.Driver != "gcm-aes-generic" {
		t.Errorf("prefer: %+v, Explain: %+v", r.Alloc["gcm(aes)"], r.Explain)
	}
	if !r.ByName["ctr-aes-stdlib"].Unavailable {
		t.Errorf("disable: %+v", r.ByName["ctr-aes-stdlib"])
	}
	if r.SelfTest.Error != "" {
		t.Errorf("SelfTest: %+v", r.SelfTest)
	}
}

// TestConfigure: each key wins over the variable's, several calls add up, and it must be called before the first use.
func TestConfigure(t *testing.T) {
	r := child(t, "prefer.gcm(aes)=gcm-aes-generic\nchunk=2048\nnonsense=1\nlate",
		"KCRYPTO=prefer.gcm(aes)=gcm-aes-stdlib,prefer.ctr(aes)=ctr-aes-generic")
	want := []bool{false, false, true, true}
	for i, o := range r.Configure {
		if o.Config != want[i] || o.Error != "" != want[i] {
			t.Errorf("Configure call %d: %+v", i, o)
		}
	}
	if len(r.Configure) != len(want) || !strings.Contains(r.Configure[3].Error, "earlier") {
		t.Errorf("%+v", r.Configure)
	}
	if got := r.Alloc["gcm(aes)"].Driver; got != "gcm-aes-generic" {
		t.Errorf("Configure did not win: %q", got)
	}
	if got := r.Alloc["ctr(aes)"].Driver; got != "ctr-aes-generic" {
		t.Errorf("Configure wiped out the variable: %q", got)
	}
}

// TestForeignInDefault: settings may name drivers that are registered later.
func TestForeignInDefault(t *testing.T) {
	r := child(t, "foreign", "KCRYPTO=prefer.gcm(aes)=gcm-aes-acme")
	if got := r.Alloc["gcm(aes)"]; got.Driver != "gcm-aes-acme" {
		t.Errorf("gcm(aes): %+v", got)
	}
	r = child(t, "report", "KCRYPTO=prefer.gcm(aes)=gcm-aes-acme")
	if got := r.Alloc["gcm(aes)"]; !got.Config {
		t.Errorf("without the foreign driver, gcm(aes): %+v", got)
	}
}

// TestGODEBUG: features that GODEBUG switches off are off here too, and a slow stdlib driver ranks below generic.
func TestGODEBUG(t *testing.T) {
	r := child(t, "report", "GODEBUG=cpu.aes=off")
	for _, d := range r.Drivers {
		if slices.Contains(d.Needs, "aesni") && d.SelfTest != registry.Unavailable {
			t.Errorf("%s is %s under GODEBUG=cpu.aes=off", d.Driver, d.SelfTest)
		}
	}
	if got := r.Alloc["gcm(aes)"].Driver; got != "gcm-aes-generic" {
		t.Errorf("gcm(aes) is served by %q under GODEBUG=cpu.aes=off, want gcm-aes-generic", got)
	}
}

// TestReasonsShowTheirCause: who masked what is missing, and a preference that could not be followed.
func TestReasonsShowTheirCause(t *testing.T) {
	if purego || !cpu.Host().Has("vaes_avx2") {
		t.Skip("NOT RUN: nothing that could be masked is here")
	}
	const driver, lacks = "gcm-aes-vaes-avx2", "lacks vaes: masked by "
	r := newRegistry(t, "cpu.vaes=off,prefer.gcm(aes)="+driver)
	e, err := r.Explain("gcm(aes)")
	if want := driver + ", which is preferred by configuration (unavailable: " + lacks + "KCRYPTO)"; err != nil ||
		!strings.Contains(e.Why, want) {
		t.Errorf("%q, %v; want in it %q", e.Why, err, want)
	}
	for _, d := range child(t, "report", "GODEBUG=cpu.avx512vaes=off").Drivers {
		if d.Driver == driver && d.Reason != lacks+"GODEBUG" {
			t.Errorf("%s: %q, want %q", d.Driver, d.Reason, lacks+"GODEBUG")
		}
	}
}

// TestSlowStdlib: where Go's own code does without the hardware, its driver is there and ranks below generic.
func TestSlowStdlib(t *testing.T) {
	if !cpu.Host().Has("avx2") {
		t.Skip("NOT RUN: without AVX2 Go's ChaCha20-Poly1305 is slow anyway")
	}
	rank := func(r report) (stdlib, generic registry.Info) {
		for _, d := range r.Drivers {
			switch d.Driver {
			case "chacha20poly1305-stdlib":
				stdlib = d
			case "chacha20poly1305-generic":
				generic = d
			}
		}
		return stdlib, generic
	}
	if stdlib, generic := rank(child(t, "report")); stdlib.Priority <= generic.Priority {
		t.Errorf("with AVX2 stdlib has priority %d, generic %d", stdlib.Priority, generic.Priority)
	}
	stdlib, generic := rank(child(t, "report", "GODEBUG=cpu.avx2=off"))
	if stdlib.Priority >= generic.Priority || stdlib.SelfTest == registry.Unavailable {
		t.Errorf("without AVX2 stdlib has priority %d and is %s; generic has %d", stdlib.Priority, stdlib.SelfTest,
			generic.Priority)
	}
}

// TestFIPSOnly: drivers that Go would refuse are unavailable, with that reason, and the rest serves. That the first use
// is where nothing is enforced changes nothing.
func TestFIPSOnly(t *testing.T) {
	if purego {
		t.Skip("NOT RUN: Go itself refuses to start with fips140=only and the purego tag")
	}
	fipsOnly(t, child(t, "report", "GODEBUG=fips140=only"))
	preferred := "KCRYPTO=prefer.gcm(aes)=gcm-aes-stdlib"
	fipsOnly(t, child(t, "without enforcement", "GODEBUG=fips140=only", preferred))
}

func fipsOnly(t *testing.T, r report) {
	t.Helper()
	if r.Keyed.Error != "" || r.Keyed.Driver == "gcm-aes-stdlib" {
		t.Errorf("NewAEAD with a key under fips140=only: %+v", r.Keyed)
	}
	for _, d := range r.Drivers {
		if d.Impl == "stdlib" && (!r.ByName[d.Driver].Unavailable || !strings.Contains(d.Reason, "fips140")) {
			t.Errorf("%s under fips140=only: %+v, reason %q", d.Driver, r.ByName[d.Driver], d.Reason)
		}
	}
	for name, o := range r.Alloc {
		if o.Error != "" {
			t.Errorf("%s under fips140=only: %s", name, o.Error)
		}
	}
}

// TestErrorsAreClasses: errors.Is distinguishes classes, and a message says more than its class.
func TestErrorsAreClasses(t *testing.T) {
	_, err := kcrypto.AllocAEAD("gcm-aes-nope")
	if !errors.Is(err, registry.ErrNotFound) || errors.Is(err, registry.ErrUnavailable) {
		t.Errorf("%v", err)
	}
	if len(err.Error()) < len(registry.ErrNotFound.Error())+20 {
		t.Errorf("%q says no more than its class", err)
	}
}

// TestMaskedAES: who switches the CPU's AES instructions off gets no driver that would use them by way of Go's own
// code.
func TestMaskedAES(t *testing.T) {
	for setting, masked := range map[string]bool{
		"cpu.aes=off": true, "cpu.all=off": true, "cpu.vaes=off": false, "": false,
	} {
		for _, d := range newRegistry(t, setting).List("gcm-aes-stdlib") {
			// The tag purego is the reason that comes first.
			if masked != (d.SelfTest == registry.Unavailable) && (masked || strings.Contains(d.Reason, "masked")) {
				t.Errorf("%q: %s is %s: %q", setting, d.Driver, d.SelfTest, d.Reason)
			}
		}
		for _, d := range newRegistry(t, setting).List("chacha20poly1305-stdlib") {
			if strings.Contains(d.Reason, "aes") {
				t.Errorf("%q: %s is %s: %q", setting, d.Driver, d.SelfTest, d.Reason)
			}
		}
	}
}
