package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const passphrase = "correct horse"

func passphraseFile(t *testing.T, dir, text string) string {
	t.Helper()
	path := filepath.Join(dir, "passphrase")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// noise is what a volume is made of.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

// tool finds a program. KCRYPTO_REQUIRE_TOOLS makes its absence a failure.
func tool(t *testing.T, name, pkg string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
		return path
	case os.Getenv("KCRYPTO_REQUIRE_TOOLS") != "":
		t.Fatalf("there is no %s, which KCRYPTO_REQUIRE_TOOLS asks for; Debian has it in %s", name, pkg)
	}
	t.Skipf("NOT RUN HERE: there is no %s; Debian has it in %s", name, pkg)
	return ""
}

// qemuImage makes a LUKS1 volume of plain with qemu-img, another implementation of the format and of its modes.
func qemuImage(t *testing.T, dir string, plain []byte, options string) string {
	t.Helper()
	raw, volume := filepath.Join(dir, "raw"), filepath.Join(dir, "volume")
	if err := os.WriteFile(raw, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	for tries := 5; ; tries-- {
		out, err := exec.Command(tool(t, "qemu-img", "qemu-utils"), "convert", "-f", "raw", "-O", "luks",
			"--object", "secret,id=s,data="+passphrase, "-o", "key-secret=s,iter-time=10,"+options, raw, volume,
		).CombinedOutput()
		switch {
		case err == nil:
			return volume
		case tries == 0 || !strings.Contains(string(out), "CPU usage"): // which it cannot always measure on a busy machine
			t.Fatalf("qemu-img: %v: %s", err, out)
		}
	}
}

const (
	xtsImage   = "cipher-mode=xts,ivgen-alg=plain64,"
	essivImage = "cipher-mode=cbc,ivgen-alg=essiv,ivgen-hash-alg=sha256,"
)

func TestReadsQEMU(t *testing.T) {
	for i, options := range []string{
		xtsImage + "cipher-alg=aes-256,hash-alg=sha256", essivImage + "cipher-alg=aes-256,hash-alg=sha1",
		xtsImage + "cipher-alg=aes-128,hash-alg=sha1", xtsImage + "cipher-alg=aes-256,hash-alg=sha512",
		essivImage + "cipher-alg=aes-128,hash-alg=sha256", "cipher-mode=cbc,ivgen-alg=plain64,cipher-alg=aes-128",
		"cipher-mode=cbc,ivgen-alg=plain,cipher-alg=aes-256",
	} {
		if i > 1 && testing.Short() {
			break // qemu-img measures for seconds how many iterations it can afford
		}
		t.Run(options, func(t *testing.T) {
			dir, plain := t.TempDir(), noise(3*piece+7*unit)
			read(t, dir, qemuImage(t, dir, plain, options), plain)
		})
	}
}

// read reads a volume in which plain went.
func read(t *testing.T, dir, volume string, plain []byte) {
	t.Helper()
	out := filepath.Join(dir, "out")
	if err := run(t.Context(), []string{passphraseFile(t, dir, passphrase+"\n"), volume, out}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, plain) {
		t.Errorf("%d bytes, not the %d that went in", len(got), len(plain))
	}
}

// A refusal is a volume that is not read, and a part of why.
type refusal struct {
	name, passphrase, want string
	volume                 []byte
}

// check reads the volume, which must fail with one line and leave nothing.
func (r *refusal) check(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	path, out := filepath.Join(dir, "volume"), filepath.Join(dir, "out")
	if err := os.WriteFile(path, r.volume, 0o600); err != nil {
		t.Fatal(err)
	}
	err := run(t.Context(), []string{passphraseFile(t, dir, r.passphrase), path, out})
	if err == nil || !strings.Contains(err.Error(), r.want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one line of error with %q in it", err, r.want)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a result (%v)", err)
	}
}

func TestRefusesLUKS1(t *testing.T) {
	whole, err := os.ReadFile(qemuImage(t, t.TempDir(), make([]byte, 64*unit), xtsImage+"cipher-alg=aes-256"))
	if err != nil {
		t.Fatal(err)
	}
	changed := func(at int, to string) []byte {
		b := bytes.Clone(whole)
		copy(b[at:], to)
		return b
	}
	for _, r := range []refusal{
		{"wrong passphrase", "battery staple", "no key slot opens", whole},
		{"empty", passphrase, "ends in its header", nil},
		{"cut header", passphrase, "ends in its header", whole[:500]},
		{"not LUKS", passphrase, "no LUKS volume", changed(0, "QFI\xfb")},
		{"LUKS3", passphrase, "version 3", changed(6, "\x00\x03")},
		{"another mode", passphrase, `"aes-cbc-tcw"`, changed(40, "cbc-tcw\x00")},
		{"another cipher", passphrase, `"serpent-xts-plain64"`, changed(8, "serpent\x00")},
		{"another hash", passphrase, "ripemd160", changed(72, "ripemd160\x00")},
		{"a key of 1 byte", passphrase, "a key of 1 bytes", changed(108, "\x00\x00\x00\x01")},
		{"many stripes", passphrase, "4294967295 stripes", changed(208+44, "\xff\xff\xff\xff")},
		{"no iterations in a slot", passphrase, "0 iterations", changed(208+4, "\x00\x00\x00\x00")},
		{"no iterations of the digest", passphrase, "0 iterations", changed(164, "\x00\x00\x00\x00")},
		{"too many iterations", passphrase, "4294967295 iterations", changed(208+4, "\xff\xff\xff\xff")},
		{"hours of iterations", passphrase, "with -costly it is tried", changed(208+4, "\x7f\xff\xff\xff")},
		{"hours for the digest", passphrase, "with -costly it is tried", changed(164, "\x7f\xff\xff\xff")},
		{"no place for the header", passphrase, "in the header", changed(104, "\x00\x00\x00\x00")},
		{"the first sector in the header", passphrase, "in the header", changed(104, "\x00\x00\x00\x01")},
		{"cut key slot", passphrase, "key slot 0", whole[:8*unit+1000]},
		{"cut before the first sector", passphrase, "ends before its first sector", whole[:1000*unit]},
		{"cut in a sector", passphrase, "ends within its data", whole[:len(whole)-1]},
	} {
		t.Run(r.name, r.check)
	}
}
