package registry

import (
	"slices"
	"strings"
	"testing"

	"kcrypto/internal/ours"
)

func TestRegisterRefusesBadDescriptors(t *testing.T) {
	rows := map[string]struct {
		change func(*Driver)
		words  string
	}{
		"no algorithm":      {func(d *Driver) { d.Algorithm = "" }, "Algorithm"},
		"no name":           {func(d *Driver) { d.Name = "" }, "Name"},
		"name with a space": {func(d *Driver) { d.Name = "a b" }, "letters"},
		"name with =":       {func(d *Driver) { d.Name = "a=b" }, "letters"},
		"unbalanced (":      {func(d *Driver) { d.Algorithm = "gcm(aes" }, "in pairs"},
		"unbalanced )":      {func(d *Driver) { d.Algorithm = "gcm)aes(" }, "in pairs"},
		"name too long":     {func(d *Driver) { d.Name = strings.Repeat("x", 128) }, "127"},
		"negative priority": {func(d *Driver) { d.Priority = -1 }, "Priority is -1"},
		"no type":           {func(d *Driver) { d.Type = "" }, `"aead" or "skcipher"`},
		"unknown type":      {func(d *Driver) { d.Type = "hash" }, `"aead" or "skcipher"`},
		"no constructor":    {func(d *Driver) { d.NewAEAD = nil }, "set NewAEAD"},
		"other type":        {func(d *Driver) { d.Type = TypeSkcipher }, "set NewAEAD for an aead, and only for one"},
		"both constructors": {
			func(d *Driver) { d.NewSkcipher = func(Config) Skcipher { return nil } }, "set NewSkcipher",
		},
		"no block size":           {func(d *Driver) { d.BlockSize = 0 }, "BlockSize"},
		"no chunk size":           {func(d *Driver) { d.ChunkSize = 0 }, "ChunkSize"},
		"no nonce size":           {func(d *Driver) { d.IVSize = 0 }, "IVSize"},
		"negative nonce size":     {func(d *Driver) { d.IVSize = -1 }, "IVSize"},
		"no key sizes":            {func(d *Driver) { d.KeySizes = nil }, "KeySizes"},
		"key size 0":              {func(d *Driver) { d.KeySizes = []int{0, 16} }, "KeySizes"},
		"key sizes descending":    {func(d *Driver) { d.KeySizes = []int{32, 16} }, "ascending"},
		"no tag sizes":            {func(d *Driver) { d.AuthSizes = nil }, "AuthSizes"},
		"tag size twice":          {func(d *Driver) { d.AuthSizes = []int{16, 16} }, "AuthSizes"},
		"negative minimum":        {func(d *Driver) { d.MinSize = -1 }, "MinSize"},
		"tuning without a name":   {func(d *Driver) { d.Tunings = []Tuning{{"", []string{"1", "2"}}} }, "Tunings"},
		"tuning without a choice": {func(d *Driver) { d.Tunings = []Tuning{{"a", []string{"1"}}} }, "two or more"},
		"two values alike":        {func(d *Driver) { d.Tunings = []Tuning{{"a", []string{"1", "2", "1"}}} }, "different"},
		"an empty value":          {func(d *Driver) { d.Tunings = []Tuning{{"a", []string{"1", ""}}} }, "Tunings"},
		"two tunings alike": {func(d *Driver) {
			d.Tunings = []Tuning{{"a", []string{"1", "2"}}, {"a", []string{"3", "4"}}}
		}, "each once"},
		"negative multiple":       {func(d *Driver) { d.MultipleOf = -16 }, "MultipleOf"},
		"skcipher with tag sizes": {func(d *Driver) { *d = skcipher("a", "a-x", 1); d.AuthSizes = []int{16} }, "for AEADs"},
		"skcipher with any nonce": {func(d *Driver) { *d = skcipher("a", "a-x", 1); d.AnyNonce = true }, "for AEADs"},
		"skcipher, nothing to make": {
			func(d *Driver) { *d = skcipher("a", "a-x", 1); d.NewSkcipher = nil }, "set NewSkcipher"},
	}
	for row, c := range rows {
		t.Run(row, func(t *testing.T) {
			r := New()
			d := aead("gcm(aes)", "gcm-x", 1)
			c.change(&d)
			is(t, r.Register([]Driver{aead("ok", "ok-x", 1), d}), ErrDriver, c.words)
			if list := r.List(); len(list) != 0 {
				t.Errorf("%s was registered: a batch is all or nothing", names(list))
			}
		})
	}
}

