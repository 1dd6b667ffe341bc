package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kcrypto/examples/internal/job"
)

const passphrase = "correct horse"

// qemuImage makes a LUKS volume of plain with qemu-img, another implementation of the format and of XTS.
func qemuImage(t *testing.T, dir string, plain []byte, options string) string {
	t.Helper()
	tool, err := exec.LookPath("qemu-img")
	if err != nil {
		t.Skip("NOT RUN HERE: there is no qemu-img; Debian has it in qemu-utils")
	}
	raw, volume := filepath.Join(dir, "raw"), filepath.Join(dir, "volume")
	if err := os.WriteFile(raw, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	for tries := 5; ; tries-- {
		out, err := exec.Command(tool, "convert", "-f", "raw", "-O", "luks", "--object", "secret,id=s,data="+passphrase,
			"-o", "key-secret=s,iter-time=10,ivgen-alg=plain64,cipher-mode=xts,"+options, raw, volume).CombinedOutput()
		switch {
		case err == nil:
			return volume
		case tries == 0 || !strings.Contains(string(out), "CPU usage"): // which it cannot always measure on a busy machine
			t.Fatalf("qemu-img: %v: %s", err, out)
		}
	}
}

func passphraseFile(t *testing.T, dir, text string) string {
	t.Helper()
	path := filepath.Join(dir, "passphrase")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadsQEMU(t *testing.T) {
	for i, options := range []string{
		"cipher-alg=aes-256,hash-alg=sha256", "cipher-alg=aes-128,hash-alg=sha1", "cipher-alg=aes-256,hash-alg=sha512",
	} {
		if i > 0 && testing.Short() {
			break // qemu-img measures for seconds how many iterations it can afford
		}
		t.Run(options, func(t *testing.T) {
			dir := t.TempDir()
			plain := make([]byte, 3*piece+7*sector)
			rand.NewChaCha8([32]byte{1}).Read(plain)
			volume, out := qemuImage(t, dir, plain, options), filepath.Join(dir, "out")
			if err := run(t.Context(), []string{passphraseFile(t, dir, passphrase+"\n"), volume, out}); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, plain) {
				t.Errorf("%d bytes, not the %d that qemu-img encrypted", len(got), len(plain))
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	volume := qemuImage(t, dir, make([]byte, 64*sector), "cipher-alg=aes-256")
	whole, err := os.ReadFile(volume)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(at int, to string) []byte {
		b := bytes.Clone(whole)
		copy(b[at:], to)
		return b
	}
	for _, c := range []struct {
		name, passphrase, want string
		volume                 []byte
	}{
		{"wrong passphrase", "battery staple", "no key slot", whole},
		{"empty", passphrase, "ends in its header", nil},
		{"not LUKS", passphrase, "no LUKS volume", changed(0, "QFI\xfb")},
		{"LUKS2", passphrase, "version 2", changed(6, "\x00\x02")},
		{"another mode", passphrase, "aes-cbc-plain64", changed(40, "cbc-plain64\x00")},
		{"another hash", passphrase, "ripemd160", changed(72, "ripemd160\x00")},
		{"a key of 1 byte", passphrase, "a key of 1 bytes", changed(108, "\x00\x00\x00\x01")},
		{"many stripes", passphrase, "stripes", changed(208+44, "\xff\xff\xff\xff")},
		{"no iterations in a slot", passphrase, "0 iterations", changed(208+4, "\x00\x00\x00\x00")},
		{"no iterations of the digest", passphrase, "0 iterations", changed(164, "\x00\x00\x00\x00")},
		{"too many iterations", passphrase, "4294967295 iterations", changed(208+4, "\xff\xff\xff\xff")},
		{"no place for the header", passphrase, "in the header", changed(104, "\x00\x00\x00\x00")},
		{"the first sector in the header", passphrase, "in the header", changed(104, "\x00\x00\x00\x01")},
		{"cut key slot", passphrase, "key slot 0", whole[:8*sector+1000]},
		{"cut before the first sector", passphrase, "ends before its first sector", whole[:1000*sector]},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path, out := filepath.Join(dir, "volume"), filepath.Join(dir, "out")
			if err := os.WriteFile(path, c.volume, 0o600); err != nil {
				t.Fatal(err)
			}
			err := run(t.Context(), []string{passphraseFile(t, dir, c.passphrase), path, out})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q in it", err, c.want)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("there is a result")
			}
		})
	}
}

// TestInterruptedDerivation: a header that asks for hours of PBKDF2 does not keep Ctrl-C waiting.
func TestInterruptedDerivation(t *testing.T) {
	h := header{Hash: [32]byte{'s', 'h', 'a', '2', '5', '6'}, KeyBytes: 32}
	h.Slots[0] = slot{State: slotInUse, Iterations: math.MaxInt32, Stripes: 1}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := h.unlock(ctx, bytes.NewReader(nil), "secret"); !errors.Is(err, job.ErrInterrupted) {
		t.Errorf("%v, want ErrInterrupted", err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}
