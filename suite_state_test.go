package kcrypto_test

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"kcrypto"
	"kcrypto/registry"
)

// The states of a transform: no key, a key, another key, closed. One object with many sizes, and in many goroutines.

func TestAEADStates(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			a, err := kcrypto.AllocAEAD(d.Driver)
			if err != nil {
				t.Fatal(err)
			}
			nonce, aad, key := make([]byte, model.nonce), make([]byte, 8), make([]byte, model.keySizes[0])
			refused := func(state string, class error) {
				t.Helper()
				mustPanic(t, "Seal, "+state, class.Error(), func() { a.Seal(nil, nonce, key, aad) })
				_, err := a.Open(nil, nonce, make([]byte, 64), aad)
				wantError(t, "Open, "+state, err, class)
				batchRefused(t, a, state, class)
			}
			refused("fresh", registry.ErrNoKey)
			wantError(t, "SetKey", a.SetKey(make([]byte, 5)), registry.ErrKeySize)
			refused("after a bad key", registry.ErrNoKey)
			for range 2 {
				if err := a.SetKey(key); err != nil {
					t.Fatal(err)
				}
				a.Seal(nil, nonce, key, aad)
			}
			wantError(t, "SetKey", a.SetKey(nil), registry.ErrKeySize)
			refused("after a good key and a bad one", registry.ErrNoKey)
			closeTwice(t, a)
			refused("closed", registry.ErrClosed)
			wantError(t, "SetKey, closed", a.SetKey(key), registry.ErrClosed)
			wantError(t, "SetAuthSize, closed", a.SetAuthSize(16), registry.ErrClosed)
			if a.Driver() != d.Driver {
				t.Errorf("a closed transform names %q as its driver", a.Driver())
			}
		})
	})
}

// batchRefused checks that every packet of a batch gets the error with which Open fails.
func batchRefused(t *testing.T, a *kcrypto.AEAD, state string, class error) {
	t.Helper()
	packets := make([]kcrypto.Packet, 3)
	for i := range packets {
		packets[i] = kcrypto.Packet{Nonce: make([]byte, a.NonceSize()), AAD: make([]byte, 8), Src: make([]byte, 64)}
	}
	a.SealBatch(packets)
	for i := range packets {
		wantError(t, "SealBatch, "+state, packets[i].Err, class)
	}
	if failed := a.OpenBatch(packets); failed != len(packets) || packets[0].Dst != nil {
		t.Errorf("OpenBatch, %s: %d of %d failed, Dst % x", state, failed, len(packets), packets[0].Dst)
	}
	for i := range packets {
		wantError(t, "OpenBatch, "+state, packets[i].Err, class)
	}
}

func TestSkcipherStates(t *testing.T) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			s, err := kcrypto.AllocSkcipher(d.Driver)
			if err != nil {
				t.Fatal(err)
			}
			iv, buf, key := make([]byte, model.iv), make([]byte, 32), make([]byte, model.keySizes[0])
			refused := func(state string, class error) {
				t.Helper()
				_, err := s.Stream(iv)
				for op, err := range map[string]error{
					"Encrypt": s.Encrypt(buf, buf, iv), "Decrypt": s.Decrypt(buf, buf, iv), "Stream": err,
					"EncryptSectors": s.EncryptSectors(buf, buf, 16, 0), "DecryptSectors": s.DecryptSectors(buf, buf, 16, 0),
					"EncryptSectorsIV": s.EncryptSectorsIV(buf, buf, 16, kcrypto.SectorIV{Step: 8}),
					"DecryptSectorsIV": s.DecryptSectorsIV(buf, buf, 16, kcrypto.SectorIV{Step: 8}),
					"XORKeyStreamAt":   s.XORKeyStreamAt(buf, buf, iv, 0),
				} {
					wantError(t, op+", "+state, err, class)
				}
			}
			refused("fresh", registry.ErrNoKey)
			wantError(t, "SetKey", s.SetKey(make([]byte, 5)), registry.ErrKeySize)
			refused("after a bad key", registry.ErrNoKey)
			if err := s.SetKey(key); err != nil {
				t.Fatal(err)
			}
			if err := s.Encrypt(buf, buf, iv); err != nil {
				t.Fatal(err)
			}
			wantError(t, "SetKey", s.SetKey(nil), registry.ErrKeySize)
			refused("after a good key and a bad one", registry.ErrNoKey)
			closeTwice(t, s)
			refused("closed", registry.ErrClosed)
			wantError(t, "SetKey, closed", s.SetKey(key), registry.ErrClosed)
			if s.Driver() != d.Driver || s.IVSize() != model.iv {
				t.Errorf("a closed transform names %q, IV %d", s.Driver(), s.IVSize())
			}
		})
	})
}