func TestRegisterAccepts(t *testing.T) {
	for _, d := range []Driver{
		aead("a", "a-x", 0),
		skcipher("ecb(aes)", "ecb-x", 1, func(d *Driver) { d.IVSize = 0 }),
		aead("rfc7539(chacha20,poly1305)", "x.y+z_1", 1),
		aead("jitter", "jitter", 1), // a driver may have its own algorithm's name
		aead("gcm(aes)", strings.Repeat("x", 127), 1),
	} {
		r := reg(t, []Driver{d})
		gets(t, r, d.Name, d.Name)
		gets(t, r, d.Algorithm, d.Name)
	}
}

func TestRegisterKeepsNamesUnambiguous(t *testing.T) {
	old := []Driver{aead("gcm(aes)", "gcm-a", 1), aead("same", "same", 1), aead("wrap(taken-x)", "concrete-a", 1)}
	rows := map[string]struct {
		add   Driver
		class error
		words string
	}{
		"driver name twice":                        {aead("ccm(aes)", "gcm-a", 1), ErrExists, `of module "fake"`},
		"driver named as an algorithm":             {aead("ccm(aes)", "gcm(aes)", 1), ErrExists, "algorithm of that name"},
		"algorithm named as a driver":              {aead("gcm-a", "ccm-a", 1), ErrExists, "driver of that name"},
		"second driver of own-named one":           {aead("same", "other", 1), ErrExists, "driver of that name"},
		"driver named as a composition":            {aead("ccm(aes)", "wrap(gcm-a)", 1), ErrExists, "template"},
		"algorithm named as a composed driver":     {aead("wrap(gcm-a)", "x", 1), ErrExists, "composing driver"},
		"its own composition":                      {aead("wrap(x)", "x", 1), ErrExists, "composing its driver"},
		"nested":                                   {aead("wrap(wrap(gcm-a))", "x", 1), ErrExists, "composing driver"},
		"driver whose composition is an algorithm": {aead("new", "taken-x", 1), ErrExists, `as algorithm "wrap(taken-x)" is`},
		"algorithm of another type": {
			skcipher("gcm(aes)", "gcm-s", 1), ErrDriver, `of type "aead", not "skcipher"`,
		},
	}
	for row, c := range rows {
		t.Run(row, func(t *testing.T) {
			r := reg(t, old, Options{Templates: []Template{wrap("wrap")}})
			before := names(r.List())
			is(t, r.Register([]Driver{aead("fresh", "fresh-x", 1), c.add}), c.class, c.words)
			if after := names(r.List()); after != before {
				t.Errorf("the refused batch changed the list from %s to %s", before, after)
			}
			r = Options{Templates: []Template{wrap("wrap")}}.New()
			is(t, r.Register(append(old[:len(old):len(old)], c.add)), c.class)
		})
	}
	t.Run("concrete drivers of a composed algorithm", func(t *testing.T) {
		r := reg(t, append(old, aead("wrap(gcm(aes))", "wrap-gcm-a", 0)), Options{Templates: []Template{wrap("wrap")}})
		gets(t, r, "wrap(gcm(aes))", "wrap-gcm-a") // goes before any composition
		gets(t, r, "wrap(gcm-a)", "wrap(gcm-a)")
		if got := names(r.List("wrap(gcm(aes))")); got != "wrap-gcm-a wrap(gcm-a)" {
			t.Errorf("listed %s", got)
		}
	})
}

func TestRegisterWantsVectors(t *testing.T) {
	known := func(algorithm string) bool { return algorithm == "gcm(aes)" }
	own := func(d *Driver) { d.Vectors = []Vector{{Source: "a document"}} }
	r := reg(t, nil, Options{SelfTest: newTester().run, HasVectors: known, Templates: []Template{wrap("wrap")}})
	must(t, r.Register([]Driver{aead("gcm(aes)", "gcm-a", 1), aead("own", "own-a", 1, own)}))
	is(t, r.Register([]Driver{aead("foreign", "foreign-a", 1)}), ErrDriver, "no vectors", "foreign-a")
	refused(t, r, "wrap(gcm(aes))", ErrDriver, "no vectors", "wrap(gcm-a)")
	if got := names(r.List()); got != "gcm-a own-a wrap(own-a)" {
		t.Errorf("listed %s: what nothing can test must not be composed", got)
	}
	untested := reg(t, nil, Options{HasVectors: known})
	must(t, untested.Register([]Driver{aead("foreign", "foreign-a", 1)})) // nothing tests it anyway
}

