package registry

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rs/zerolog"
)

// A self-test that looks up its own algorithm gets another driver, and one that looks up itself an error.
func TestSelfTestUsesItsOwnAlgorithm(t *testing.T) {
	for _, wanted := range []string{"gcm(aes)", "wrap(gcm(aes))"} {
		synctest.Test(t, func(t *testing.T) {
			got := map[string]string{}
			var r *Registry
			r = reg(t, ladder(), WithTemplates(wrap("wrap")), WithSelfTest(func(_ context.Context, d *Driver) error {
				if d.Name == "gcm-low" || d.inWrap() {
					return nil
				}
				refused(t, r, d.Name, ErrSelfTest, "still under test")
				refused(t, r, "wrap("+d.Name+")", ErrSelfTest, "still under test")
				h, err := r.Acquire(wanted, TypeAEAD, "")
				must(t, err)
				defer h.Release()
				got[d.Name] = h.Driver().Name
				state(t, r, d.Name, Pending, "")
				return nil
			}))
			gets(t, r, "gcm(aes)", "gcm-top")
			for driver, want := range map[string]string{"gcm-top": "gcm-mid", "gcm-mid": "gcm-low"} {
				if !strings.Contains(got[driver], want) {
					t.Errorf("the self-test of %s looked up %s and got %q, want %s", driver, wanted, got[driver], want)
				}
			}
			gets(t, r, "wrap(gcm(aes))", "wrap(gcm-top)")
		})
	}
	t.Run("nothing else there", func(t *testing.T) {
		var r *Registry
		r = reg(t, []Driver{aead("gcm(aes)", "gcm-a", 1)}, WithSelfTest(func(context.Context, *Driver) error {
			refused(t, r, "gcm(aes)", ErrSelfTest, "gcm-a (pending)")
			e, err := r.Explain("gcm(aes)")
			must(t, err)
			if e.Winner != "" || !strings.Contains(e.Why, "gcm-a (pending)") {
				t.Errorf("explained as %+v", e)
			}
			is(t, r.Test(t.Context()), ErrSelfTest, "still under test")
			is(t, r.Unregister("gcm-a"), ErrBusy)
			return nil
		}))
		gets(t, r, "gcm(aes)", "gcm-a")
	})
	t.Run("preferred", func(t *testing.T) {
		var out logbook
		var r *Registry
		r = reg(t, ladder(), WithPrefer(map[string]string{"gcm(aes)": "gcm-low"}), WithStrict(true), WithLogger(zerolog.New(&out)),
			WithSelfTest(func(_ context.Context, d *Driver) error {
				if d.Name == "gcm-low" {
					gets(t, r, "gcm(aes)", "gcm-top")
				}
				return nil
			}))
		gets(t, r, "gcm(aes)", "gcm-low")
		if lines := out.logged(t, "warn"); lines != nil {
			t.Errorf("warned %q", lines)
		}
	})
}

func (d *Driver) inWrap() bool { return strings.HasPrefix(d.Name, "wrap(") }

// Self-tests on several goroutines that look each other up do not deadlock, whoever comes last: who can do without
// does, and who can not gets what he needs.
func TestSelfTestsInACircle(t *testing.T) {
	for _, c := range []map[string][2]string{ // driver -> what its self-test looks up, and what it gets ("|": either)
		{"gcm-top": {"ccm-x", "ccm-x"}, "ccm-x": {"gcm(aes)", "gcm-mid"}},
		{"gcm-top": {"wrap(ccm-x)", "wrap(ccm-x)"}, "ccm-x": {"wrap(gcm(aes))", "wrap(gcm-mid)"}},
		{"gcm-top": {"ccm-x", "ccm-x"}, "ccm-x": {"big-x", "big-x"}, "big-x": {"gcm(aes)", "gcm-mid"}},
		{"gcm-top": {"big", "big-x"}, "big-x": {"gcm(aes)", "gcm-mid"}}, // big has one driver
		{"gcm-top": {"ccm(aes)", "ccm-x|ccm-w"}, "ccm-x": {"gcm(aes)", "gcm-top|gcm-mid"}},
	} {
		drivers := slices.Sorted(maps.Keys(c))
		for _, order := range permutations(drivers) {
			synctest.Test(t, func(t *testing.T) {
				gates := map[string]chan struct{}{}
				for _, d := range drivers {
					gates[d] = make(chan struct{})
				}
				var r *Registry
				list := append(ladder(), aead("ccm(aes)", "ccm-w", 1), aead("ccm(aes)", "ccm-x", 2), aead("big", "big-x", 1))
				r = reg(t, list, WithTemplates(wrap("wrap")), WithSelfTest(func(_ context.Context, d *Driver) error {
					if gates[d.Name] == nil {
						return nil
					}
					<-gates[d.Name]
					h, err := r.Acquire(c[d.Name][0], TypeAEAD, "")
					if err != nil {
						return err
					}
					defer h.Release()
					if !slices.Contains(strings.Split(c[d.Name][1], "|"), h.Driver().Name) {
						t.Errorf("%v: the self-test of %s got %s", order, d.Name, h.Driver().Name)
					}
					return nil
				}))
				for _, d := range drivers {
					go gets(t, r, d, d)
				}
				synctest.Wait() // all are under test
				for i, d := range order {
					if n := len(r.tests.waits); n != i {
						t.Errorf("%v: %d lookups wait, want %d", order, n, i)
					}
					close(gates[d])
					synctest.Wait()
				}
				for _, d := range drivers {
					state(t, r, d, Passed, "")
				}
				if len(r.tests.waits) != 0 {
					t.Errorf("%v: %d waits are left over", order, len(r.tests.waits))
				}
			})
		}
	}
}

