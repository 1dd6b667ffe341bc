// Package emit turns what a generator builds with avo into .s files: compile, print, write. A generator's main is one
// call of [Main].
package emit

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// A File is one assembly file to generate.
type File struct {
	Name string // "ctr_vaes_avx512_amd64.s"
	Body func(c *Ctx)
}

// Ctx is avo's build context for one file: every instruction is a method of it.
type Ctx struct {
	*build.Context
}

// Func begins the function that the Go package declares under this name.
func (c *Ctx) Func(name string) {
	c.Implement(name)
	c.Attributes(attr.NOSPLIT)
}

// Main generates the files of the generator called name for the package in folder dir, counted from the module's
// root ("algs/ctr"). It must be run in the folder _asm. Flags: -o FOLDER writes there instead; -check writes nothing
// and fails where a committed file differs.
func Main(name, dir string, files ...File) {
	out := flag.String("o", filepath.Join("..", dir), "folder to write to")
	check := flag.Bool("check", false, "compare with the files there instead of writing")
	flag.Parse()
	for _, f := range files {
		path := filepath.Join(*out, f.Name)
		text, err := Generate(name, "kcrypto/"+filepath.ToSlash(dir), f)
		switch {
		case err != nil:
		case *check:
			err = compare(path, text)
		default:
			err = write(path, text)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %s: %v\n", name, f.Name, err)
			os.Exit(1)
		}
	}
}

// Generate returns the text of one file, made by the generator called name for the package pkg.
func Generate(name, pkg string, f File) ([]byte, error) {
	c := &Ctx{Context: build.NewContext()}
	c.Package(pkg)
	c.ConstraintExpr("!purego")
	f.Body(c)
	file, err := c.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	return printer.NewGoAsm(printer.Config{Name: "kcrypto/_asm/" + name}).Print(file)
}

// compare fails unless the file at path holds text.
func compare(path string, text []byte) error {
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, text) {
		return errors.New("the file differs from what its generator makes; run go generate")
	}
	return nil
}

// write replaces the file at path by text, or leaves it as it was: a generator that fails must not leave half a file.
func write(path string, text []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".emit-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if err := errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
