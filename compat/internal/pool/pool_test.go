package pool

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// keyed is a transform that knows its key and who uses it.
type keyed struct {
	key   string
	users atomic.Int32
}

func (k *keyed) SetKey(key []byte) error {
	if len(key) == 0 {
		return errors.New("no key")
	}
	if k.users.Load() != 0 {
		panic("the key of a transform in use is replaced")
	}
	k.key = string(key)
	return nil
}

func newPool(made *atomic.Int32) *Pool[keyed] {
	return New(func() (*keyed, error) { made.Add(1); return new(keyed), nil })
}

// TestFirstUseIsShared: many keys that are used once need one transform in all; a key used again has its own.
func TestFirstUseIsShared(t *testing.T) {
	var made atomic.Int32
	pool := newPool(&made)
	runtime.LockOSThread() // a sync.Pool keeps one list for each processor
	defer runtime.UnlockOSThread()
	for range 100 {
		var p Keyed[keyed, *keyed]
		k, shared := p.Get(pool, []byte("once"))
		if !shared || k.key != "once" {
			t.Fatalf("the first use: shared %v, key %q", shared, k.key)
		}
		pool.Put(k)
	}
	// A sync.Pool drops transforms under the race detector, at a collection, and at a change of processor.
	if n := made.Load(); n > 90 {
		t.Errorf("%d transforms were made for 100 keys used once", n)
	}
	var p Keyed[keyed, *keyed]
	k, _ := p.Get(pool, []byte("twice"))
	pool.Put(k)
	own, shared := p.Get(pool, []byte("twice"))
	again, sharedAgain := p.Get(pool, []byte("twice"))
	if shared || sharedAgain || own != again || own.key != "twice" {
		t.Errorf("the second use: shared %v, the third: %v, the same: %v, key %q", shared, sharedAgain, own == again, own.key)
	}
}

// TestRaceOfKeys: no transform ever serves two keys at once.
func TestRaceOfKeys(t *testing.T) {
	var made atomic.Int32
	pool := newPool(&made)
	var wg sync.WaitGroup
	for i := range 200 {
		p, key := new(Keyed[keyed, *keyed]), string([]byte{byte(i), 1})
		for range 4 {
			wg.Go(func() {
				for range 5 {
					k, shared := p.Get(pool, []byte(key))
					k.users.Add(1)
					if k.key != key {
						t.Errorf("a transform has key %q in the hands of %q", k.key, key)
					}
					k.users.Add(-1)
					if shared {
						pool.Put(k)
					}
				}
			})
		}
	}
	wg.Wait()
}

func TestAllocationFails(t *testing.T) {
	broken := errors.New("broken")
	pool := New(func() (*keyed, error) { return nil, broken })
	if err := pool.Ready(); err != broken {
		t.Errorf("Ready: %v, want the allocation's error", err)
	}
	for what, call := range map[string]func(){
		"broken": func() { pool.Get() },
		"no key": func() { new(Keyed[keyed, *keyed]).Get(newPool(new(atomic.Int32)), nil) },
	} {
		func() {
			defer func() {
				if p := recover(); p != what {
					t.Errorf("panic %v, want the error's text, %q", p, what)
				}
			}()
			call()
		}()
	}
}

func TestReady(t *testing.T) {
	var made atomic.Int32
	pool := newPool(&made)
	for range 10 {
		if err := pool.Ready(); err != nil {
			t.Fatal(err)
		}
	}
	if made.Load() != 1 {
		t.Errorf("%d transforms were made to see that one can be", made.Load())
	}
}
