package registry

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"kcrypto/internal/cpu"
)

// TestZeroConfig: a Registry that nobody made with New gives its drivers what New's does.
func TestZeroConfig(t *testing.T) {
	if got, want := new(Registry).Config(), New().Config(); !reflect.DeepEqual(got, want) || got.Chunk != DefaultChunk {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestLookup(t *testing.T) {
	r := reg(t, []Driver{
		aead("gcm(aes)", "gcm-low", 1),
		aead("gcm(aes)", "gcm-tie", 5),
		aead("gcm(aes)", "gcm-best", 5),
		aead("gcm(aes)", "gcm-fast", 9, needs("avx2", "vaes")),
		skcipher("ctr(aes)", "ctr-only", 1),
		aead("big", "big-fast", 1, needs("avx2")),
		aead("big", "big-faster", 2, needs("avx512f")),
	}, Options{Templates: []Template{wrap("wrap"), wrap("wrap2")}, Aliases: map[string]string{
		"old-gcm": "gcm(aes)", "old-low": "gcm-low", "old-wrap": "wrap(gcm-low)", "dead": "des", "gcm-tie": "gcm-low",
	}})
	out := listen(r)

	gets(t, r, "gcm(aes)", "gcm-best") // of equals the last registered
	gets(t, r, "gcm-low", "gcm-low")   // by name, whatever the priority
	gets(t, r, "ctr(aes)", "ctr-only")
	out.logged(t, "debug")
	gets(t, r, "old-gcm", "gcm-best")
	want := []string{"registry: alias used alias=old-gcm name=gcm(aes)",
		"registry: driver chosen algorithm=gcm(aes) driver=gcm-best name=old-gcm"}
	if got := out.logged(t, "debug"); !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
	gets(t, r, "old-low", "gcm-low")
	gets(t, r, "gcm-tie", "gcm-tie") // a registered name goes before an alias
	gets(t, r, "old-wrap", "wrap(gcm-low)")
	gets(t, r, "wrap(old-gcm)", "wrap(gcm-best)")

	refused(t, r, "gcm-fast", ErrUnavailable, "gcm-fast: lacks avx2, vaes", `asking for "gcm(aes)"`)
	refused(t, r, "wrap(gcm-fast)", ErrUnavailable, "lacks avx2, vaes")
	refused(t, r, "big", ErrUnavailable, "big-fast (unavailable: lacks avx2)", "big-faster (unavailable: lacks avx512f)")
	refused(t, r, "wrap(big)", ErrUnavailable, "wrap(big-fast) (unavailable: lacks avx2)")
	refused(t, r, "dead", ErrNotFound, `nothing is called "des"`, "dead is an alias of des")
	refused(t, r, "", ErrNotFound, `nothing is called "" here; algorithms: gcm(aes), ctr(aes), big`)
	refused(t, r, "gcm(des)", ErrNotFound, "algorithms: gcm(aes), ctr(aes), big; templates: wrap, wrap2")
	refused(t, New(), "gcm(aes)", ErrNotFound, "algorithms: none; templates: none")
}

func TestLookupCompositions(t *testing.T) {
	r := reg(t, []Driver{
		aead("gcm(aes)", "gcm-a", 1), skcipher("ctr(aes)", "ctr-a", 1), aead("rfc7539(chacha20,poly1305)", "chacha-a", 1),
	},
		Options{Templates: []Template{wrap("wrap"), Template{
			Name: "esp", Type: TypeAEAD,
			Algorithm: func(args []string) (string, error) {
				if len(args) == 2 {
					return "rfc7539(" + strings.Join(args, ",") + ")", nil
				}
				return args[0], nil
			},
			Build: func(inner *Driver) Driver {
				d := *inner
				d.Algorithm, d.Name = "esp"+strings.TrimPrefix(inner.Algorithm, "rfc7539"), "esp("+inner.Name+")"
				return d
			},
		}, Template{
			Name: "skewed", Type: TypeSkcipher,
			Algorithm: func(args []string) (string, error) { return args[0], nil },
			Build: func(inner *Driver) Driver {
				d := *inner
				d.Algorithm, d.Name = "skewed("+inner.Algorithm+")", "skewed("+inner.Name+")"
				return d
			},
		}}})
	gets(t, r, "esp(chacha20,poly1305)", "esp(chacha-a)")
	gets(t, r, "esp(chacha-a)", "esp(chacha-a)")
	gets(t, r, "esp(wrap(gcm(aes)))", "esp(wrap(gcm-a))")
	gets(t, r, "esp(wrap(gcm-a))", "esp(wrap(gcm-a))")

	for name, words := range map[string]string{
		"gcm(des)":           "there is no template gcm",
		"wrap(gcm(des))":     `nothing is called "gcm(des)"`,
		"wrap(des)":          `nothing is called "des" here; algorithms:`,
		"wrap(gcm(aes)":      "a closing parenthesis is missing",
		"wrap(gcm(aes)))":    "nothing may follow the closing parenthesis of wrap",
		"wrap(gcm(aes))x":    "nothing may follow",
		"wrap(gcm(aes))(x)":  "nothing may follow",
		"wrap(gcm(aes)),x":   "nothing may follow",
		"wrap()":             "an argument of wrap is empty",
		"wrap(gcm(aes),)":    "an argument of wrap is empty",
		"wrap(,gcm(aes))":    "an argument of wrap is empty",
		"wrap(gcm(aes),x)":   "wrap takes one argument",
		"wrap(gcm())":        "an argument of gcm is empty",
		"esp(chacha20,,x)":   "an argument of esp is empty",
		"esp(chacha12,poly)": `nothing is called "rfc7539(chacha12,poly)"`,
		"(gcm(aes))":         "no name of a template",
		"wr ap(gcm(aes))":    "no name of a template",
		"wrap)(gcm(aes))":    "no name of a template",
		")":                  `nothing is called ")" here; algorithms:`,
		"wrap(":              "a closing parenthesis is missing",
		"Wrap(gcm(aes))":     "there is no template Wrap",
		"wrap( gcm(aes))":    "no name of a template",
		strings.Repeat("wrap(", 30) + "gcm(aes)" + strings.Repeat(")", 30): "longer than any name",
		strings.Repeat("(", 1<<20): "longer than any name",
	} {
		refused(t, r, name, ErrNotFound, words)
	}
	refused(t, r, "wrap(ctr(aes))", ErrType, "wrap cannot be built over ctr-a")
	refused(t, r, "wrap(wrap(gcm(aes)))", ErrType, "wrap cannot be built over wrap(gcm-a)")
	refused(t, r, "skewed(gcm(aes))", ErrDriver, `of type "aead", want "skcipher"`)
	want := "gcm-a ctr-a chacha-a wrap(gcm-a) wrap(chacha-a) esp(gcm-a) esp(chacha-a) skewed(ctr-a)"
	if got := names(r.List()); got != want {
		t.Errorf("listed %s, want %s", got, want)
	}
}

func TestLookupRemembersOnlyItsOwnNames(t *testing.T) {
	loose := wrap("wrap")
	loose.Algorithm = func(args []string) (string, error) { return args[0], nil } // takes any more arguments
	r := reg(t, []Driver{aead("gcm(aes)", "gcm-a", 1)}, Options{Templates: []Template{loose}})
	for i := range 100 {
		gets(t, r, fmt.Sprintf("wrap(gcm(aes),%d)", i), "wrap(gcm-a)")
	}
	gets(t, r, "wrap(gcm(aes))", "wrap(gcm-a)")
	gets(t, r, "wrap(gcm-a)", "wrap(gcm-a)")
	n := 0
	r.current.Load().composed.Range(func(any, any) bool { n++; return true })
	if n != 2 {
		t.Errorf("%d names are remembered, want 2: whoever can choose names could fill the memory", n)
	}
}

func TestWantedType(t *testing.T) {
	drivers := []Driver{aead("gcm(aes)", "gcm-a", 1), skcipher("ctr(aes)", "ctr-a", 1)}
	r := reg(t, drivers, Options{Templates: []Template{wrap("wrap")}})
	for _, c := range []struct {
		name string
		want Type
		ok   bool
	}{
		{"gcm(aes)", TypeAEAD, true}, {"gcm-a", TypeAEAD, true}, {"wrap(gcm(aes))", TypeAEAD, true},
		{"ctr(aes)", TypeSkcipher, true}, {"ctr-a", TypeSkcipher, true}, {"ctr-a", "", true},
		{"gcm(aes)", TypeSkcipher, false}, {"gcm-a", TypeSkcipher, false}, {"wrap(gcm(aes))", TypeSkcipher, false},
		{"ctr(aes)", TypeAEAD, false}, {"ctr-a", TypeAEAD, false},
	} {
		h, err := r.Acquire(c.name, Want{Type: c.want})
		if c.ok {
			must(t, err)
			h.Release()
		} else {
			is(t, err, ErrType, c.name, string(c.want))
		}
	}
}

func TestWantedImplementation(t *testing.T) {
	r := reg(t, []Driver{
		aead("gcm(aes)", "gcm-generic", 1), aead("gcm(aes)", "gcm-fast", 2), aead("gcm(aes)", "gcm-avx", 9, needs("avx")),
		aead("gcm(aes)", "other-fast", 3), aead("gcm(aes)", "gcm-bad", 0),
	}, Options{
		SelfTest: newTester("gcm-bad").run, Templates: []Template{wrap("wrap")},
		Prefer: map[string]string{"gcm(aes)": "gcm-avx"}, Strict: true,
	})
	for _, c := range []struct {
		name, impl, want string
		class            error
		words            string
	}{
		{"gcm(aes)", "generic", "gcm-generic", nil, ""}, // whatever the user prefers
		{"gcm(aes)", "fast", "other-fast", nil, ""},
		{"gcm-generic", "generic", "gcm-generic", nil, ""},
		{"wrap(gcm(aes))", "generic", "wrap(gcm-generic)", nil, ""},
		{"gcm(aes)", "avx", "", ErrUnavailable, "gcm-avx (unavailable: lacks avx)"},
		{"gcm(aes)", "bad", "", ErrSelfTest, "gcm-bad: wrong result on test vector 3"},
		{"gcm(aes)", "sse", "", ErrNotFound, `no implementation "sse", it has avx, bad, fast, generic`},
		{"gcm-generic", "fast", "", ErrNotFound, `no implementation "fast", it has generic`},
		{"wrap(gcm-generic)", "fast", "", ErrNotFound, `it has generic`},
	} {
		h, err := r.Acquire(c.name, Want{Type: TypeAEAD, Impl: c.impl})
		if c.class != nil {
			is(t, err, c.class, c.words)
			continue
		}
		must(t, err)
		if h.Driver().Name != c.want {
			t.Errorf("%s, %s: got %s, want %s", c.name, c.impl, h.Driver().Name, c.want)
		}
		h.Release()
	}
}

// Whatever the order of registration, the winner is the one that a plain reading of the rules names.
func TestRandomOrders(t *testing.T) {
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		drivers := make([]Driver, 1+rnd.IntN(7))
		j := newTester()
		for i := range drivers {
			drivers[i] = aead("gcm(aes)", fmt.Sprint("gcm-", i), rnd.IntN(4))
			switch rnd.IntN(4) {
			case 0:
				drivers[i].Needs = []string{"avx"}
			case 1:
				j.bad[drivers[i].Name] = fmt.Errorf("wrong")
			}
		}
		rnd.Shuffle(len(drivers), func(i, k int) { drivers[i], drivers[k] = drivers[k], drivers[i] })
		r := reg(t, nil, Options{SelfTest: j.run, Templates: []Template{wrap("wrap")}})
		for rest := drivers; len(rest) > 0; { // in batches of any size
			n := 1 + rnd.IntN(len(rest))
			must(t, r.Register(rest[:n]))
			rest = rest[n:]
		}
		if rnd.IntN(2) == 0 {
			i := rnd.IntN(len(drivers))
			drivers[i].Priority = rnd.IntN(4)
			must(t, r.SetPriority(drivers[i].Name, drivers[i].Priority))
		}
		var best *Driver
		class := ErrUnavailable
		for i := range drivers {
			d := &drivers[i]
			if d.Needs == nil && j.bad[d.Name] != nil {
				class = ErrSelfTest
			}
			if d.Needs == nil && j.bad[d.Name] == nil && (best == nil || d.Priority >= best.Priority) {
				best = d
			}
		}
		if best == nil {
			refused(t, r, "gcm(aes)", class)
			refused(t, r, "wrap(gcm(aes))", class)
		} else {
			gets(t, r, "gcm(aes)", best.Name)
			gets(t, r, "wrap(gcm(aes))", "wrap("+best.Name+")")
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestPrefer(t *testing.T) {
	drivers := []Driver{aead("gcm(aes)", "gcm-a", 1), aead("gcm(aes)", "gcm-b", 2), aead("gcm(aes)", "gcm-c", 3)}
	for _, c := range []struct {
		row       string
		algorithm string
		driver    string
		change    func(*Driver) // of gcm-a
		bad       string
		warns     string // "": it can be had
		class     error  // under strict
	}{
		{row: "usable", algorithm: "gcm(aes)", driver: "gcm-a"},
		{row: "by aliases", algorithm: "old-gcm", driver: "old-a"},
		{row: "missing", algorithm: "gcm(aes)", driver: "gcm-x",
			warns: "reason=is not one of its drivers: gcm-c, gcm-b, gcm-a", class: ErrNotFound},
		{row: "unavailable", algorithm: "gcm(aes)", driver: "gcm-a", change: needs("avx"),
			warns: "reason=lacks avx", class: ErrUnavailable},
		{row: "failed", algorithm: "gcm(aes)", driver: "gcm-a", bad: "gcm-a",
			warns: "alg: self-tests for gcm(aes) using gcm-a failed", class: ErrSelfTest},
	} {
		t.Run(c.row, func(t *testing.T) {
			list := slices.Clone(drivers)
			if c.change != nil {
				c.change(&list[0])
			}
			o := Options{
				Prefer:    map[string]string{c.algorithm: c.driver},
				Templates: []Template{wrap("wrap")}, SelfTest: newTester(c.bad).run,
				Aliases: map[string]string{"old-gcm": "gcm(aes)", "old-a": "gcm-a"},
			}
			r := reg(t, list, o)
			out := listen(r)
			o.Strict = true
			strict := reg(t, list, o)
			strict.SetLogger(zerolog.New(out))
			if c.warns == "" {
				for _, r := range []*Registry{r, strict} {
					gets(t, r, "gcm(aes)", "gcm-a")
					gets(t, r, "wrap(gcm(aes))", "wrap(gcm-a)")
				}
				gets(t, r, "gcm-b", "gcm-b")
				if lines := out.logged(t, "warn"); lines != nil {
					t.Errorf("warned %q", lines)
				}
				return
			}
			for range 3 {
				gets(t, r, "gcm(aes)", "gcm-c")
			}
			if lines := out.logged(t, "warn"); len(lines) != 1 || !strings.Contains(lines[0], c.warns) {
				t.Errorf("warned %q, want one line with %q", lines, c.warns)
			}
			gets(t, r, "wrap(gcm(aes))", "wrap(gcm-c)")
			refused(t, strict, "gcm(aes)", c.class)
			refused(t, strict, "wrap(gcm(aes))", c.class)
			gets(t, strict, "gcm-b", "gcm-b")
		})
	}
	t.Run("of a composition", func(t *testing.T) {
		r := reg(t, drivers, Options{
			Prefer:    map[string]string{"wrap(gcm(aes))": "wrap(gcm-b)", "gcm(aes)": "gcm-a"},
			Templates: []Template{wrap("wrap")}, Strict: true,
		})
		gets(t, r, "gcm(aes)", "gcm-a")
		gets(t, r, "wrap(gcm(aes))", "wrap(gcm-b)")
		gets(t, r, "wrap(gcm-c)", "wrap(gcm-c)")
	})
	t.Run("warning waits for a logger", func(t *testing.T) {
		r := reg(t, drivers, Options{Prefer: map[string]string{"gcm(aes)": "gcm-x"}})
		gets(t, r, "gcm(aes)", "gcm-c")
		out := listen(r)
		gets(t, r, "gcm(aes)", "gcm-c")
		if lines := out.logged(t, "warn"); len(lines) != 1 {
			t.Errorf("warned %q, want one line", lines)
		}
	})
}

func TestDisabled(t *testing.T) {
	j := newTester()
	drivers := []Driver{
		aead("gcm(aes)", "gcm-aes-x", 1), aead("gcm(aes)", "gcm-aes-y", 2), skcipher("ctr(aes)", "ctr-aes-y", 1),
	}
	r := reg(t, drivers, Options{
		Disabled:  []string{"*-y", "[malformed", "wrap2(*)"},
		Templates: []Template{wrap("wrap"), wrap("wrap2")}, SelfTest: j.run,
	})
	gets(t, r, "gcm(aes)", "gcm-aes-x")
	gets(t, r, "wrap(gcm(aes))", "wrap(gcm-aes-x)")
	for _, name := range []string{"gcm-aes-y", "ctr(aes)", "ctr-aes-y", "wrap(gcm-aes-y)", "wrap2(gcm(aes))"} {
		refused(t, r, name, ErrUnavailable, "disabled by configuration")
	}
	stands(t, r, "gcm-aes-y", Unavailable, "disabled by configuration")
	stands(t, r, "wrap(gcm-aes-y)", Unavailable, "disabled by configuration")
	stands(t, r, "wrap2(gcm-aes-x)", Unavailable, "disabled by configuration")
	must(t, r.Test(t.Context()))
	if n := j.ran(); len(n) != 2 {
		t.Errorf("tested %v, want only what is not disabled", n)
	}
}

func TestFeatures(t *testing.T) {
	d := aead("gcm(aes)", "gcm-fast", 1, needs("sse2", "no_such_feature"))
	r := Options{Features: append(cpu.Names(), "no_such_feature")}.New()
	must(t, r.Register([]Driver{d}))
	if err := New().Register([]Driver{d}); !errors.Is(err, ErrDriver) {
		t.Errorf("a feature that nobody knows: %v", err)
	}
	lacks := r.List()[0].Lacks
	if !slices.Contains(lacks, "no_such_feature") || slices.Contains(lacks, "sse2") == cpu.Host().Has("sse2") {
		t.Errorf("lacks %v", lacks)
	}
	if r.Config().Chunk != DefaultChunk || (Options{Config: Config{Chunk: 4096}}).New().Config().Chunk != 4096 {
		t.Error("Config does not return what Options set")
	}
}

func TestSilentByDefault(t *testing.T) {
	// The one way to the outside that is not the caller's: zerolog's default output.
	var out bytes.Buffer
	o := Options{SelfTest: newTester("gcm-a").run, Prefer: map[string]string{"gcm(aes)": "x"}}
	r := reg(t, []Driver{aead("gcm(aes)", "gcm-a", 1)}, o)
	if l := r.log.Load(); l.GetLevel() != zerolog.Disabled {
		t.Errorf("the default logger's level is %s", l.GetLevel())
	}
	refused(t, r, "gcm(aes)", ErrSelfTest)
	r.SetLogger(zerolog.New(&out).Level(zerolog.InfoLevel))
	must(t, r.Register([]Driver{aead("gcm(aes)", "gcm-b", 0)}))
	gets(t, r, "gcm-b", "gcm-b")
	if out.Len() != 0 {
		t.Errorf("without a failure, at info level, this was logged: %s", out.String())
	}
}

func TestTemplateTableIsChecked(t *testing.T) {
	noBuild, noAlgorithm := wrap("b"), wrap("a")
	noBuild.Build, noAlgorithm.Algorithm = nil, nil
	for _, table := range [][]Template{{wrap("")}, {wrap("a b")}, {noBuild}, {noAlgorithm}, {wrap("a"), wrap("a")}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("table %v was taken", table)
				}
			}()
			Options{Templates: table}.New()
		}()
	}
}
