package registry

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func fourDrivers() []Driver {
	return []Driver{
		aead("gcm(aes)", "gcm-low", 1), aead("gcm(aes)", "gcm-mid", 2), aead("gcm(aes)", "gcm-top", 3),
		aead("gcm(aes)", "gcm-avx", 9, needs("avx")),
	}
}

func TestFailedDriverIsPassedOver(t *testing.T) {
	j := newTester("gcm-top")
	r := reg(t, fourDrivers(), Options{SelfTest: j.run, Templates: []Template{wrap("wrap")}})
	out := listen(r)
	stands(t, r, "gcm-top", Untested, "")
	for range 3 {
		gets(t, r, "gcm(aes)", "gcm-mid")
		refused(t, r, "gcm-top", ErrSelfTest, "gcm-top: wrong result on test vector 3")
		gets(t, r, "wrap(gcm(aes))", "wrap(gcm-mid)")
		refused(t, r, "wrap(gcm-top)", ErrSelfTest, "gcm-top: wrong result on test vector 3")
	}
	if _, err := r.Acquire("gcm-top", Want{}); !errors.Is(err, j.bad["gcm-top"]) {
		t.Errorf("error %v does not wrap the runner's", err)
	}
	stands(t, r, "gcm-top", Failed, "wrong result on test vector 3")
	stands(t, r, "wrap(gcm-top)", Failed, "gcm-top: wrong result on test vector 3")
	stands(t, r, "gcm-mid", Passed, "")
	stands(t, r, "gcm-low", Untested, "")
	stands(t, r, "gcm-avx", Unavailable, "lacks avx")
	want := []string{"alg: self-tests for gcm(aes) using gcm-top failed " +
		"algorithm=gcm(aes) driver=gcm-top reason=wrong result on test vector 3"}
	if got := out.logged(t, "warn"); !slices.Equal(got, want) {
		t.Errorf("warned %q, want %q", got, want)
	}
	if n := j.ran(); len(n) != 3 || n["gcm-top"] != 1 || n["gcm-mid"] != 1 || n["wrap(gcm-mid)"] != 1 {
		t.Errorf("tested %v: want once each what was asked for and nothing more", n)
	}
}

func TestAllFail(t *testing.T) {
	j := newTester("gcm-top", "gcm-mid", "gcm-low")
	r := reg(t, fourDrivers(), Options{SelfTest: j.run, Templates: []Template{wrap("wrap")}})
	for _, name := range []string{"gcm(aes)", "wrap(gcm(aes))"} {
		refused(t, r, name, ErrSelfTest, "gcm-avx", "(unavailable: lacks avx)", "gcm-low", "wrong result")
	}
}

func TestFailingComposition(t *testing.T) {
	j := newTester("wrap(gcm-top)")
	r := reg(t, fourDrivers(), Options{SelfTest: j.run, Templates: []Template{wrap("wrap")}})
	gets(t, r, "wrap(gcm(aes))", "wrap(gcm-mid)") // the next inner driver
	gets(t, r, "gcm(aes)", "gcm-top")             // which itself is well
	refused(t, r, "wrap(gcm-top)", ErrSelfTest, "wrap(gcm-top): wrong result")
	stands(t, r, "wrap(gcm-top)", Failed, "wrong result on test vector 3")
	gets(t, r, "wrap(gcm(aes))", "wrap(gcm-mid)")
	if n := j.ran(); n["wrap(gcm-top)"] != 1 || n["wrap(gcm-mid)"] != 1 || n["gcm-top"] != 1 {
		t.Errorf("tested %v, want each once", n)
	}
}

func TestStrict(t *testing.T) {
	j := newTester("gcm-top")
	r := reg(t, fourDrivers(), Options{SelfTest: j.run, Templates: []Template{wrap("wrap")}, Strict: true})
	refused(t, r, "gcm(aes)", ErrSelfTest, "gcm-top", "no step down")
	refused(t, r, "wrap(gcm(aes))", ErrSelfTest, "gcm-top", "no step down")
	gets(t, r, "gcm-mid", "gcm-mid")
	must(t, r.Unregister("gcm-top"))
	gets(t, r, "gcm(aes)", "gcm-mid") // that the best one is unavailable is no step down
}

