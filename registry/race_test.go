package registry

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Everything at once: what is there throughout is always found, and what is found is alive until it is released.
func TestConcurrentChanges(t *testing.T) {
	var tested atomic.Int64
	var r *Registry
	o := Options{Templates: []Template{wrap("wrap")}, SelfTestWait: time.Millisecond}
	o.SelfTest = func(_ context.Context, d *Driver) error {
		if d.Algorithm == "gcm(aes)" && d.Name != "gcm-stays" { // a self-test that looks up others
			h, err := r.Acquire("gcm(aes)", Want{Type: TypeAEAD})
			if err != nil {
				return fmt.Errorf("self-test: %w", err)
			}
			h.Release()
		}
		if tested.Add(1)%5 == 0 && d.Name != "gcm-stays" && d.Name != "wrap(gcm-stays)" {
			return errors.New("wrong result")
		}
		return nil
	}
	r = reg(t, []Driver{aead("gcm(aes)", "gcm-stays", 5)}, o)
	must(t, r.Test(t.Context()))

	stop := make(chan struct{})
	var workers sync.WaitGroup
	work := func(n int, f func(rnd *rand.Rand)) {
		for i := range n {
			workers.Go(func() {
				rnd := rand.New(rand.NewPCG(uint64(i), 1))
				for {
					select {
					case <-stop:
						return
					default:
						f(rnd)
					}
				}
			})
		}
	}
	var acquired, cycles, busy, moved atomic.Int64
	work(4, func(rnd *rand.Rand) {
		name := []string{"gcm(aes)", "gcm-stays", "wrap(gcm(aes))", "wrap(gcm-stays)"}[rnd.IntN(4)]
		h, err := r.Acquire(name, Want{Type: TypeAEAD})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if h.node.bottom().refs.Load() < 1 {
			t.Errorf("%s is held and has refcount %d", h.Driver().Name, h.node.bottom().refs.Load())
		}
		if h.Info().Refcount < 2 {
			t.Errorf("%s is held and is shown with refcount %d", h.Driver().Name, h.Info().Refcount)
		}
		acquired.Add(1)
		h.Release()
	})
	for w := range 2 {
		name := fmt.Sprint("gcm-comes", w)
		work(1, func(rnd *rand.Rand) {
			must(t, r.Register([]Driver{aead("gcm(aes)", name, rnd.IntN(10)), aead(name+"-alg", name+"-own", 1)}))
			if h, err := r.Acquire(name, Want{Type: TypeAEAD}); err == nil {
				is(t, r.Unregister(name), ErrBusy)
				h.Release()
			} else {
				is(t, err, ErrSelfTest)
			}
			for _, driver := range []string{name, name + "-own"} {
				for {
					err := r.Unregister(driver)
					if err == nil {
						break
					}
					is(t, err, ErrBusy)
					busy.Add(1)
					runtime.Gosched()
				}
				if _, err := r.Acquire(driver, Want{Type: TypeAEAD}); !errors.Is(err, ErrNotFound) {
					t.Errorf("%s was unregistered, and looking it up gives %v", driver, err)
				}
			}
			cycles.Add(1)
		})
	}
	work(1, func(rnd *rand.Rand) {
		must(t, r.SetPriority("gcm-stays", rnd.IntN(10)))
		if err := r.SetPriority("gcm-comes0", rnd.IntN(10)); err != nil {
			is(t, err, ErrNotFound)
		}
		moved.Add(1)
	})
	work(1, func(rnd *rand.Rand) {
		restore := r.FailSelfTest("gcm-comes1")
		r.List("gcm(aes)", "wrap(gcm(aes))")
		_, err := r.Explain("gcm(aes)")
		must(t, err)
		restore()
		r.Retest(t.Context(), "gcm-stays", "wrap(gcm-stays)")
	})
	deadline := time.Now().Add(time.Minute)
	for acquired.Load() < 2000 || cycles.Load() < 100 || moved.Load() < 100 {
		if time.Sleep(time.Millisecond); time.Now().After(deadline) {
			t.Error("this machine is too slow, or something hangs")
			break
		}
	}
	close(stop)
	workers.Wait()
	for _, i := range r.List() {
		if i.Refcount != 1 {
			t.Errorf("%s is left with refcount %d", i.Driver, i.Refcount)
		}
	}
	t.Logf("%d lookups, %d registrations (%d busy), %d priority changes, %d self-tests",
		acquired.Load(), cycles.Load(), busy.Load(), moved.Load(), tested.Load())
}

// While one driver replaces another there is always one, and no lookup may find none.
func TestConcurrentReplacement(t *testing.T) {
	for _, runner := range []bool{false, true} {
		o := Options{Templates: []Template{wrap("wrap")}}
		if runner {
			o.SelfTest = newTester().run
		}
		r := reg(t, []Driver{aead("gcm(aes)", "gcm-0", 1)}, o)
		var done atomic.Bool
		var workers sync.WaitGroup
		for range 4 {
			workers.Go(func() {
				for !done.Load() {
					for _, name := range []string{"gcm(aes)", "wrap(gcm(aes))"} {
						h, err := r.Acquire(name, Want{})
						if err != nil {
							t.Errorf("%s: %v", name, err)
							return
						}
						h.Release()
					}
				}
			})
		}
		for i := range 300 {
			must(t, r.Register([]Driver{aead("gcm(aes)", fmt.Sprint("gcm-", i+1), 1)}))
			for r.Unregister(fmt.Sprint("gcm-", i)) != nil {
				runtime.Gosched()
			}
		}
		done.Store(true)
		workers.Wait()
	}
}

func TestConcurrentRelease(t *testing.T) {
	r := reg(t, fourDrivers())
	h, err := r.Acquire("gcm-top", Want{Type: TypeAEAD})
	must(t, err)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(h.Release)
	}
	workers.Wait()
	refcount(t, r, "gcm-top", 1)
}
