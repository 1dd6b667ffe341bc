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

	"kcrypto/internal/rewrite"
)

// upstreamTests are tests of one package of Go or of x/crypto, and how they are changed to test ours.
type upstreamTests struct {
	folder  string // in the temporary module
	from    string // below GOROOT/src, or below golang.org/x/crypto
	files   []string
	shim    string // a file of testdata that goes with them
	changes rewrite.Changes
}

var ourImports = map[string]string{
	"crypto/aes":                 "kcrypto/compat/aes",
	"crypto/internal/cryptotest": "upstream/cryptotest",
	"crypto/internal/boring":     "upstream/boring",
}

// goroot are those of Go's own tests that run. Left out is what tests Go's internals and cannot be compiled outside of
// them: the FIPS service indicator, the fallback inside Go's CTR, and a method that Go does not export.
var goroot = []upstreamTests{
	{folder: "cryptotest", from: "crypto/internal/cryptotest", shim: "cryptotest",
		files: []string{"aead.go", "block.go", "blockmode.go", "stream.go", "methods.go"}},
	{folder: "aes", from: "crypto/aes", files: []string{"aes_test.go"},
		changes: rewrite.Changes{Package: "aes_test", Dot: "kcrypto/compat/aes", Imports: ourImports}},
	{folder: "cipher", from: "crypto/cipher",
		files: []string{"benchmark_test.go", "cbc_test.go", "cbc_aes_test.go", "cfb_test.go", "common_test.go", "ctr_test.go",
			"ctr_aes_test.go", "example_test.go", "gcm_test.go", "modes_test.go", "ofb_test.go"},
		changes: rewrite.Changes{Imports: ourImports, Drop: []string{
			"TestGCMNoncesFIPSV1", "TestCTR_AES_blocks8FastPathMatchesGeneric", "TestCTR_AES_multiblock_XORKeyStreamAt"}}},
}

// xcrypto are those of x/crypto's tests that run: all of them.
var xcrypto = []upstreamTests{
	{folder: "xts", from: "xts", files: []string{"xts_test.go"},
		changes: rewrite.Changes{Package: "xts_test", Dot: "kcrypto/compat/xts", Imports: ourImports}},
	{folder: "chacha20", from: "chacha20", files: []string{"chacha_test.go"}, shim: "chacha20",
		changes: rewrite.Changes{Dot: "kcrypto/compat/chacha20"}},
	{folder: "chacha20", from: "chacha20", files: []string{"vectors_test.go"}},
	{folder: "chacha20poly1305", from: "chacha20poly1305", files: []string{"chacha20poly1305_test.go"},
		changes: rewrite.Changes{Dot: "kcrypto/compat/chacha20poly1305"}},
	{folder: "chacha20poly1305", from: "chacha20poly1305", files: []string{"chacha20poly1305_vectors_test.go"}},
}

// TestUpstreamTests runs the tests of Go and of x/crypto on the packages that stand in for original: out of GOROOT and
// out of the module cache, into a temporary module, with other imports.
func TestUpstreamTests(t *testing.T) {
	t.Parallel() // it waits for the go command most of the time
	home, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := rewrite.Module(dir, "upstream", home); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(goSays(t, "env", "GOROOT"), "src")
	copyTests(t, dir, source, goroot)
	copyTests(t, dir, goSays(t, "list", "-m", "-f", "{{.Dir}}", "golang.org/x/crypto"), xcrypto)
	if err := os.Mkdir(filepath.Join(dir, "boring"), 0o755); err != nil {
		t.Fatal(err)
	}
	copyShim(t, "boring", filepath.Join(dir, "boring"))
	runUpstream(t, dir)
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

func copyTests(t *testing.T, dir, source string, all []upstreamTests) {
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
		if err := p.changes.Folder(to, from, func(name string) bool { return slices.Contains(p.files, name) }); err != nil {
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
	"upstream/aes.TestCipherEncrypt", "upstream/aes.TestAESBlock", "upstream/cipher.TestCBCBlockMode",
	"upstream/cipher.TestCTR_AES",
	"upstream/cipher.TestCTR_AES_multiblock_overflow_IV", "upstream/cipher.TestAESGCM", "upstream/cipher.TestGCMAEAD",
	"upstream/cipher.TestGCMAsm", "upstream/cipher.TestNoExtraMethods", "upstream/xts.TestXTS",
	"upstream/chacha20.TestStep",
	"upstream/chacha20.TestSetCounter", "upstream/chacha20.TestLastBlock", "upstream/chacha20poly1305.TestVectors",
	"upstream/chacha20poly1305.TestRandom",
}

// runUpstream runs the tests and looks at what came of each.
func runUpstream(t *testing.T, dir string) {
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
