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
		keyed *skKeyed
		pool  *skPool
	}{"ctr(aes)": {&b.ctr, ctr}, "ecb(aes)": {&b.ecb, ecb}, "cbc(aes)": {&b.cbc, cbc}} {
		e, err := kcrypto.Explain(algorithm)
		if err != nil {
			t.Fatal(err)
		}
		for call := range 3 {
			transform, shared := c.keyed.Get(c.pool, b.key[:b.size])
			if transform.Driver() != e.Winner {
				t.Errorf("%s serves %s, not %s", transform.Driver(), algorithm, e.Winner)
			}
			if shared {
				c.pool.Put(transform)
			}
			if shared != (call == 0) {
				t.Errorf("%s, call %d: shared is %v; only the first call uses a transform of the pool", algorithm, call, shared)
			}
		}
	}
}
