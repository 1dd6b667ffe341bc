package registry

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func (d *Driver) inWrap() bool { return strings.HasPrefix(d.Name, "wrap(") }

// TestSelfTestLooksUpItself: such a self-test waits its time, and gets the next driver, or an error where it asks for
// what it tests by its name.
func TestSelfTestLooksUpItself(t *testing.T) {
	for _, wanted := range []string{"gcm(aes)", "wrap(gcm(aes))"} {
		synctest.Test(t, func(t *testing.T) {
			got := map[string]string{}
			var r *Registry
			o := Options{Templates: []Template{wrap("wrap")}}
			o.SelfTest = func(_ context.Context, d *Driver) error {
				if d.Name == "gcm-low" || d.inWrap() {
					return nil
				}
				refused(t, r, d.Name, ErrSelfTest, "still under test after 1m0s")
				refused(t, r, "wrap("+d.Name+")", ErrSelfTest, "still under test")
				h, err := r.Acquire(wanted, Want{Type: TypeAEAD})
				must(t, err)
				defer h.Release()
				got[d.Name] = h.Driver().Name
				stands(t, r, d.Name, Pending, "")
				return nil
			}
			r = reg(t, fourDrivers(), o)
			start := time.Now()
			gets(t, r, "gcm(aes)", "gcm-top")
			if waited := time.Since(start); waited != 7*time.Minute { // three for gcm-top and four for gcm-mid, which meets both
				t.Errorf("the lookups waited %v in all", waited)
			}
			for driver, want := range map[string]string{"gcm-top": "gcm-mid", "gcm-mid": "gcm-low"} {
				if !strings.Contains(got[driver], want) {
					t.Errorf("the self-test of %s looked up %s and got %q, want %s", driver, wanted, got[driver], want)
				}
			}
			gets(t, r, "wrap(gcm(aes))", "wrap(gcm-top)")
		})
	}
}

// TestSelfTestFindsNothingElse: the algorithm has only the driver under test.
func TestSelfTestFindsNothingElse(t *testing.T) {
	var r *Registry
	o := Options{SelfTestWait: time.Millisecond, SelfTest: func(context.Context, *Driver) error {
		refused(t, r, "gcm(aes)", ErrSelfTest, "gcm-a (pending)")
		e, err := r.Explain("gcm(aes)")
		must(t, err)
		if e.Winner != "" || !strings.Contains(e.Why, "gcm-a (pending)") {
			t.Errorf("explained as %+v", e)
		}
		is(t, r.Test(t.Context()), ErrSelfTest, "still under test after 1ms")
		is(t, r.Unregister("gcm-a"), ErrBusy)
		return nil
	}}
	r = reg(t, []Driver{aead("gcm(aes)", "gcm-a", 1)}, o)
	gets(t, r, "gcm(aes)", "gcm-a")
}

// TestPreferredUnderTest: a preferred driver that is under test is no step down, which strict would refuse.
func TestPreferredUnderTest(t *testing.T) {
	var r *Registry
	o := Options{Prefer: map[string]string{"gcm(aes)": "gcm-low"}, Strict: true, SelfTestWait: time.Millisecond}
	o.SelfTest = func(_ context.Context, d *Driver) error {
		if d.Name == "gcm-low" {
			gets(t, r, "gcm(aes)", "gcm-top")
		}
		return nil
	}
	r = reg(t, fourDrivers(), o)
	gets(t, r, "gcm(aes)", "gcm-low")
}

// TestSlowSelfTest: lookups on other goroutines wait for as long as they may, log that once each, and take the driver
// once it has passed.
func TestSlowSelfTest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reg(t, fourDrivers(), Options{SelfTest: func(_ context.Context, d *Driver) error {
			if d.Name == "gcm-top" {
				time.Sleep(90 * time.Second)
			}
			return nil
		}})
		out, start := listen(r), time.Now()
		passed := func(want time.Duration) {
			t.Helper()
			if got := time.Since(start); got != want {
				t.Errorf("after %v, want %v", got, want)
			}
		}
		go func() {
			gets(t, r, "gcm(aes)", "gcm-top") // runs the test
			passed(90 * time.Second)
		}()
		synctest.Wait()
		gets(t, r, "gcm(aes)", "gcm-mid")
		passed(60 * time.Second)
		if lines := out.logged(t, "warn"); len(lines) != 1 || !strings.Contains(lines[0], "driver=gcm-top") {
			t.Errorf("warned %q, want one line", lines)
		}
		gets(t, r, "gcm-top", "gcm-top")
		passed(90 * time.Second)
		synctest.Wait()
	})
}

// TestSelfTestsThatNeedEachOther fail, and do not hang.
func TestSelfTestsThatNeedEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		needed := map[string]string{"a-x": "b-x", "b-x": "c-x", "c-x": "a-x"}
		var r *Registry
		drivers := []Driver{aead("a", "a-x", 1), aead("b", "b-x", 1), aead("c", "c-x", 1)}
		r = reg(t, drivers, Options{SelfTest: func(_ context.Context, d *Driver) error {
			time.Sleep(time.Second)
			h, err := r.Acquire(needed[d.Name], Want{})
			if err == nil {
				h.Release()
			}
			return err
		}})
		for _, name := range []string{"a", "b", "c"} {
			go refused(t, r, name, ErrSelfTest)
		}
		time.Sleep(5 * time.Minute)
		failed := 0
		for _, i := range r.List() {
			if i.SelfTest == Failed && strings.Contains(i.Reason, "still under test") {
				failed++
			}
		}
		if failed == 0 {
			t.Errorf("%+v: want one that waited in vain at least", r.List())
		}
	})
}

// TestInterruptedWait: the wait for another's test ends with the context.
func TestInterruptedWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reg(t, fourDrivers(), Options{SelfTest: func(context.Context, *Driver) error {
			time.Sleep(time.Second)
			return nil
		}})
		go gets(t, r, "gcm(aes)", "gcm-top")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := r.Test(ctx, "gcm-top"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Test returned %v", err)
		}
		time.Sleep(time.Minute)
		stands(t, r, "gcm-top", Passed, "")
	})
}