func TestRegisterCopies(t *testing.T) {
	batch := []Driver{aead("gcm(aes)", "gcm-a", 1, needs("avx2"))}
	r := reg(t, batch)
	batch[0].KeySizes[0], batch[0].AuthSizes[0], batch[0].Needs[0] = 99, 99, "none"
	list := r.List("gcm-a")
	list[0].KeySizes[0], list[0].Lacks[0] = 77, "none"
	i := r.List("gcm-a")[0]
	if !slices.Equal(i.KeySizes, []int{16, 32}) || i.AuthSizes[0] != 8 || i.Needs[0] != "avx2" || i.Lacks[0] != "avx2" {
		t.Errorf("a caller's later write reached the registry: %+v", i)
	}

	d := aead("ccm(aes)", "ccm-a", 1)
	d.AADSizes, d.Tunings = []int{8, 12}, []Tuning{{Name: "ccm.form", Values: []string{"a", "b"}}}
	d.Vectors = []Vector{{Source: "a standard"}}
	must(t, r.Register([]Driver{d}))
	d.AADSizes[0], d.Tunings[0].Name, d.Tunings[0].Values[0], d.Vectors[0].Source = 1, "x", "y", "z"
	h, err := r.Acquire("ccm-a", Want{})
	must(t, err)
	defer h.Release()
	got := h.Driver()
	if got.AADSizes[0] != 8 || got.Tunings[0].Name != "ccm.form" || got.Tunings[0].Values[0] != "a" ||
		got.Vectors[0].Source != "a standard" {
		t.Errorf("a caller's later write reached the descriptor: %+v", got)
	}
}

func TestRegisterRunsNothing(t *testing.T) {
	j := newTester()
	asked := 0
	d := aead("gcm(aes)", "gcm-a", 1, func(d *Driver) {
		d.NewAEAD = func(Config) AEAD { panic("constructed") }
		d.Unavailable = func() string { asked++; return "no luck" }
	})
	r := reg(t, []Driver{d}, Options{SelfTest: j.run})
	if asked != 0 {
		t.Error("Register asked whether the driver is available")
	}
	stands(t, r, "gcm-a", Unavailable, "no luck")
	refused(t, r, "gcm-a", ErrUnavailable, "no luck")
	if asked != 1 || len(j.ran()) != 0 {
		t.Errorf("Unavailable was called %d times, want 1; tested: %v", asked, j.ran())
	}
}

func TestUnregister(t *testing.T) {
	j := newTester("gcm-b")
	r := reg(t, []Driver{aead("gcm(aes)", "gcm-a", 1), aead("gcm(aes)", "gcm-b", 2), aead("ccm(aes)", "ccm-a", 1)},
		Options{SelfTest: j.run, Templates: []Template{wrap("wrap")}, Aliases: map[string]string{"old": "gcm-a"}})
	for name, words := range map[string]string{
		"gcm-c":       "gcm-c",
		"gcm(aes)":    "is an algorithm: name one of its drivers: gcm-b, gcm-a",
		"old":         "is an alias: name the driver itself: gcm-a",
		"wrap(gcm-a)": "is a composition: name the driver it is built over: gcm-a",
	} {
		is(t, r.Unregister(name), ErrNotFound, words)
		is(t, r.SetPriority(name, 5), ErrNotFound, words)
	}

	inner, err := r.Acquire("gcm(aes)", Want{Type: TypeAEAD})
	must(t, err)
	outer, err := r.Acquire("wrap(gcm(aes))", Want{Type: TypeAEAD})
	must(t, err)
	refcount(t, r, "gcm-a", 3)
	refcount(t, r, "wrap(gcm-a)", 2)
	is(t, r.Unregister("gcm-a"), ErrBusy, "gcm-a has 2")
	inner.Release()
	inner.Release() // does nothing
	is(t, r.Unregister("gcm-a"), ErrBusy, "gcm-a has 1")
	gets(t, r, "gcm(aes)", "gcm-a")
	outer.Release()
	refcount(t, r, "gcm-a", 1)
	must(t, r.Unregister("gcm-a"))
	is(t, r.Unregister("gcm-a"), ErrNotFound)
	refused(t, r, "gcm-a", ErrNotFound)
	refused(t, r, "gcm(aes)", ErrSelfTest, "gcm-b")
	must(t, r.Unregister("gcm-b"))
	refused(t, r, "gcm(aes)", ErrNotFound)
	refused(t, r, "wrap(gcm(aes))", ErrNotFound)
	if got := names(r.List()); got != "ccm-a wrap(ccm-a)" {
		t.Errorf("listed %s", got)
	}

	// Registered again, it is another driver: verdicts, also those of compositions, are gone.
	if n := j.ran(); n["gcm-a"] != 1 || n["gcm-b"] != 1 || n["wrap(gcm-a)"] != 1 {
		t.Errorf("tested %v, want each once", n)
	}
	must(t, r.Register([]Driver{aead("gcm(aes)", "gcm-a", 1)}))
	stands(t, r, "gcm-a", Untested, "")
	gets(t, r, "wrap(gcm-a)", "wrap(gcm-a)")
	if n := j.ran(); n["gcm-a"] != 1 || n["wrap(gcm-a)"] != 1 {
		t.Errorf("tested %v after registering anew, want each once", n)
	}
}

