package compat_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kcrypto/internal/transplant"
)

// theirs is one package of other people's tests, and what they are changed to test.
type theirs struct {
	folder string // in the temporary module
	from   string // below GOROOT/src, or below golang.org/x/crypto
	files  []string
	shim   string // a file of testdata that goes with them
	graft  transplant.Graft
}

var ours = map[string]string{
	"crypto/aes":                 "kcrypto/compat/aes",
	"crypto/internal/cryptotest": "theirs/cryptotest",
	"crypto/internal/boring":     "theirs/boring",
}

// goroot is what is run of Go's own tests. Left out is what tests Go's internals and cannot be compiled outside of it:
// the FIPS service indicator, the fallback inside Go's CTR, and a method that Go keeps to itself.
var goroot = []theirs{
	{folder: "cryptotest", from: "crypto/internal/cryptotest", shim: "cryptotest",
		files: []string{"aead.go", "block.go", "blockmode.go", "stream.go", "methods.go"}},
	{folder: "aes", from: "crypto/aes", files: []string{"aes_test.go"},
		graft: transplant.Graft{Package: "aes_test", Dot: "kcrypto/compat/aes", Imports: ours}},
	{folder: "cipher", from: "crypto/cipher",
		files: []string{"benchmark_test.go", "cbc_test.go", "cbc_aes_test.go", "cfb_test.go", "common_test.go", "ctr_test.go",
			"ctr_aes_test.go", "example_test.go", "gcm_test.go", "modes_test.go", "ofb_test.go"},
		graft: transplant.Graft{Imports: ours, Drop: []string{
			"TestGCMNoncesFIPSV1", "TestCTR_AES_blocks8FastPathMatchesGeneric", "TestCTR_AES_multiblock_XORKeyStreamAt"}}},
}

// xcrypto is what is run of x/crypto's tests: all there are.
var xcrypto = []theirs{
	{folder: "xts", from: "xts", files: []string{"xts_test.go"},
		graft: transplant.Graft{Package: "xts_test", Dot: "kcrypto/compat/xts", Imports: ours}},
	{folder: "chacha20", from: "chacha20", files: []string{"chacha_test.go"}, shim: "chacha20",
		graft: transplant.Graft{Dot: "kcrypto/compat/chacha20"}},
	{folder: "chacha20", from: "chacha20", files: []string{"vectors_test.go"}},
	{folder: "chacha20poly1305", from: "chacha20poly1305", files: []string{"chacha20poly1305_test.go"},
		graft: transplant.Graft{Dot: "kcrypto/compat/chacha20poly1305"}},
	{folder: "chacha20poly1305", from: "chacha20poly1305", files: []string{"chacha20poly1305_vectors_test.go"}},
}

// TestTheirTests runs the tests of Go and of x/crypto on the packages that stand in for theirs: out of GOROOT and out of
// the module cache, into a temporary module, with other imports.
func TestTheirTests(t *testing.T) {
	t.Parallel() // it waits for the go command most of the time
	home, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := transplant.Module(dir, "theirs", home); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(goSays(t, "env", "GOROOT"), "src")
	plant(t, dir, source, goroot)
	plant(t, dir, goSays(t, "list", "-m", "-f", "{{.Dir}}", "golang.org/x/crypto"), xcrypto)
	if err := os.Mkdir(filepath.Join(dir, "boring"), 0o755); err != nil {
		t.Fatal(err)
	}
	copyShim(t, "boring", filepath.Join(dir, "boring"))
	runTheirs(t, dir)
}

// goSays is the answer of a go command.
func goSays(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

func plant(t *testing.T, dir, source string, all []theirs) {
	t.Helper()
	for _, p := range all {
		from := filepath.Join(source, filepath.FromSlash(p.from))
		for _, f := range p.files {
			if _, err := os.Stat(filepath.Join(from, f)); errors.Is(err, fs.ErrNotExist) {
				t.Skipf("NOT RUN: the tests of Go and x/crypto, for %s is not there. An installed Go has it; one that the go "+
					"command downloaded as a toolchain module has no tests.", filepath.Join(from, f))
			}
		}
		to := filepath.Join(dir, p.folder)
		if err := p.graft.Folder(to, from, func(name string) bool { return slices.Contains(p.files, name) }); err != nil {
			t.Fatal(err)
		}
		if p.shim != "" {
			copyShim(t, p.shim, to)
		}
	}
}

func copyShim(t *testing.T, name, to string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "shim.go"), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// mustPass are some of the tests that must have run, of every package.
var mustPass = []string{
	"theirs/aes.TestCipherEncrypt", "theirs/aes.TestAESBlock", "theirs/cipher.TestCBCBlockMode", "theirs/cipher.TestCTR_AES",
	"theirs/cipher.TestCTR_AES_multiblock_overflow_IV", "theirs/cipher.TestAESGCM", "theirs/cipher.TestGCMAEAD",
	"theirs/cipher.TestGCMAsm", "theirs/cipher.TestNoExtraMethods", "theirs/xts.TestXTS", "theirs/chacha20.TestStep",
	"theirs/chacha20.TestSetCounter", "theirs/chacha20.TestLastBlock", "theirs/chacha20poly1305.TestVectors",
	"theirs/chacha20poly1305.TestRandom",
}

// runTheirs runs the tests and looks at what came of each.
func runTheirs(t *testing.T, dir string) {
	t.Helper()
	args := []string{"test", "-mod=mod", "-vet=off", "-json"}
	if testing.Short() {
		args = append(args, "-short")
	}
	cmd := exec.Command("go", append(args, "./...")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.Output()
	verdicts, output := map[string][]string{}, map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var e struct{ Action, Package, Test, Output, ImportPath string }
		if err := dec.Decode(&e); err != nil {
			t.Fatalf("go test -json: %v", err)
		}
		name := e.ImportPath + e.Package + "." + e.Test
		output[name] += e.Output
		verdicts[e.Action] = append(verdicts[e.Action], name)
	}
	for _, name := range slices.Concat(verdicts["fail"], verdicts["build-fail"]) {
		t.Errorf("%s failed:\n%s", name, output[name])
	}
	for _, name := range mustPass {
		if !slices.Contains(verdicts["pass"], name) {
			t.Errorf("%s is not among the tests that passed", name)
		}
	}
	if err != nil && !t.Failed() {
		t.Errorf("go test: %v", err)
	}
	t.Logf("%d tests and subtests passed, %d left themselves out", len(verdicts["pass"]), len(verdicts["skip"]))
}
