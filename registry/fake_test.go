package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"kcrypto/internal/cpu"
)

// nothing is the features of a machine that can do nothing: a driver that needs anything is unavailable.
var nothing = cpu.Features{}

type fakeAEAD struct{}

func (fakeAEAD) SetKey([]byte) error                             { return nil }
func (fakeAEAD) Seal(dst, nonce, plaintext, aad []byte)          {}
func (fakeAEAD) Open(dst, nonce, ciphertext, tag, a []byte) bool { return true }
func (fakeAEAD) Wipe()                                           {}

type fakeSkcipher struct{}

func (fakeSkcipher) SetKey([]byte) error         { return nil }
func (fakeSkcipher) Encrypt(dst, src, iv []byte) {}
func (fakeSkcipher) Decrypt(dst, src, iv []byte) {}
func (fakeSkcipher) Wipe()                       {}

// aead describes a driver whose Impl is what follows the last "-" of its name.
func aead(algorithm, name string, priority int, more ...func(*Driver)) Driver {
	d := Driver{
		Algorithm: algorithm, Name: name, Impl: name[strings.LastIndexByte(name, '-')+1:], Module: "fake", Priority: priority,
		Type: TypeAEAD, BlockSize: 1, IVSize: 12, ChunkSize: 16, KeySizes: []int{16, 32}, AuthSizes: []int{8, 16},
		NewAEAD: func(Config) AEAD { return fakeAEAD{} },
	}
	for _, f := range more {
		f(&d)
	}
	return d
}

func skcipher(algorithm, name string, priority int, more ...func(*Driver)) Driver {
	d := aead(algorithm, name, priority)
	d.Type, d.BlockSize, d.IVSize, d.AuthSizes, d.NewAEAD = TypeSkcipher, 16, 16, nil, nil
	d.NewSkcipher = func(Config) Skcipher { return fakeSkcipher{} }
	for _, f := range more {
		f(&d)
	}
	return d
}

func needs(features ...string) func(*Driver) { return func(d *Driver) { d.Needs = features } }

// wrap is a template over AEADs with a nonce of 12 bytes.
func wrap(name string) Template {
	return Template{
		Name: name,
		Type: TypeAEAD,
		Algorithm: func(args []string) (string, error) {
			if len(args) != 1 {
				return "", errors.New(name + " takes one argument")
			}
			return args[0], nil
		},
		Accepts: func(inner *Driver) error {
			if inner.Type != TypeAEAD || inner.IVSize != 12 {
				return ErrType
			}
			return nil
		},
		Build: func(inner *Driver) Driver {
			d := *inner
			d.Algorithm = name + "(" + inner.Algorithm + ")"
			d.Name = name + "(" + inner.Name + ")"
			d.IVSize = 8
			return d
		},
	}
}

// A tester is a self-test that fails the drivers it is told to, and counts.
type tester struct {
	sync.Mutex
	bad  map[string]error
	runs map[string]int
}

func newTester(bad ...string) *tester {
	j := &tester{bad: map[string]error{}, runs: map[string]int{}}
	for _, name := range bad {
		j.bad[name] = errors.New("wrong result on test vector 3")
	}
	return j
}

func (j *tester) run(_ context.Context, d *Driver) error {
	j.Lock()
	defer j.Unlock()
	j.runs[d.Name]++
	return j.bad[d.Name]
}

// ran returns how often each driver was tested, and forgets it.
func (j *tester) ran() map[string]int {
	j.Lock()
	defer j.Unlock()
	ran := maps.Clone(j.runs)
	clear(j.runs)
	return ran
}

// logBuffer is a logger's memory.
type logBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

// listen makes a logBuffer of what r logs.
func listen(r *Registry) *logBuffer {
	out := new(logBuffer)
	r.SetLogger(zerolog.New(out))
	return out
}

// logged returns the lines of a level, each as "message key=value key=value", and forgets them all.
func (b *logBuffer) logged(t *testing.T, level string) []string {
	t.Helper()
	b.Lock()
	defer b.Unlock()
	var lines []string
	for line := range strings.Lines(b.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		if fields["level"] != level {
			continue
		}
		text, _ := fields["message"].(string)
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			if value, ok := fields[key].(string); ok && key != "level" && key != "message" {
				text += " " + key + "=" + value
			}
		}
		lines = append(lines, text)
	}
	b.Reset()
	return lines
}

// reg makes a registry with drivers in it, one call of Register each, and the options given, if any.
func reg(t testing.TB, drivers []Driver, opts ...Options) *Registry {
	t.Helper()
	o := Options{}
	if len(opts) > 0 {
		o = opts[0]
	}
	o.Lacks = nothing.Missing
	r := o.New()
	for _, d := range drivers {
		must(t, r.Register([]Driver{d}))
	}
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// gets checks which driver name leads to, and leaves nothing held.
func gets(t testing.TB, r *Registry, name, want string) {
	t.Helper()
	h, err := r.Acquire(name, Want{})
	if err != nil {
		t.Errorf("%s: %v, want %s", name, err, want)
		return
	}
	defer h.Release()
	if got := h.Driver().Name; got != want {
		t.Errorf("%s: got %s, want %s", name, got, want)
	}
}

// refused checks that name leads to an error of a class, and to no other class, with words in it.
func refused(t testing.TB, r *Registry, name string, class error, words ...string) {
	t.Helper()
	h, err := r.Acquire(name, Want{})
	if err == nil {
		h.Release()
		t.Errorf("%s: got %s, want error %q", name, h.Driver().Name, class)
		return
	}
	is(t, err, class, words...)
}

var classes = []error{ErrNotFound, ErrExists, ErrSelfTest, ErrUnavailable, ErrType, ErrBusy, ErrDriver}

func is(t testing.TB, err, class error, words ...string) {
	t.Helper()
	for _, c := range classes {
		if errors.Is(err, c) != (c == class) {
			t.Errorf("error %q: errors.Is(%q) = %v, want the class to be %q", err, c, errors.Is(err, c), class)
		}
	}
	if err == nil {
		return
	}
	for _, w := range append(words, "registry: ") {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

// stands checks what List says of a driver.
func stands(t testing.TB, r *Registry, driver string, want SelfTest, reason string) {
	t.Helper()
	list := r.List(driver)
	if len(list) != 1 {
		t.Fatalf("List(%s) has %d entries, want 1", driver, len(list))
	}
	if list[0].SelfTest != want || list[0].Reason != reason {
		t.Errorf("%s: %s (%s), want %s (%s)", driver, list[0].SelfTest, list[0].Reason, want, reason)
	}
}

func refcount(t testing.TB, r *Registry, driver string, want int) {
	t.Helper()
	if got := r.List(driver)[0].Refcount; got != want {
		t.Errorf("%s: refcount %d, want %d", driver, got, want)
	}
}

// names returns the drivers' names in a list.
func names(list []Info) string {
	var s []string
	for _, i := range list {
		s = append(s, i.Driver)
	}
	return strings.Join(s, " ")
}
