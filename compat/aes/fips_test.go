package aes_test

import (
	stdaes "crypto/aes"
	"crypto/cipher"
	"crypto/fips140"
	"strings"
	"testing"

	"kcrypto/compat/aes"
	"kcrypto/compat/internal/equiv"
)

// TestFIPSOn and TestFIPSOnly hold the package's documentation to what it says of GODEBUG=fips140.
func TestFIPSOn(t *testing.T) { equiv.InChild(t, "GODEBUG=fips140=on", inFIPSMode) }

func TestFIPSOnly(t *testing.T) {
	equiv.InChild(t, "GODEBUG=fips140=only", func(t *testing.T) {
		if !fips140.Enforced() {
			t.Fatal("fips140=only is not in force")
		}
		inFIPSMode(t)
	})
}

func inFIPSMode(t *testing.T) {
	if !fips140.Enabled() {
		t.Fatal("fips140 is not on")
	}
	ours, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	original, err := stdaes.NewCipher(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	iv := make([]byte, 16)
	for name, call := range map[string]func(b cipher.Block){
		"NewCTR":          func(b cipher.Block) { cipher.NewCTR(b, iv).XORKeyStream(iv, iv) },
		"NewCBCEncrypter": func(b cipher.Block) { cipher.NewCBCEncrypter(b, iv) },
		"NewCBCDecrypter": func(b cipher.Block) { cipher.NewCBCDecrypter(b, iv) },
	} {
		o := equiv.Of(func() ([]byte, error) { call(ours); return nil, nil })
		if refused := strings.Contains(o.Panic, "not allowed in FIPS 140-only mode"); refused != fips140.Enforced() {
			t.Errorf("%s of our Block: %q", name, o.Panic)
		}
	}
	newGCM := func(b cipher.Block) equiv.Outcome {
		return equiv.Of(func() ([]byte, error) { _, err := cipher.NewGCM(b); return nil, err })
	}
	equiv.Check(t, "NewGCM", newGCM(original), newGCM(ours))
	if refused := newGCM(ours).Err != ""; refused != fips140.Enforced() {
		t.Errorf("NewGCM of our Block: %q", newGCM(ours).Err)
	}
}
