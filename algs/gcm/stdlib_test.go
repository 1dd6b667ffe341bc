package gcm

import (
	"bytes"
	"sync"
	"testing"

	"kcrypto/registry"
)

// keyedStdlib skips the test where Go's own code refuses to work.
func keyedStdlib(t *testing.T) *stdlib {
	t.Helper()
	if why := StdlibDrivers()[0].Unavailable(); why != "" {
		t.Skip("NOT RUN HERE: " + why)
	}
	s := newStdlib(registry.Config{}).(*stdlib)
	if err := s.SetKey(bytes.Repeat([]byte{7}, 32)); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWipeStdlib looks at what the driver keeps itself.
func TestWipeStdlib(t *testing.T) {
	s := keyedStdlib(t)
	fill := s.generic()
	if *fill == (generic{}) || s.raw[31] != 7 {
		t.Error("the key was not set: this test sees nothing")
	}
	s.Wipe()
	if *fill != (generic{}) || s.raw != [32]byte{} || s.block != nil || s.aead.Load() != nil || s.fill.Load() != nil {
		t.Error("a key is left after Wipe")
	}
}

// TestConcurrentFill has several goroutines need the generic code first, with nonces of several sizes, which one
// transform does not have.
func TestConcurrentFill(t *testing.T) {
	s, model := keyedStdlib(t), new(generic)
	if err := model.SetKey(bytes.Repeat([]byte{7}, 32)); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 100)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			nonce, tag := make([]byte, 11+i%3), []int{4, 8, 12, 16}[i%4]
			want, got := make([]byte, len(text)+tag), make([]byte, len(text)+tag)
			model.Seal(want, nonce, text, nil)
			for range 20 {
				s.Seal(got, nonce, text, nil)
				if !bytes.Equal(got, want) || !s.Open(got[:100], nonce, got[:100], got[100:], nil) {
					t.Errorf("nonce of %d, tag of %d bytes: wrong beside other goroutines", len(nonce), tag)
					return
				}
			}
		})
	}
	group.Wait()
}

// TestStdlibServes: Go's own code does what it can, and the generic code the rest.
func TestStdlibServes(t *testing.T) {
	for _, c := range []struct {
		nonce, tag int
		generic    bool
	}{{12, 16, false}, {12, 12, false}, {16, 16, false}, {12, 8, true}, {16, 12, true}} {
		s := keyedStdlib(t)
		nonce, text, sealed := make([]byte, c.nonce), make([]byte, 100), make([]byte, 100+c.tag)
		s.Seal(sealed, nonce, text, nil)
		if got := s.fill.Load() != nil; got != c.generic {
			t.Errorf("Seal with a nonce of %d and a tag of %d bytes: generic code %v", c.nonce, c.tag, got)
		}
		s = keyedStdlib(t)
		if !s.Open(text, nonce, sealed[:100], sealed[100:], nil) || (s.fill.Load() != nil) != c.generic {
			t.Errorf("Open with a nonce of %d and a tag of %d bytes: generic code %v", c.nonce, c.tag, !c.generic)
		}
	}
}