func TestInjectedFailure(t *testing.T) {
	j := newTester()
	r := reg(t, fourDrivers(), Options{SelfTest: j.run, Templates: []Template{wrap("wrap")}})
	out := listen(r)
	gets(t, r, "gcm(aes)", "gcm-top")
	h, err := r.Acquire("gcm(aes)", Want{})
	must(t, err)

	restoreTop := r.FailSelfTest("gcm-top")
	gets(t, r, "gcm(aes)", "gcm-mid")
	gets(t, r, "wrap(gcm(aes))", "wrap(gcm-mid)")
	refused(t, r, "gcm-top", ErrSelfTest, "gcm-top: failure injected")
	refused(t, r, "wrap(gcm-top)", ErrSelfTest, "gcm-top: failure injected")
	is(t, r.Test(t.Context(), "gcm-top"), ErrSelfTest, "injected")
	is(t, r.Retest(t.Context(), "gcm-top"), ErrSelfTest, "injected")
	stands(t, r, "gcm-top", Failed, "failure injected by FailSelfTest")
	if h.Driver().Name != "gcm-top" {
		t.Error("a transform that lived changed its driver")
	}
	h.Release()
	lines := out.logged(t, "warn")
	if len(lines) != 1 || !strings.Contains(lines[0], "alg: self-tests for gcm(aes) using gcm-top failed") {
		t.Errorf("warned %q, want one line", lines)
	}

	restoreMid, restoreAgain := r.FailSelfTest("gcm-mid"), r.FailSelfTest("gcm-mid")
	gets(t, r, "gcm(aes)", "gcm-low")
	restoreLow := r.FailSelfTest("gcm-low")
	refused(t, r, "gcm(aes)", ErrSelfTest, "gcm-low (failed: failure injected")
	restoreLow()
	restoreMid()
	restoreMid() // does nothing
	gets(t, r, "gcm(aes)", "gcm-low")
	restoreAgain()
	gets(t, r, "gcm(aes)", "gcm-mid")
	restoreTop()
	gets(t, r, "gcm(aes)", "gcm-top")

	restore := r.FailSelfTest("wrap(gcm-top)")
	gets(t, r, "wrap(gcm(aes))", "wrap(gcm-mid)")
	refused(t, r, "wrap(gcm-top)", ErrSelfTest, "wrap(gcm-top): failure injected")
	gets(t, r, "gcm(aes)", "gcm-top")
	restore()
	gets(t, r, "wrap(gcm(aes))", "wrap(gcm-top)")
	for name, n := range j.ran() {
		if n != 1 {
			t.Errorf("%s was tested %d times, want 1: an injected failure is no verdict", name, n)
		}
	}

	restore = r.FailSelfTest("gcm-late")
	must(t, r.Register([]Driver{aead("gcm(aes)", "gcm-late", 10)}))
	gets(t, r, "gcm(aes)", "gcm-top")
	restore()
	gets(t, r, "gcm(aes)", "gcm-late")
	r.FailSelfTest("gcm-avx")
	stands(t, r, "gcm-avx", Unavailable, "lacks avx")
	refused(t, r, "gcm-avx", ErrUnavailable)
}

func TestPanickingSelfTest(t *testing.T) {
	ends := map[string]func(){
		"panic":   func() { panic("index 16 out of reach") },
		"runtime": func() { var s []int; _ = s[len(t.Name())] },
		"goexit":  runtime.Goexit,
	}
	for row, words := range map[string]string{
		"panic": "panic: index 16 out of reach", "runtime": "panic: runtime error: index out of range",
		"goexit": "ended its goroutine",
	} {
		t.Run(row, func(t *testing.T) {
			var once sync.Once
			r := reg(t, fourDrivers(), Options{SelfTest: func(_ context.Context, d *Driver) error {
				if d.Name == "gcm-top" {
					once.Do(ends[row])
				}
				return nil
			}})
			out := listen(r)
			done := make(chan struct{})
			go func() {
				defer close(done)
				gets(t, r, "gcm(aes)", "gcm-mid") // goexit: not reached
			}()
			<-done
			refused(t, r, "gcm-top", ErrSelfTest, words)
			if lines := out.logged(t, "warn"); len(lines) != 1 || !strings.Contains(lines[0], words) {
				t.Errorf("warned %q, want one line with %q", lines, words)
			}
			gets(t, r, "gcm(aes)", "gcm-mid")
			refcount(t, r, "gcm-top", 1)
		})
	}
}

func TestConcurrentFirstUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newTester("gcm-top")
		begun, finish := make(chan struct{}, 10), make(chan struct{})
		o := Options{Templates: []Template{wrap("wrap")}}
		o.SelfTest = func(ctx context.Context, d *Driver) error {
			begun <- struct{}{}
			<-finish
			return j.run(ctx, d)
		}
		r := reg(t, fourDrivers(), o)
		var returned atomic.Int64
		for i := range 64 {
			go func() {
				defer returned.Add(1)
				switch i % 4 {
				case 0, 1:
					gets(t, r, "gcm(aes)", "gcm-mid")
				case 2:
					gets(t, r, "wrap(gcm(aes))", "wrap(gcm-mid)")
				case 3:
					refused(t, r, "gcm-top", ErrSelfTest)
				}
			}()
		}
		synctest.Wait()
		if n := len(begun); n != 1 || returned.Load() != 0 {
			t.Errorf("%d tests run and %d lookups have returned while the best driver is under test, want 1 and 0",
				n, returned.Load())
		}
		stands(t, r, "gcm-top", Pending, "")
		refcount(t, r, "gcm-top", 2)
		is(t, r.Unregister("gcm-top"), ErrBusy)
		close(finish)
		synctest.Wait()
		if returned.Load() != 64 {
			t.Errorf("%d lookups have returned, want 64", returned.Load())
		}
		if n := j.ran(); len(n) != 3 || n["gcm-top"] != 1 || n["gcm-mid"] != 1 || n["wrap(gcm-mid)"] != 1 {
			t.Errorf("tested %v, want each once", n)
		}
		refcount(t, r, "gcm-top", 1)
	})
}

func TestCancelledSelfTestIsNoVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		finish := make(chan struct{})
		r := reg(t, []Driver{aead("gcm(aes)", "gcm-a", 1)}, Options{SelfTest: func(ctx context.Context, d *Driver) error {
			runs++
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-finish:
				return nil
			}
		}})
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			err := r.Test(ctx)
			if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "gcm-a was interrupted") {
				t.Errorf("a cancelled Test returned %v", err)
			}
			is(t, err, nil)
		}()
		synctest.Wait()
		impatient, giveUp := context.WithCancel(t.Context())
		go func() {
			if err := r.Test(impatient); !errors.Is(err, context.Canceled) {
				t.Errorf("a cancelled wait returned %v", err)
			}
		}()
		go gets(t, r, "gcm(aes)", "gcm-a") // waits for the test, and in the end runs it
		synctest.Wait()
		giveUp()
		synctest.Wait()
		stands(t, r, "gcm-a", Pending, "")
		cancel(context.Canceled)
		synctest.Wait()
		stands(t, r, "gcm-a", Pending, "")
		close(finish)
		synctest.Wait()
		stands(t, r, "gcm-a", Passed, "")
		if runs != 2 {
			t.Errorf("%d tests ran, want 2", runs)
		}
		must(t, r.Test(ctx)) // nothing is left to do
		is(t, r.Unregister("gcm-a"), nil)
	})
}

func TestCancelledBeforeTheSelfTest(t *testing.T) {
	j := newTester()
	r := reg(t, fourDrivers(), Options{SelfTest: j.run})
	why := errors.New("going home")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	err := r.Test(ctx)
	if !errors.Is(err, why) || strings.Count(err.Error(), "interrupted") != 1 || len(j.ran()) != 0 {
		t.Errorf("Test returned %v after testing %v, want one interruption and nothing tested", err, j.ran())
	}
	stands(t, r, "gcm-top", Untested, "")

	// A runner may report the interruption in either way.
	for _, report := range []func(context.Context) error{context.Context.Err, context.Cause} {
		ctx, cancel := context.WithCancelCause(t.Context())
		r := reg(t, fourDrivers(), Options{SelfTest: func(ctx context.Context, d *Driver) error {
			cancel(why)
			return errors.Join(errors.New("after 3 vectors"), report(ctx))
		}})
		if err := r.Test(ctx); !errors.Is(err, why) {
			t.Errorf("Test returned %v", err)
		}
		stands(t, r, "gcm-top", Untested, "")
	}
}

func TestFailureWhileCancelledIsAVerdict(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := reg(t, fourDrivers(), Options{SelfTest: func(_ context.Context, d *Driver) error {
		cancel()
		return errors.New("wrong result")
	}})
	err := r.Test(ctx)
	if !errors.Is(err, ErrSelfTest) || !errors.Is(err, context.Canceled) {
		t.Errorf("Test returned %v, want the failure of the first and the interruption of the second", err)
	}
	stands(t, r, "gcm-avx", Unavailable, "lacks avx")
	stands(t, r, "gcm-top", Failed, "wrong result")
	stands(t, r, "gcm-mid", Untested, "")

	late := func(context.Context, *Driver) error { return context.DeadlineExceeded }
	deadline := reg(t, fourDrivers(), Options{SelfTest: late})
	refused(t, deadline, "gcm-top", ErrSelfTest) // the driver's own deadline, not ours
	stands(t, deadline, "gcm-top", Failed, "context deadline exceeded")
}

func TestRegisterFromASelfTest(t *testing.T) {
	var r *Registry
	r = reg(t, fourDrivers(), Options{SelfTest: func(_ context.Context, d *Driver) error {
		if d.Name != "gcm-top" {
			return nil
		}
		must(t, r.SetPriority("gcm-low", 4))
		return errors.Join(r.Unregister("gcm-mid"), r.Register([]Driver{aead("gcm(aes)", "gcm-new", 5)}))
	}})
	gets(t, r, "gcm(aes)", "gcm-top") // the lookup goes by what there was when it began
	gets(t, r, "gcm(aes)", "gcm-new")
	refused(t, r, "gcm-mid", ErrNotFound)
}

