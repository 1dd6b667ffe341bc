package chacha

import (
	"errors"
	"testing"

	"kcrypto/registry"
)

func TestESPNames(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"chacha20", "poly1305"}, aeadAlgorithm},
		{[]string{"chacha20poly1305-avx512"}, "chacha20poly1305-avx512"},
		{[]string{"poly1305", "chacha20"}, ""},
		{[]string{"chacha20", "poly1305", "x"}, ""},
		{nil, ""},
	} {
		if got, err := espInner(c.args); got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q: got %q, %v, want %q", c.args, got, err, c.want)
		}
	}
	for _, d := range Drivers() {
		want := d.Algorithm == aeadAlgorithm
		if err := espAccepts(&d); (err == nil) != want || err != nil && !errors.Is(err, registry.ErrType) {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// TestUnavailable holds the stdlib drivers' reason against what x/crypto does with a key. Run it with
// GODEBUG=fips140=only too.
func TestUnavailable(t *testing.T) {
	for _, d := range allDrivers() {
		if d.Impl != "stdlib" {
			continue
		}
		err := d.NewAEAD(registry.Config{Chunk: 64}).SetKey(make([]byte, d.KeySizes[0]))
		if why := d.Unavailable(); (why != "") != (err != nil) {
			t.Errorf("%s: unavailable because %q, but SetKey says %v", d.Name, why, err)
		}
	}
}
