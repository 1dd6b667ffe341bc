package kcrypto_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers lists the packages, lowest layer first. A package imports lower layers only, and nothing in its own layer.
// Do not change this to make a build pass: change the import.
var layers = [][]string{
	{"internal/cpu", "internal/overlap", "internal/noescape", "internal/guard", "internal/codesize", "internal/rewrite",
		"internal/ours", "internal/names"},
	{"internal/limits"},
	{"registry"},
	{"internal/aes", "internal/gostd", "algs/internal/*"},
	{"selftest", "algs/*"},
	{"."},
	{"compat/internal/pool", "compat/internal/equiv", "examples/internal/*"},
	{"compat/internal/aead"},
	{"tools/tcrypt/internal/affinity", "tools/tcrypt/internal/text", "tools/tcrypt/internal/kernelmode"},
	{"tools/tcrypt/internal/result"},
	{"tools/tcrypt/internal/measure", "tools/tcrypt/internal/form", "tools/tcrypt/internal/compare"},
	{"tools/tcrypt/internal/picture"},
	{"tools/consttime/internal/marker", "tools/consttime/internal/taint"},
	{"compat", "compat/*", "bench/*", "tools/*", "tools/consttime/internal/subject", "examples", "examples/*",
		"docs"},
}

// outsiders are the foreign modules that a package may import outside its tests, on top of the standard library.
// Tools and examples may use any that their modules' go.mod names.
var outsiders = map[string][]string{
	"internal/cpu":   {"golang.org/x/sys"},
	"internal/guard": {"golang.org/x/sys"},
	"registry":       {"github.com/rs/zerolog"},
	"internal/gostd": {"golang.org/x/crypto", "golang.org/x/sys"},
	".":              {"github.com/rs/zerolog"},
	// its HChaCha20 is part of what compat/chacha20 replaces
	"compat/chacha20": {"golang.org/x/crypto"},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func layerOf(pkg string) int {
	return slices.IndexFunc(layers, func(layer []string) bool {
		return slices.ContainsFunc(layer, func(p string) bool { ok, _ := path.Match(p, pkg); return ok })
	})
}

func inModule(pkg string) (string, bool) {
	if pkg == "kcrypto" {
		return ".", true
	}
	return strings.CutPrefix(pkg, "kcrypto/")
}

// TestLayers checks the imports of every package against the layers.
func TestLayers(t *testing.T) {
	for _, module := range modules {
		if _, err := os.Stat(filepath.Join(module, "go.mod")); err != nil {
			t.Logf("NOT RUN: the packages of %s: only a clone of the repository has them", module)
			continue
		}
		packages := list(t, module)
		if len(packages) == 0 {
			t.Fatalf("go list showed nothing in %s", module)
		}
		for _, p := range packages {
			name, _ := inModule(p.ImportPath)
			checkLayer(t, name, p.Imports)
		}
	}
}

// modules are the folders whose packages are checked.
var modules = []string{".", "tools", "bench", "examples"}

// list lists the packages of the module in a folder.
func list(t *testing.T, module string) (packages []listed) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = module
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v", module, err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages
		case err != nil:
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// TestRequirements: what an auditor of this library looks at first stays short. A new requirement is argued in the
// commit that adds it here.
func TestRequirements(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"github.com/c2sp/wycheproof", "github.com/rs/zerolog", "golang.org/x/crypto", "golang.org/x/sys"}
	var got []string
	for line := range strings.Lines(string(text)) {
		if module, version, ok := strings.Cut(strings.TrimSpace(line), " v"); ok && !strings.Contains(version, "indirect") {
			got = append(got, module)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("go.mod requires %q, want %q", got, want)
	}
}

func checkLayer(t *testing.T, name string, imports []string) {
	layer := layerOf(name)
	if layer < 0 {
		t.Errorf("%s is in no layer: give it one in deps_test.go", name)
		return
	}
	top := layer > layerOf(".") && !strings.HasPrefix(name, "compat/") // which goes into programs, as the root does
	for _, imp := range imports {
		if ours, ok := inModule(imp); ok {
			if f := layerOf(ours); f >= layer && !strings.HasPrefix(ours, name+"/") {
				t.Errorf("%s (layer %d) imports %s (layer %d): only lower layers are allowed", name, layer, ours, f)
			}
			if ours == "internal/guard" || ours == "internal/codesize" || ours == "compat/internal/equiv" {
				t.Errorf("%s imports %s, which is for tests", name, ours)
			}
			continue
		}
		foreign := strings.Contains(strings.Split(imp, "/")[0], ".")
		if foreign && !top && !slices.ContainsFunc(outsiders[name],
			func(m string) bool { return strings.HasPrefix(imp, m) }) {
			t.Errorf("%s imports %s: argue the dependency and list it in outsiders", name, imp)
		}
	}
}