// A driver that is unregistered between being found and being held is looked up anew.
func TestUnregisteredDuringTheLookup(t *testing.T) {
	var r *Registry
	r = reg(t, fourDrivers(), Options{SelfTest: func(_ context.Context, d *Driver) error {
		if d.Name == "gcm-top" {
			must(t, r.Unregister("gcm-mid"))
			must(t, r.Register([]Driver{aead("gcm(aes)", "gcm-mid2", 2)}))
			return errors.New("wrong result")
		}
		return nil
	}})
	gets(t, r, "gcm(aes)", "gcm-mid2") // without another look it would be gcm-low
}

func TestTestAndRetest(t *testing.T) {
	j := newTester("gcm-top", "wrap(gcm-mid)")
	r := reg(t, append(fourDrivers(), skcipher("ctr(aes)", "ctr-x", 1)), Options{
		SelfTest: j.run, Templates: []Template{wrap("wrap")}, Aliases: map[string]string{"old": "ctr-x"},
	})
	must(t, r.Test(t.Context(), "old", "wrap(gcm-low)"))
	if n := j.ran(); len(n) != 3 || n["ctr-x"]+n["gcm-low"]+n["wrap(gcm-low)"] != 3 {
		t.Errorf("tested %v", n)
	}
	err := r.Test(t.Context())
	is(t, err, ErrSelfTest, "gcm-top: wrong", "wrap(gcm-mid): wrong")
	if n := strings.Count(err.Error(), "wrong"); n != 2 {
		t.Errorf("%d failures in %q, want 2: one driver's is told once", n, err)
	}
	if n := j.ran(); len(n) != 3 || n["gcm-top"]+n["gcm-mid"]+n["wrap(gcm-mid)"] != 3 {
		t.Errorf("tested %v, want what was not tested yet", n)
	}
	is(t, r.Test(t.Context()), ErrSelfTest) // what is known is told again
	is(t, r.Test(t.Context(), "ctr(aes)", "des"), ErrNotFound, "des")
	must(t, r.Test(t.Context(), "gcm-avx"))
	if n := j.ran(); len(n) != 0 {
		t.Errorf("tested %v, want nothing twice", n)
	}

	// Drivers change their ways only in this test, but one may well ask again, in full mode.
	j.bad = map[string]error{"gcm-mid": errors.New("wrong in full mode")}
	is(t, r.Retest(t.Context()), ErrSelfTest, "gcm-mid: wrong in full mode")
	if n := j.ran(); len(n) != 6 {
		t.Errorf("tested %v, want all but what is unavailable or over a failed driver", n)
	}
	gets(t, r, "gcm(aes)", "gcm-top")
	refused(t, r, "gcm-mid", ErrSelfTest)
	refused(t, r, "wrap(gcm-mid)", ErrSelfTest, "gcm-mid: wrong in full mode")
	must(t, New().Retest(t.Context()))
	untested := reg(t, fourDrivers())
	stands(t, untested, "gcm-top", Passed, "")
	stands(t, untested, "gcm-avx", Unavailable, "lacks avx")
	must(t, untested.Retest(t.Context()))
	stands(t, untested, "gcm-top", Passed, "")
}

func TestRetestKeepsTheOldVerdictUntilTheNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newTester()
		gate := make(chan struct{})
		close(gate)
		r := reg(t, fourDrivers(), Options{SelfTest: func(ctx context.Context, d *Driver) error {
			select {
			case <-gate:
				return j.run(ctx, d)
			case <-ctx.Done():
				return ctx.Err()
			}
		}})
		gets(t, r, "gcm(aes)", "gcm-top")
		gate = make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			if err := r.Retest(ctx, "gcm-top"); !errors.Is(err, context.Canceled) {
				t.Errorf("Retest returned %v", err)
			}
		}()
		synctest.Wait()
		gets(t, r, "gcm(aes)", "gcm-top")
		stands(t, r, "gcm-top", Passed, "")
		cancel()
		synctest.Wait()
		stands(t, r, "gcm-top", Passed, "")

		j.bad["gcm-top"] = errors.New("wrong")
		for range 2 { // the second finds the verdict of the first and needs no test of its own
			go func() { is(t, r.Retest(t.Context(), "gcm-top"), ErrSelfTest) }()
		}
		synctest.Wait()
		gets(t, r, "gcm(aes)", "gcm-top")
		j.ran()
		close(gate)
		synctest.Wait()
		gets(t, r, "gcm(aes)", "gcm-mid")
		if n := j.ran(); n["gcm-top"] != 1 {
			t.Errorf("tested %v, want gcm-top once", n)
		}
	})
}
