package aes

import (
	"testing"

	"kcrypto"
)

// TestDrivers: the streams and the many blocks are the best drivers' work.
func TestDrivers(t *testing.T) {
	block, err := NewCipher(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	b := block.(*Block)
	for algorithm, c := range map[string]struct {
		place *place
		store *store
	}{"ctr(aes)": {&b.ctr, ctr}, "ecb(aes)": {&b.ecb, ecb}} {
		e, err := kcrypto.Explain(algorithm)
		if err != nil {
			t.Fatal(err)
		}
		for call := range 3 {
			transform, lent := c.place.Take(c.store, b.key[:b.size])
			if transform.Driver() != e.Winner {
				t.Errorf("%s serves %s, not %s", transform.Driver(), algorithm, e.Winner)
			}
			if lent {
				c.store.Put(transform)
			}
			if lent != (call == 0) {
				t.Errorf("%s, call %d: lent is %v; the first call borrows, others have a transform of the key's own", algorithm, call, lent)
			}
		}
	}
}