// TestKeyIsCopied changes the caller's key after SetKey, and sets a second key over the first.
func TestKeyIsCopied(t *testing.T) {
	readAEADTwice := func(t *testing.T, d registry.Info, a *kcrypto.AEAD, all []keyedMessages) {
		for _, l := range all {
			key := bytes.Clone(l.key)
			if err := a.SetKey(key); err != nil {
				t.Fatal(err)
			}
			clear(key)
			r := aeadChecker{t: t, a: a, key: l.key}
			for i := range l.messages {
				r.check(&l.messages[i])
			}
		}
	}
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), func(s *messageMaker) {
			for range 3 {
				s.begin(s.bytes(len(s.now.key)), s.now.nonceSize, s.now.tagSize)
				s.add(100, 8)
				s.add(700, 8)
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			readAEADTwice(t, d, newAEAD(t, d, all[0]), all)
		})
	})
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		all := makeUnits(newRandom(t.Name()+algorithm), skModelOf(t, algorithm),
			func(s *unitMaker) { s.add(112); s.add(800) })
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			s := newSkcipher(t, d, all[0].key)
			for _, u := range all {
				key := bytes.Clone(u.key)
				if err := s.SetKey(key); err != nil {
					t.Fatal(err)
				}
				clear(key)
				r := unitChecker{t: t, s: s, key: u.key}
				for i := range u.list {
					r.check(&u.list[i])
				}
			}
		})
	})
}

// TestOneObjectManySizes alternates between the paths for short and long messages on one object.
func TestOneObjectManySizes(t *testing.T) {
	checkAEAD(t, func(s *messageMaker) {
		for _, n := range []int{0, 4096, 1, 1024, 16, 300, 15, 2000, 64, 0, 5000, 17, 129} {
			s.add(n, s.upTo(60))
		}
	})
	checkUnits(t, func(s *unitMaker) {
		for _, n := range []int{16, 4096, 17, 1024, 32, 304, 33, 2000, 64, 16, 5008, 31, 144} {
			s.add(n)
		}
	})
}

// TestSameCallSameAnswer repeats one call: code that uses uninitialised memory has been found that way.
func TestSameCallSameAnswer(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm),
			func(s *messageMaker) { s.add(333, 21) })
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			a, m, out := newAEAD(t, d, all[0]), &all[0].messages[0], make([]byte, 0, 400)
			for i := range 1000 {
				if got := a.Seal(out, m.nonce, m.text, m.aad); !bytes.Equal(got, m.sealed) {
					t.Fatalf("call %d: %s", i, difference(got, m.sealed))
				}
			}
		})
	})
}

const goroutines = 64

// atOnce runs f on many goroutines that start together.
func atOnce(t *testing.T, f func(worker int) error) {
	t.Helper()
	start, failures := make(chan struct{}), make(chan error, goroutines)
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			<-start
			if err := f(i); err != nil {
				failures <- fmt.Errorf("goroutine %d: %w", i, err)
			}
		})
	}
	close(start)
	wg.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
}

// TestConcurrentAEAD uses one object in 64 goroutines, in both directions, with many sizes.
func TestConcurrentAEAD(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), func(s *messageMaker) {
			for range goroutines {
				s.add(s.upTo(2000), s.upTo(40))
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			l := all[len(all)-1]
			a := newAEAD(t, d, l)
			atOnce(t, func(worker int) error {
				for i := range 20 {
					m := &l.messages[(worker+i)%len(l.messages)]
					if got := a.Seal(nil, m.nonce, m.text, m.aad); !bytes.Equal(got, m.sealed) {
						return fmt.Errorf("Seal: %s", difference(got, m.sealed))
					}
					if got, err := a.Open(nil, m.nonce, m.sealed, m.aad); err != nil || !bytes.Equal(got, m.text) {
						return fmt.Errorf("Open: %s (%w)", difference(got, m.text), err)
					}
				}
				return nil
			})
		})
	})
}

func TestConcurrentSkcipher(t *testing.T) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		all := makeUnits(newRandom(t.Name()+algorithm), model, func(s *unitMaker) {
			for range goroutines {
				s.add((16 + s.upTo(2000)) &^ 15)
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			u := all[len(all)-1]
			s := newSkcipher(t, d, u.key)
			atOnce(t, func(worker int) error {
				for i := range 20 {
					if err := concurrentUnit(s, &u.list[(worker+i)%len(u.list)], model.keystream != nil); err != nil {
						return err
					}
				}
				return nil
			})
		})
	})
}

