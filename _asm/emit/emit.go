// Package emit turns what a generator builds with avo into .s files: compile, lint, print, write. A generator is a
// command whose main is one call of [Main].
package emit

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// A File is one assembly file to generate.
type File struct {
	Name string // "ctr_vaes_avx512_amd64.s"
	Body func(c *Ctx)
}

// Main generates the files of the generator called name for the package in folder dir, counted from the module's
// root ("algs/ctr"). It must be run in the folder _asm. All files are made before the first is written. Flags:
// -o FOLDER writes there instead; -check writes nothing, fails where a file there differs, and prints the files' names.
func Main(name, dir string, files ...File) {
	out := flag.String("o", filepath.Join("..", dir), "folder to write to")
	check := flag.Bool("check", false, "compare with the files there instead of writing")
	flag.Parse()
	finish := write
	if *check {
		finish = compare
	}
	if err := run(name, filepath.Join("..", dir), *out, files, finish); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run generates all files, then hands the path and text of each to finish.
func run(name, dir, out string, files []File, finish func(path string, text []byte) error) error {
	pkg, err := load(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	texts := make([][]byte, len(files))
	for i, f := range files {
		text, err := Generate(name, pkg, f)
		if err != nil {
			return fmt.Errorf("%s: %s:\n%w", name, f.Name, err)
		}
		texts[i] = text
	}
	for i, f := range files {
		if err := finish(filepath.Join(out, f.Name), texts[i]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Generate returns the text of one file, made by the generator called name for a package. With a nil pkg the file may
// use FuncType only.
func Generate(name string, pkg *types.Package, f File) (text []byte, err error) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case failure:
			err = f.error
		default:
			panic(f)
		}
	}()
	c := newCtx(pkg)
	c.ConstraintExpr("!purego")
	f.Body(c)
	c.EmitCold()
	file, err := c.Result()
	if err != nil {
		return nil, err
	}
	if err := c.compile(file); err != nil {
		return nil, err
	}
	return printer.NewGoAsm(printer.Config{Name: "kcrypto/_asm/" + name}).Print(file)
}

// compile runs avo's passes (those of its pass.Compile, in its order) with the lint between them: most rules need the
// virtual registers, one needs the final ones.
func (c *Ctx) compile(file *ir.File) error {
	return pass.Concat(
		pass.Verify,
		pass.FunctionPass(pass.PruneJumpToFollowingLabel),
		pass.FunctionPass(pass.PruneDanglingLabels),
		pass.FunctionPass(pass.LabelTarget),
		pass.FunctionPass(pass.CFG),
		c.lint((*lintFunc).Check),
		pass.InstructionPass(pass.ZeroExtend32BitOutputs),
		pass.FunctionPass(pass.Liveness),
		pass.FunctionPass(pass.AllocateRegisters),
		pass.FunctionPass(pass.BindRegisters),
		pass.FunctionPass(pass.VerifyAllocation),
		c.lint((*lintFunc).CheckRegisters),
		pass.FunctionPass(pass.EnsureBasePointerCalleeSaved),
		pass.Func(pass.IncludeTextFlagHeader),
		pass.FunctionPass(pass.PruneSelfMoves),
		pass.FunctionPass(pass.RequiredISAExtensions),
	).Execute(file)
}

// compare fails unless the file at path holds text, and prints path.
func compare(path string, text []byte) error {
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, text) {
		return fmt.Errorf("%s is not what its generator makes; run go generate in its folder", path)
	}
	fmt.Println(path)
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
