package rewrite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const source = `// Package a is the text that is changed.
package a

import (
	"bytes"
	"crypto/aes"
	alias "crypto/cipher"
	"os"
)

// Keep stays.
func Keep() { aes.NewCipher(nil); alias.NewGCM(nil); bytes.Equal(nil, nil) }

// Gone goes, and the import that only it needs.
func Gone() { os.Exit(1); bytes.Equal(nil, nil) }

type T struct{}

// Gone, a method, stays.
func (T) Gone() {}
`

const result = `// Package a is the text that is changed.
package b

import . "example.com/dot"

import (
	"bytes"
	"example.com/aes"
	alias "example.com/cipher"
)

// Keep stays.
func Keep() { aes.NewCipher(nil); alias.NewGCM(nil); bytes.Equal(nil, nil) }

// Gone goes, and the import that only it needs.

type T struct{}

// Gone, a method, stays.
func (T) Gone() {}
`

func TestSource(t *testing.T) {
	g := Changes{
		Imports: map[string]string{
			"crypto/aes": "example.com/aes", "crypto/cipher": "example.com/cipher", "os/exec": "unused",
		},
		Package: "b", Dot: "example.com/dot", Drop: []string{"Gone"},
	}
	got, dropped, err := g.Source([]byte(source))
	if err != nil || strings.Join(dropped, " ") != "Gone" {
		t.Fatalf("dropped %v, error %v", dropped, err)
	}
	if string(got) != result {
		t.Errorf("text\n%s\nwant\n%s", got, result)
	}
}

func TestFolder(t *testing.T) {
	src, dst := t.TempDir(), filepath.Join(t.TempDir(), "new")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", source)
	write("data.txt", `"crypto/aes"`)
	write("kept.go", source)
	formatted := strings.NewReplacer(
		"\t\"crypto/aes\"\n", "", "cipher\"\n", "cipher\"\n\t\"example.com/aes\"\n").Replace(source)
	all := func(string) bool { return true }
	g := Changes{Imports: map[string]string{"crypto/aes": "example.com/aes"}, Keep: []string{"kept.go"}}
	if err := g.Tree(dst, src); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.go": formatted, "data.txt": `"crypto/aes"`, "kept.go": source} {
		if got, err := os.ReadFile(filepath.Join(dst, name)); err != nil || string(got) != want {
			t.Errorf("%s: error %v, text %q", name, err, got)
		}
	}
	err := (&Changes{Drop: []string{"Gone", "Never"}}).Folder(dst, src, all)
	if err == nil || !strings.Contains(err.Error(), "Never") {
		t.Errorf("a function to drop that is not there: error %v", err)
	}
	if err := g.Folder(dst, src, func(string) bool { return false }); err == nil {
		t.Error("no file at all is no error")
	}
	if err := g.Folder(dst, filepath.Join(src, "nope"), all); err == nil {
		t.Error("no folder is no error")
	}
}
