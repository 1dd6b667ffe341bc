// Package rewrite copies Go code of other projects from the module cache or GOROOT into a temporary folder and changes
// its imports there. So their tests can run on this library without being part of this repository. It is for tests and
// benchmarks.
package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Changes says what to change in Go files that are copied.
type Changes struct {
	Imports map[string]string // import paths, old to new
	Package string            // the new name of the package; "" keeps it
	Dot     string            // an import path to add as `. "path"`, for tests that were inside the package they test
	Drop    []string          // functions to leave out, since what they need is not accessible
	Keep    []string          // Tree: files, by their slash-separated paths below it, that stay as they are
}

// Folder copies the files of folder src whose names keep selects to dst, which it makes. It is an error if there is no
// such file, or if none of them has a function that is to be left out.
func (c *Changes) Folder(dst, src string, keep func(name string) bool) error {
	names, err := os.ReadDir(src)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dst, 0o755); err != nil {
		return err
	}
	copied, missing := 0, slices.Clone(c.Drop)
	for _, e := range names {
		if e.IsDir() || !keep(e.Name()) {
			continue
		}
		dropped, err := c.file(filepath.Join(dst, e.Name()), filepath.Join(src, e.Name()))
		if err != nil {
			return err
		}
		missing = slices.DeleteFunc(missing, func(f string) bool { return slices.Contains(dropped, f) })
		copied++
	}
	if copied == 0 {
		return fmt.Errorf("rewrite: no such file in %s", src)
	}
	if len(missing) > 0 {
		return fmt.Errorf("rewrite: %s has no function %s: remove it from Drop", src, strings.Join(missing, ", "))
	}
	return nil
}

// Tree copies the folder src and all below it to dst.
func (c *Changes) Tree(dst, src string) error {
	return filepath.WalkDir(src, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, p)
		if err != nil {
			return err
		}
		to := filepath.Join(dst, rel)
		if e.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		change := c
		if slices.Contains(c.Keep, filepath.ToSlash(rel)) {
			change = new(Changes)
		}
		_, err = change.file(to, p)
		return err
	})
}

// file copies a file and returns the names of the functions that it left out. A file that is not Go, or that imports
// nothing that is to be changed, stays as it is.
func (c *Changes) file(dst, src string) (dropped []string, err error) {
	text, err := os.ReadFile(src)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(src, ".go") && c.concerns(text) {
		if text, dropped, err = c.Source(text); err != nil {
			return nil, fmt.Errorf("rewrite: %s: %w", src, err)
		}
	}
	return dropped, os.WriteFile(dst, text, 0o644)
}

func (c *Changes) concerns(text []byte) bool {
	return c.Package != "" || c.Dot != "" || len(c.Drop) > 0 ||
		slices.ContainsFunc(slices.Collect(maps.Keys(c.Imports)), func(p string) bool {
			return bytes.Contains(text, []byte(strconv.Quote(p)))
		})
}

// edit replaces text[from:to].
type edit struct {
	from, to int
	with     string
}

// Source changes the text of a Go file and returns it with the names of the functions that it left out.
func (c *Changes) Source(text []byte) (changed []byte, dropped []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	var edits []edit
	if c.Package != "" {
		edits = append(edits, edit{at(file.Name.Pos()), at(file.Name.End()), c.Package})
	}
	if c.Dot != "" {
		edits = append(edits, edit{at(file.Name.End()), at(file.Name.End()), "\n\nimport . " + strconv.Quote(c.Dot)})
	}
	before := used(file)
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !slices.Contains(c.Drop, f.Name.Name) {
			return false
		}
		dropped = append(dropped, f.Name.Name)
		edits = append(edits, edit{at(f.Pos()), at(f.End()), ""})
		return true
	})
	after := used(file)
	for _, spec := range file.Imports {
		old, _ := strconv.Unquote(spec.Path.Value)
		if n := nameOf(spec, old); before[n] && !after[n] {
			edits = append(edits, edit{at(spec.Pos()), at(spec.End()), ""})
		} else if now, ok := c.Imports[old]; ok {
			edits = append(edits, edit{at(spec.Path.Pos()), at(spec.Path.End()), strconv.Quote(now)})
		}
	}
	changed, err = format.Source(apply(text, edits)) // the tests of one project check the format
	return changed, dropped, err
}

// used returns the names before a dot in f's functions and variables: names of packages, among others.
func used(f *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
	return names
}

func nameOf(spec *ast.ImportSpec, importPath string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return path.Base(importPath)
}

// apply makes the edits, which do not overlap, from the last to the first.
func apply(text []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
	for _, e := range edits {
		text = slices.Replace(text, e.from, e.to, []byte(e.with)...)
	}
	return text
}

// Module writes the go.mod and go.sum of a temporary module in folder dir. It can import the module in folder home, and
// what that can import, in the same versions.
func Module(dir, name, home string) error {
	mod, err := os.ReadFile(filepath.Join(home, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(home, "go.sum"))
	if err != nil {
		return err
	}
	first, rest, _ := strings.Cut(string(mod), "\n")
	homeName, ok := strings.CutPrefix(first, "module ")
	if !ok {
		return fmt.Errorf("rewrite: %s/go.mod does not begin with a module line", home)
	}
	text := fmt.Sprintf("module %s\n%s\nrequire %s v0.0.0\n\nreplace %s => %s\n", name, rest, homeName, homeName, home)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
}
