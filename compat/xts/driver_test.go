package xts

import (
	stdaes "crypto/aes"
	"crypto/cipher"
	"slices"
	"testing"

	"kcrypto"
	"kcrypto/compat/aes"
	"kcrypto/compat/internal/equiv"
)

// TestDriver: the driver is used exactly where the blocks are AES under the halves of the key.
func TestDriver(t *testing.T) {
	e, err := kcrypto.Explain("xts(aes)")
	if err != nil {
		t.Fatal(err)
	}
	half := func(key []byte, n int) bool { return key[0] == byte(n) }
	for name, c := range map[string]struct {
		f          func(key []byte) (cipher.Block, error)
		wantDriver bool
	}{
		"compat/aes":  {aes.NewCipher, true},
		"crypto/aes":  {stdaes.NewCipher, true},
		"not AES":     {equiv.NewNotAES, false},
		"another key": {func(key []byte) (cipher.Block, error) { return aes.NewCipher(slices.Repeat(key[:1], 16)) }, false},
		"first half":  {func(key []byte) (cipher.Block, error) { return mixed(key, half(key, 0)) }, false},
		"second half": {func(key []byte) (cipher.Block, error) { return mixed(key, half(key, 16)) }, false},
		"wrapped, both": {func(key []byte) (cipher.Block, error) {
			b, err := mixed(key, true)
			return struct{ cipher.Block }{b}, err
		}, true},
	} {
		key := make([]byte, 32)
		for i := range key {
			key[i] = byte(i)
		}
		x, err := NewCipher(c.f, key)
		if err != nil {
			t.Fatal(err)
		}
		if (x.driver != nil) != c.wantDriver {
			t.Errorf("%s: the driver is used: %v, want %v", name, x.driver != nil, c.wantDriver)
		}
		if c.wantDriver && x.driver.Driver() != e.Winner {
			t.Errorf("%s: %s serves, not %s", name, x.driver.Driver(), e.Winner)
		}
	}
}

// mixed is AES, or a NotAES.
func mixed(key []byte, isAES bool) (cipher.Block, error) {
	if isAES {
		return aes.NewCipher(key)
	}
	return equiv.NewNotAES(key)
}

func TestNoAllocation(t *testing.T) {
	x, err := NewCipher(aes.NewCipher, make([]byte, 64))
	if err != nil {
		t.Fatal(err)
	}
	m := make([]byte, 512)
	if n := testing.AllocsPerRun(100, func() { x.Encrypt(m, m, 5); x.Decrypt(m, m, 5) }); n != 0 {
		t.Errorf("%v allocations for two sectors, want 0", n)
	}
}
