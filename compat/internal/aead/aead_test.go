package aead

import (
	"errors"
	"sync"
	"testing"

	"kcrypto"
)

var rules = Rules{MaxText: 1 << 30, Forged: errors.New("forged")}

// TestDrivers: the best driver serves, whether its transform is shared or the key's own.
func TestDrivers(t *testing.T) {
	for algorithm, nonceSize := range map[string]int{
		"gcm(aes)": 12, "rfc7539(chacha20,poly1305)": 12, "xchacha20poly1305": 24,
	} {
		e, err := kcrypto.Explain(algorithm)
		if err != nil {
			t.Fatal(err)
		}
		a, err := NewKind(&rules, algorithm, nonceSize, 16).New(make([]byte, 32))
		if err != nil {
			t.Fatal(err)
		}
		d := a.(*wrapped)
		for range 3 {
			a.Seal(nil, make([]byte, nonceSize), nil, nil)
			transform, shared := d.keyed.Get(d.kind.pool, d.key[:d.keySize])
			if transform.Driver() != e.Winner {
				t.Errorf("%s serves %s, not %s", transform.Driver(), algorithm, e.Winner)
			}
			if shared {
				t.Errorf("%s: a transform is shared after the first call", algorithm)
			}
		}
	}
}

// TestRaceOfFirstCalls: many goroutines make the first call at once, on many AEADs of different keys that share a pool.
func TestRaceOfFirstCalls(t *testing.T) {
	kind := NewKind(&rules, "gcm(aes)", 12, 16)
	nonce, text := make([]byte, 12), make([]byte, 100)
	var wg sync.WaitGroup
	for key := range 50 {
		a, err := kind.New([]byte{15: byte(key)})
		if err != nil {
			t.Fatal(err)
		}
		reference, err := kcrypto.NewAEAD("gcm(aes)", []byte{15: byte(key)})
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			wg.Go(func() {
				for range 3 {
					sealed := a.Seal(nil, nonce, text, nil)
					if _, err := reference.Open(nil, nonce, sealed, nil); err != nil {
						t.Errorf("key %d: sealed under another key, or wrongly: %v", key, err)
					}
					if _, err := a.Open(nil, nonce, sealed, nil); err != nil {
						t.Errorf("key %d: %v", key, err)
					}
				}
			})
		}
	}
	wg.Wait()
}

func TestUnknownAlgorithm(t *testing.T) {
	if a, err := NewKind(&rules, "nope(aes)", 12, 16).New(make([]byte, 16)); err == nil || a != nil {
		t.Errorf("an AEAD of no algorithm: %v, error %v", a, err)
	}
}

func TestNoAllocation(t *testing.T) {
	a, err := NewKind(&rules, "gcm(aes)", 12, 16).New(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	nonce, m := make([]byte, 12), make([]byte, 100, 116)
	if n := testing.AllocsPerRun(100, func() {
		sealed := a.Seal(m[:0], nonce, m, nonce)
		if _, err := a.Open(sealed[:0], nonce, sealed, nonce); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations for a Seal and an Open in place, want 0", n)
	}
}
