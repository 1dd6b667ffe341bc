// Package probe runs pieces of generators in tests: it assembles them in a module of their own and tests that.
package probe

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
	"kcrypto/internal/cpu"
)

// Run assembles what body emits with FuncType, adds the Go declarations in decls, and runs the test file in testdata
// (its name ends in .txt, so that nothing else takes it for Go) on it.
func Run(t *testing.T, test, decls string, body func(c *emit.Ctx)) {
	t.Helper()
	text, err := emit.Generate("probe", nil, emit.File{Name: "probe_amd64.s", Body: body})
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join("testdata", test))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":        "module probe\n\ngo 1.26\n",
		"probe.go":      "package probe\n\n" + decls,
		"probe_amd64.s": string(text),
		"probe_test.go": string(code),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"vet", "test"} {
		cmd := exec.Command("go", command, ".")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", command, err, out)
		}
	}
}

// Variant is a width with the features that whoever uses all of it needs.
type Variant struct {
	Name  string
	Width vec.Width
	Needs []string
}

// Variants returns the widths that this machine can run, and says in the test's log which it cannot.
func Variants(t *testing.T) []Variant {
	var usable []Variant
	for _, v := range []Variant{
		{"SSE", vec.SSE, []string{"aesni", "pclmulqdq"}},
		{"XMM", vec.XMM, []string{"aesni_avx", "pclmulqdq"}},
		{"YMM", vec.YMM, []string{"vaes_avx2"}},
		{"XMMEVEX", vec.XMMEVEX, []string{"vaes_avx512"}},
		{"YMMEVEX", vec.YMMEVEX, []string{"vaes_avx512"}},
		{"ZMM", vec.ZMM, []string{"vaes_avx512"}},
	} {
		if missing := cpu.Host().Missing(v.Needs); missing != nil {
			t.Logf("NOT RUN: %s, this machine has no %v", v.Name, missing)
			continue
		}
		usable = append(usable, v)
	}
	return usable
}
