// Package transplant copies other people's Go code out of the module cache or GOROOT into a temporary folder and changes
// its imports there, so that it can be tested on this library without a line of it in this repository. It is for tests
// and benchmarks.
package transplant

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

// Graft says what to change in Go files on the way.
type Graft struct {
	Imports map[string]string // import paths, old to new
	Package string            // the new name of the package; "" keeps it
	Dot     string            // an import path to add as `. "path"`, for tests that were inside the package they test
	Drop    []string          // functions to leave out: what they need cannot be had
	Keep    []string          // Tree: files, by their slash-separated paths below it, that stay as they are
}

// Folder copies the files of folder src whose names keep wants to dst, which it makes. It is an error if there is none,
// or if a function to be dropped is in none of them.
func (g *Graft) Folder(dst, src string, keep func(name string) bool) error {
	names, err := os.ReadDir(src)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dst, 0o755); err != nil {
		return err
	}
	copied, missing := 0, slices.Clone(g.Drop)
	for _, e := range names {
		if e.IsDir() || !keep(e.Name()) {
			continue
		}
		dropped, err := g.file(filepath.Join(dst, e.Name()), filepath.Join(src, e.Name()))
		if err != nil {
			return err
		}
		missing = slices.DeleteFunc(missing, func(f string) bool { return slices.Contains(dropped, f) })
		copied++
	}
	if copied == 0 {
		return fmt.Errorf("transplant: no such file in %s", src)
	}
	if len(missing) > 0 {
		return fmt.Errorf("transplant: %s has no function %s: take it off the list", src, strings.Join(missing, ", "))
	}
	return nil
}

// Tree copies the folder src and all below it to dst.
func (g *Graft) Tree(dst, src string) error {
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
		change := g
		if slices.Contains(g.Keep, filepath.ToSlash(rel)) {
			change = new(Graft)
		}
		_, err = change.file(to, p)
		return err
	})
}

// file copies a file and returns the names of the functions that it left out. Files that are not Go, or do not import
// anything that is to be changed, stay as they are.
func (g *Graft) file(dst, src string) (dropped []string, err error) {
	text, err := os.ReadFile(src)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(src, ".go") && g.concerns(text) {
		if text, dropped, err = g.Source(text); err != nil {
			return nil, fmt.Errorf("transplant: %s: %w", src, err)
		}
	}
	return dropped, os.WriteFile(dst, text, 0o644)
}

func (g *Graft) concerns(text []byte) bool {
	return g.Package != "" || g.Dot != "" || len(g.Drop) > 0 ||
		slices.ContainsFunc(slices.Collect(maps.Keys(g.Imports)), func(p string) bool { return bytes.Contains(text, []byte(strconv.Quote(p))) })
}

// edit replaces text[from:to].
type edit struct {
	from, to int
	with     string
}

// Source changes the text of a Go file and returns it with the names of the functions that it left out.
func (g *Graft) Source(text []byte) (changed []byte, dropped []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	var edits []edit
	if g.Package != "" {
		edits = append(edits, edit{at(file.Name.Pos()), at(file.Name.End()), g.Package})
	}
	if g.Dot != "" {
		edits = append(edits, edit{at(file.Name.End()), at(file.Name.End()), "\n\nimport . " + strconv.Quote(g.Dot)})
	}
	before := used(file)
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !slices.Contains(g.Drop, f.Name.Name) {
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
		} else if now, ok := g.Imports[old]; ok {
			edits = append(edits, edit{at(spec.Path.Pos()), at(spec.Path.End()), strconv.Quote(now)})
		}
	}
	changed, err = format.Source(apply(text, edits)) // one project's tests look at that
	return changed, dropped, err
}

// used lists the names that something is selected from in f's functions and variables: package names among them.
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

// Module writes the go.mod and go.sum of a temporary module in folder dir, which can import what the module in folder
// home can, in the same versions, and home itself.
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
		return fmt.Errorf("transplant: %s/go.mod does not begin with a module line", home)
	}
	text := fmt.Sprintf("module %s\n%s\nrequire %s v0.0.0\n\nreplace %s => %s\n", name, rest, homeName, homeName, home)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
}
