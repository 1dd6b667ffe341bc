package chacha20

import (
	"sync"
	"testing"

	"kcrypto"
)

// TestDriver: the best driver of chacha20 does the work.
func TestDriver(t *testing.T) {
	e, err := kcrypto.Explain("chacha20")
	if err != nil {
		t.Fatal(err)
	}
	w := workers.Get()
	defer workers.Put(w)
	if got := w.transform.Driver(); got != e.Winner {
		t.Errorf("%s serves, not %s", got, e.Winner)
	}
}

// TestRaceOfCiphers: Ciphers of many keys, each used by its goroutine, share workers.
func TestRaceOfCiphers(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			key, nonce := make([]byte, KeySize), make([]byte, NonceSize)
			key[0] = byte(i)
			whole, pieces := make([]byte, 1000), make([]byte, 1000)
			one, err := NewUnauthenticatedCipher(key, nonce)
			if err != nil {
				t.Error(err)
				return
			}
			one.XORKeyStream(whole, whole)
			many, err := NewUnauthenticatedCipher(key, nonce)
			if err != nil {
				t.Error(err)
				return
			}
			for j := range pieces {
				many.XORKeyStream(pieces[j:j+1], pieces[j:j+1])
			}
			if string(whole) != string(pieces) {
				t.Errorf("key %d: the keystreams of two Ciphers differ", i)
			}
		})
	}
	wg.Wait()
}
