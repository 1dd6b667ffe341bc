package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/examples/internal/job"
	"kcrypto/registry"
)

// newRegistry has both drivers, of these priorities.
func newRegistry(t *testing.T, hastyPriority, splitPriority int) *registry.Registry {
	t.Helper()
	r, err := kcrypto.NewRegistry("")
	if err == nil {
		err = r.Register([]registry.Driver{hasty(hastyPriority), split(splitPriority)})
	}
	if err != nil {
		t.Fatal(err)
	}
	if info := r.List("ctr-aes-split")[0]; info.SelfTest == registry.Unavailable {
		t.Skip("NOT RUN: " + info.Reason)
	}
	return r
}

// TestChosen: the driver serves while its priority is the highest, and by its name in any case.
func TestChosen(t *testing.T) {
	for priority, chosen := range map[int]bool{900: true, 0: false} {
		r := newRegistry(t, 1000, priority)
		if got := served(r, "ctr(aes)") == "served by ctr-aes-split"; got != chosen {
			t.Errorf("priority %d: ctr(aes) is %s", priority, served(r, "ctr(aes)"))
		}
		if got := served(r, "ctr-aes-split"); got != "served by ctr-aes-split" {
			t.Errorf("priority %d: ctr-aes-split is %s", priority, got)
		}
	}
}

// TestRefused: the wrong one never serves, by whatever name, and the error says what it did wrong.
func TestRefused(t *testing.T) {
	r := newRegistry(t, 1000, 0)
	if got := served(r, "ctr(aes)"); strings.Contains(got, "hasty") || strings.Contains(got, "error") {
		t.Errorf("ctr(aes) is %s", got)
	}
	_, err := kcrypto.NewSkcipher("ctr-aes-hasty", make([]byte, 16), kcrypto.WithRegistry(r))
	if !errors.Is(err, registry.ErrSelfTest) || !strings.Contains(err.Error(), "wrong result") {
		t.Errorf("ctr-aes-hasty: %v, want ErrSelfTest with a wrong result", err)
	}
	if e, err := r.Explain("ctr(aes)"); err != nil || !strings.Contains(e.Why, "passed over: ctr-aes-hasty (failed") {
		t.Errorf("explained as %q, %v", e.Why, err)
	}
}

// TestAnswers compares the driver with crypto/cipher, over lengths of none, one and several pieces.
func TestAnswers(t *testing.T) {
	r := newRegistry(t, 1000, 900)
	random := rand.NewChaCha8([32]byte{1})
	for _, n := range []int{0, 1, 16, piece - 1, piece, piece + 1, 2*piece + 17, 9*piece + 5} {
		secret, iv, text := make([]byte, 32), make([]byte, 16), make([]byte, n)
		random.Read(secret)
		random.Read(iv[:4])
		copy(iv[4:], bytes.Repeat([]byte{255}, 12)) // a counter that wraps
		random.Read(text)
		block, err := aes.NewCipher(secret)
		if err != nil {
			t.Fatal(err)
		}
		want, got := make([]byte, n), make([]byte, n)
		cipher.NewCTR(block, iv).XORKeyStream(want, text)
		ctr, err := kcrypto.NewSkcipher("ctr-aes-split", secret, kcrypto.WithRegistry(r))
		if err != nil {
			t.Fatal(err)
		}
		defer ctr.Close()
		if err := ctr.Encrypt(got, text, iv); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: wrong, %v", n, err)
		}
	}
}

// TestOutput: what the program prints names what serves after each step.
func TestOutput(t *testing.T) {
	newRegistry(t, 0, 0) // skips where the driver is unavailable
	r, err := kcrypto.NewRegistry("")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := show(&out, r); err != nil {
		t.Fatal(err)
	}
	var split []bool // whether it is ctr-aes-split that ctr(aes) gives
	for line := range strings.Lines(out.String()) {
		if name, by, _ := strings.Cut(strings.TrimSpace(line), " "); name == "ctr(aes)" {
			split = append(split, strings.Contains(by, "ctr-aes-split"))
		}
	}
	if want := []bool{false, false, true, false}; !slices.Equal(split, want) {
		t.Errorf("served by ctr-aes-split: %v, want %v, in\n%s", split, want, &out)
	}
	if err := run(t.Context(), []string{"x"}); !errors.Is(err, job.ErrUsage) {
		t.Errorf("an argument: %v, want ErrUsage", err)
	}
}

// TestOutsider: the program imports nothing of this module that other modules could not.
func TestOutsider(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(name, "kcrypto/") && name != "kcrypto/registry" && name != "kcrypto/examples/internal/job" {
			t.Errorf("imports %s", name)
		}
	}
}

// TestWipe: a key that is wiped is not used any more.
func TestWipe(t *testing.T) {
	k := new(key)
	if err := k.SetKey(make([]byte, 16)); err != nil || k.block == nil {
		t.Fatalf("SetKey: %v", err)
	}
	if k.Wipe(); k.block != nil {
		t.Error("the key is there after Wipe")
	}
}

// TestArguments: there are none.
func TestArguments(t *testing.T) {
	if err := run(t.Context(), []string{"x"}); !errors.Is(err, job.ErrUsage) {
		t.Errorf("with an argument: %v", err)
	}
	if err := run(t.Context(), nil); errors.Is(err, job.ErrUsage) {
		t.Errorf("without: %v", err)
	}
}
