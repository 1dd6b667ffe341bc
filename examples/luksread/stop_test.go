package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"kcrypto/examples/internal/job"
)

// This is the last file: the work that nobody waits for goes on beside the tests that follow.

// TestInterruptedDerivation: a header that asks for hours of work, which -costly allows, does not keep Ctrl-C waiting.
func TestInterruptedDerivation(t *testing.T) {
	for _, k := range []kdf{
		{Type: "pbkdf2", Hash: "sha256", Iterations: math.MaxInt32},
		{Type: "argon2id", Time: math.MaxInt32, Memory: 64, CPUs: 1},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		began := time.Now()
		s := slot2{Type: "luks2", KeySize: 64, KDF: k}
		s.AF.Type, s.AF.Stripes, s.AF.Hash = "luks1", 4000, "sha256"
		s.Area.Type, s.Area.Size, s.Area.Encryption, s.Area.KeySize = "raw", 1<<20, "aes-xts-plain64", 64
		md := metadata{Slots: map[string]slot2{"0": s}}
		_, err := md.unlock(ctx, bytes.NewReader(nil), digest{Slots: []string{"0"}}, []byte("secret"), limit{costly: true})
		if !errors.Is(err, job.ErrInterrupted) {
			t.Errorf("%s: %v, want ErrInterrupted", k.Type, err)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: it took %v", k.Type, took)
		}
	}
	h := header1{Hash: [32]byte{'s', 'h', 'a', '2', '5', '6'}, KeyBytes: 32}
	h.Slots[0] = slot1{State: slotInUse, Iterations: math.MaxInt32, Stripes: 1}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := h.unlock(ctx, bytes.NewReader(nil), modes["aes-xts-plain64"], []byte("secret"), limit{costly: true})
	if !errors.Is(err, job.ErrInterrupted) {
		t.Errorf("LUKS1: %v, want ErrInterrupted", err)
	}
}