func concurrentUnit(s *kcrypto.Skcipher, m *unit, isStream bool) error {
	got := make([]byte, len(m.plain))
	err := s.Encrypt(got, m.plain, m.iv)
	if err != nil || !bytes.Equal(got, m.cipher) {
		return fmt.Errorf("Encrypt: %s (%w)", difference(got, m.cipher), err)
	}
	if err := s.Decrypt(got, got, m.iv); err != nil || !bytes.Equal(got, m.plain) {
		return fmt.Errorf("Decrypt: %s (%w)", difference(got, m.plain), err)
	}
	if !isStream {
		return nil
	}
	if err := s.XORKeyStreamAt(got[5:], m.plain[5:], m.iv, 5); err != nil || !bytes.Equal(got[5:], m.cipher[5:]) {
		return fmt.Errorf("XORKeyStreamAt: %s (%w)", difference(got[5:], m.cipher[5:]), err)
	}
	stream, err := s.Stream(m.iv)
	if err != nil {
		return err
	}
	defer stream.Close()
	stream.XORKeyStream(got, m.plain)
	if !bytes.Equal(got, m.cipher) {
		return fmt.Errorf("XORKeyStream: %s", difference(got, m.cipher))
	}
	return nil
}

// fickleGCM is a driver that refuses keys once its self-test is over.
type fickleGCM struct {
	foreignGCM
	refuses *bool
}

func (f *fickleGCM) SetKey(key []byte) error {
	if *f.refuses {
		return registry.ErrKeySize
	}
	return f.foreignGCM.SetKey(key)
}

// TestFailedNewGivesBack: a transform whose key is refused gives back its reference on the driver at once.
func TestFailedNewGivesBack(t *testing.T) {
	r, refuses := newRegistry(t, ""), false
	d := foreignGCMDriver("gcm-aes-fickle", 900, noFlaw)
	d.NewAEAD = func(registry.Config) registry.AEAD { return &fickleGCM{refuses: &refuses} }
	if err := r.Register([]registry.Driver{d}); err != nil {
		t.Fatal(err)
	}
	must(kcrypto.NewAEAD(d.Name, make([]byte, 16), kcrypto.WithRegistry(r))).Close()
	refuses = true
	_, err := kcrypto.NewAEAD(d.Name, make([]byte, 16), kcrypto.WithRegistry(r))
	wantError(t, "a key that the driver refuses", err, registry.ErrKeySize)
	if n := refcount(t, r, d.Name); n != 0 {
		t.Errorf("NewAEAD leaves %d references", n)
	}
	opts := []kcrypto.Option{kcrypto.WithRegistry(r), kcrypto.WithForbidWeakKeys()}
	_, err = kcrypto.NewSkcipher("xts-aes-generic", make([]byte, 32), opts...)
	wantError(t, "a weak key", err, registry.ErrKeySize)
	if n := refcount(t, r, "xts-aes-generic"); n != 0 {
		t.Errorf("NewSkcipher leaves %d references", n)
	}
}

// refcount returns how many transforms of a driver there are in r.
func refcount(t *testing.T, r *registry.Registry, driver string) int {
	t.Helper()
	list := r.List(driver)
	if len(list) != 1 {
		t.Fatalf("List(%s) has %d entries", driver, len(list))
	}
	return list[0].Refcount - 1 // the registry's own
}

// TestDroppedTransforms: a transform that is not closed drops its reference when it is collected. A Stream has a
// reference of its own.
func TestDroppedTransforms(t *testing.T) {
	r, err := kcrypto.NewRegistry("")
	if err != nil {
		t.Fatal(err)
	}
	func() {
		a, err := kcrypto.NewAEAD("gcm-aes-generic", make([]byte, 16), kcrypto.WithRegistry(r))
		if err != nil {
			t.Fatal(err)
		}
		s, err := kcrypto.NewSkcipher("ctr-aes-generic", make([]byte, 16), kcrypto.WithRegistry(r))
		if err != nil {
			t.Fatal(err)
		}
		stream, err := s.Stream(make([]byte, 16))
		if err != nil {
			t.Fatal(err)
		}
		if n, m := refcount(t, r, "gcm-aes-generic"), refcount(t, r, "ctr-aes-generic"); n != 1 || m != 2 {
			t.Errorf("references while in use: %d, %d; want 1, 2", n, m)
		}
		s.Close()
		if n := refcount(t, r, "ctr-aes-generic"); n != 1 {
			t.Errorf("%d references with one stream open, want 1", n)
		}
		runtime.KeepAlive(a)
		runtime.KeepAlive(stream)
	}()
	deadline := time.Now().Add(10 * time.Second)
	for refcount(t, r, "gcm-aes-generic")+refcount(t, r, "ctr-aes-generic") > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("references after collection: %d, %d; want none",
				refcount(t, r, "gcm-aes-generic"), refcount(t, r, "ctr-aes-generic"))
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	for _, name := range []string{"gcm-aes-generic", "ctr-aes-generic"} {
		if err := r.Unregister(name); err != nil {
			t.Errorf("Unregister after collection: %v", err)
		}
	}
}
