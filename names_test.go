package kcrypto_test

import (
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// TestErrorsHelp: the library's own errors name what somebody may have meant.
func TestErrorsHelp(t *testing.T) {
	aead := func(name string) error { _, err := kcrypto.NewAEAD(name, make([]byte, 16)); return err }
	skcipher := func(name string) error { _, err := kcrypto.AllocSkcipher(name); return err }
	for _, c := range []struct {
		err   error
		class error
		says  string
	}{
		{aead("aes-256-gcm"), registry.ErrNotFound, `nothing is called "aes-256-gcm" here; did you mean gcm(aes)?`},
		{aead("chacha20-poly1305"), registry.ErrNotFound, "did you mean rfc7539(chacha20,poly1305)?"},
		{aead("rfc4106"), registry.ErrNotFound, "did you mean rfc4106(gcm(aes))"},
		{skcipher("aes-xts-plain64"), registry.ErrNotFound, "did you mean xts(aes)?"},
		{skcipher("ctr-aes-genric"), registry.ErrNotFound, "did you mean ctr-aes-generic"},
		{skcipher("twofish"), registry.ErrNotFound, "algorithms: gcm(aes), xts(aes), "},
		{aead("xts(aes)"), registry.ErrType, "use NewSkcipher or AllocSkcipher"},
		{skcipher("gcm(aes)"), registry.ErrType, "use NewAEAD or AllocAEAD"},
		{kcrypto.SetPriority("gcm-aes-genric", 1), registry.ErrNotFound, "did you mean gcm-aes-generic"},
		{kcrypto.SetPriority("twofish", 1), registry.ErrNotFound, "List shows which there are"},
	} {
		wantError(t, c.says, c.err, c.class)
		if c.err != nil && !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%q does not say %q", c.err, c.says)
		}
	}
}