func TestSetPriority(t *testing.T) {
	drivers := []Driver{aead("gcm(aes)", "gcm-a", 1), aead("gcm(aes)", "gcm-b", 2)}
	r := reg(t, drivers, Options{Templates: []Template{wrap("wrap")}})
	h, err := r.Acquire("wrap(gcm(aes))", Want{Type: TypeAEAD})
	must(t, err)
	must(t, r.SetPriority("gcm-a", 3))
	if h.Driver().Name != "wrap(gcm-b)" {
		t.Errorf("a transform that lived changed its driver to %s", h.Driver().Name)
	}
	gets(t, r, "gcm(aes)", "gcm-a")
	gets(t, r, "wrap(gcm(aes))", "wrap(gcm-a)")
	if got := r.List("wrap(gcm-a)")[0].Priority; got != 3 {
		t.Errorf("the composition's priority is %d, want its inner driver's, 3", got)
	}
	must(t, r.SetPriority("gcm-b", 9))
	if got := h.Info().Priority; got != 9 {
		t.Errorf("Handle.Info shows priority %d, want the present one, 9", got)
	}
	h.Release()
	must(t, r.SetPriority("gcm-b", 0))
	is(t, r.SetPriority("gcm-b", -1), ErrDriver, "0 or more")
	if got := r.List("gcm-b")[0].Priority; got != 0 {
		t.Errorf("priority %d after a refused change, want 0", got)
	}
}

func TestCloneHandle(t *testing.T) {
	r := reg(t, fourDrivers(), Options{Templates: []Template{wrap("wrap")}})
	h, err := r.Acquire("wrap(gcm(aes))", Want{Type: TypeAEAD})
	must(t, err)
	c := h.Clone()
	refcount(t, r, "wrap(gcm-top)", 3)
	refcount(t, r, "gcm-top", 3)
	h.Release()
	h.Release()
	is(t, r.Unregister("gcm-top"), ErrBusy)
	if c.Driver() != h.Driver() || c.Info().Refcount != 2 {
		t.Errorf("the clone stands for %+v", c.Info())
	}
	c.Release()
	must(t, r.Unregister("gcm-top"))
	if c.node.hold() || c.node.refs.Load() != 0 {
		t.Error("a composition can be held though what it is built over was unregistered")
	}
}

// TestOwn: drivers from the start, and this module's name for nobody else.
func TestOwn(t *testing.T) {
	d := aead("a", "a-own", 1)
	d.Module = ours.Module
	is(t, New().Register([]Driver{d}), ErrDriver, "kcrypto")
	r := Options{Drivers: []Driver{d}, Own: ours.Vouch()}.New()
	h, err := r.Acquire("a", Want{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Release()
	wrapped := *h.Driver()
	wrapped.Name = "a-wrapped"
	is(t, r.Register([]Driver{wrapped}), ErrDriver, "kcrypto")
	wrapped.Module = "elsewhere"
	if err := r.Register([]Driver{wrapped}); err != nil {
		t.Error(err)
	}
}