func permutations(s []string) [][]string {
	if len(s) == 0 {
		return [][]string{nil}
	}
	var all [][]string
	for i := range s {
		for _, rest := range permutations(slices.Delete(slices.Clone(s), i, i+1)) {
			all = append(all, append(rest, s[i]))
		}
	}
	return all
}

// Between being told to go on and waking up, a lookup waits for nobody.
func TestThoseAboutToWakeAreNoPartOfACircle(t *testing.T) {
	ts := tests{waits: map[uint64]*wait{}}
	a, b := &node{run: &run{by: 1, over: make(chan struct{})}}, &node{run: &run{by: 2, over: make(chan struct{})}}
	waits := func(n *node, me uint64, want bool) {
		t.Helper()
		if v, w := ts.enter(n, nil, me, false); (w != nil) != want || (v == nil) != want {
			t.Errorf("%d may wait: %v, want %v", me, w != nil, want)
		}
	}
	ts.waits[2] = &wait{on: a.run}
	waits(b, 1, false)
	ts.leave(a, gone) // the test that 2 waits for is over
	waits(b, 1, true)

	a.run = &run{by: 1, over: make(chan struct{})}
	skip := make(chan struct{})
	ts.waits[2] = &wait{on: a.run, optional: true, skip: skip}
	waits(b, 1, true) // since 2 can do without 1
	<-skip
	waits(b, 3, true) // and here is no circle to go round for ever
}

func TestSelfTestsThatNeedEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		both := make(chan struct{})
		var r *Registry
		r = reg(t, []Driver{aead("a", "a-x", 1), aead("b", "b-x", 1), aead("c", "c-x", 1)}, WithSelfTest(func(_ context.Context, d *Driver) error {
			<-both
			h, err := r.Acquire(map[string]string{"a-x": "b-x", "b-x": "c-x", "c-x": "a-x"}[d.Name], "", "")
			if err == nil {
				h.Release()
			}
			return err
		}))
		for _, name := range []string{"a", "b", "c"} {
			go refused(t, r, name, ErrSelfTest)
		}
		synctest.Wait()
		close(both)
		synctest.Wait()
		for _, i := range r.List() {
			if i.SelfTest != Failed || !strings.Contains(i.Reason, "still under test") {
				t.Errorf("%s: %s (%s)", i.Driver, i.SelfTest, i.Reason)
			}
		}
	})
}

func TestGoroutineID(t *testing.T) {
	mine := goroutineID()
	others := make(chan uint64)
	for range 3 {
		go func() { others <- goroutineID() }()
	}
	seen := map[uint64]bool{mine: true}
	for range 3 {
		seen[<-others] = true
	}
	if mine == 0 || mine>>63 != 0 || goroutineID() != mine || len(seen) != 4 {
		t.Errorf("goroutine numbers %v (mine %d): has the form of Go's stack traces changed?", seen, mine)
	}
	if a, b := numberIn([]byte("thread 5")), numberIn(nil); a == b || a>>63 == 0 || b>>63 == 0 {
		t.Errorf("traces of an unknown form give the numbers %d and %d: want two that are nobody's", a, b)
	}
}
