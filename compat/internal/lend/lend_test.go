package lend

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

func newStore(made *atomic.Int32) *Store[keyed] {
	return NewStore(func() (*keyed, error) { made.Add(1); return new(keyed), nil })
}

// TestFirstUseBorrows: many keys that are used once need one transform in all; a key used again has its own.
func TestFirstUseBorrows(t *testing.T) {
	var made atomic.Int32
	s := newStore(&made)
	runtime.LockOSThread() // a sync.Pool keeps to its processor
	defer runtime.UnlockOSThread()
	for range 100 {
		var p Place[keyed, *keyed]
		k, lent := p.Take(s, []byte("once"))
		if !lent || k.key != "once" {
			t.Fatalf("the first use: lent %v, key %q", lent, k.key)
		}
		s.Put(k)
	}
	// The race detector makes a sync.Pool forgetful; the garbage collector, and a change of processor, may.
	if n := made.Load(); n > 90 {
		t.Errorf("%d transforms were made for 100 keys used once", n)
	}
	var p Place[keyed, *keyed]
	k, _ := p.Take(s, []byte("twice"))
	s.Put(k)
	own, lent := p.Take(s, []byte("twice"))
	again, lentAgain := p.Take(s, []byte("twice"))
	if lent || lentAgain || own != again || own.key != "twice" {
		t.Errorf("the second use: lent %v, the third: %v, the same: %v, key %q", lent, lentAgain, own == again, own.key)
	}
}

// TestRaceOfPlaces: no transform ever serves two keys at once.
func TestRaceOfPlaces(t *testing.T) {
	var made atomic.Int32
	s := newStore(&made)
	var wg sync.WaitGroup
	for i := range 200 {
		p, key := new(Place[keyed, *keyed]), string([]byte{byte(i), 1})
		for range 4 {
			wg.Go(func() {
				for range 5 {
					k, lent := p.Take(s, []byte(key))
					k.users.Add(1)
					if k.key != key {
						t.Errorf("a transform has key %q in the hands of %q", k.key, key)
					}
					k.users.Add(-1)
					if lent {
						s.Put(k)
					}
				}
			})
		}
	}
	wg.Wait()
}

func TestNothingToLend(t *testing.T) {
	broken := errors.New("broken")
	s := NewStore(func() (*keyed, error) { return nil, broken })
	if err := s.Ready(); err != broken {
		t.Errorf("Ready: %v, want the allocation's error", err)
	}
	for what, call := range map[string]func(){
		"broken": func() { s.Take() },
		"no key": func() { new(Place[keyed, *keyed]).Take(newStore(new(atomic.Int32)), nil) },
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
	s := newStore(&made)
	for range 10 {
		if err := s.Ready(); err != nil {
			t.Fatal(err)
		}
	}
	if made.Load() != 1 {
		t.Errorf("%d transforms were made to see that one can be", made.Load())
	}
}
