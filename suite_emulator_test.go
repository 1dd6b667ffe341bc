package kcrypto_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"os"
	"slices"
	"testing"

	"kcrypto"
	"kcrypto/algs/ctr"
	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// TestVAESAlone registers a driver with the highest priority that needs VAES, but not VPCLMULQDQ as our levels do. qemu
// 7.2 reports VAES and computes VAESENC on 256-bit registers wrongly. There the self-test must reject the driver, and
// the next one must serve. With KCRYPTO_BAD_VAES=1 (CI's row for -cpu max) any other outcome is a failure.
func TestVAESAlone(t *testing.T) {
	drivers := ctr.Drivers()
	i := slices.IndexFunc(drivers, func(d registry.Driver) bool {
		return d.Impl == "vaes_avx2" && d.Algorithm == "ctr(aes)"
	})
	if i < 0 {
		t.Skip("NOT RUN: this build has no vaes_avx2 driver")
	}
	alone := drivers[i]
	alone.Name, alone.Module, alone.Needs, alone.Priority = "ctr-aes-vaes-alone", "test", []string{"avx2", "vaes"}, 1<<20
	r := must(kcrypto.NewRegistry(""))
	if err := r.Register([]registry.Driver{alone}); err != nil {
		t.Fatal(err)
	}
	_, err := r.Acquire(alone.Name, registry.Want{Type: registry.TypeSkcipher})
	t.Logf("VAES %v, VPCLMULQDQ %v: %v", cpu.Host().Has("vaes"), cpu.Host().Has("vpclmulqdq"), err)
	if os.Getenv("KCRYPTO_BAD_VAES") != "" && !errors.Is(err, registry.ErrSelfTest) {
		t.Errorf("this CPU's VAES is said to be bad, and the driver's self-test says: %v", err)
	}
	key, iv, text := pattern(16), pattern(16), pattern(1000)
	s := must(kcrypto.NewSkcipher("ctr(aes)", key, kcrypto.WithRegistry(r)))
	defer s.Close()
	got, want := make([]byte, len(text)), make([]byte, len(text))
	if err := s.Encrypt(got, text, iv); err != nil {
		t.Fatal(err)
	}
	cipher.NewCTR(must(aes.NewCipher(key)), iv).XORKeyStream(want, text)
	if !bytes.Equal(got, want) {
		t.Errorf("ctr(aes) by %s is wrong", s.Driver())
	}
	if (err == nil) != (s.Driver() == alone.Name) {
		t.Errorf("ctr(aes) is served by %s", s.Driver())
	}
}
