// Command paths counts which parts of the module's assembly the tests reach: it runs the short suite with a mark at the
// beginning of every basic block, lists the blocks that no test reached, and fails if there are any. Run it in _asm:
//
//	go run ./paths
//
// It marks the committed files, those of no generator, too, and leaves them as they are: go test gets the marked ones
// through -overlay. A block that nothing reaches lacks a test or is dead code.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "paths:", err)
		os.Exit(1)
	}
}

// run marks, tests and reports.
func run() error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "paths-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	packages, err := mark(root, dir)
	if err != nil {
		return err
	}
	return errors.Join(test(root, dir), report(packages))
}

// A pkg is a package with assembly.
type pkg struct {
	folder string // by its path in the module
	blocks []block
	found  string // where its tests leave what they reached
}

// mark writes a marked copy of all assembly of the module in folder root, and an overlay for the go command, to dir.
func mark(root, dir string) ([]*pkg, error) {
	files, err := assembly(root)
	if err != nil {
		return nil, err
	}
	overlay := map[string]string{}
	var packages []*pkg
	for _, file := range files {
		folder := path.Dir(file)
		if len(packages) == 0 || packages[len(packages)-1].folder != folder {
			packages = append(packages, &pkg{folder: folder})
		}
		p := packages[len(packages)-1]
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		marked, blocks := instrument(file, text, page+len(p.blocks))
		p.blocks = append(p.blocks, blocks...)
		overlay[filepath.Join(root, file)] = filepath.Join(dir, strings.ReplaceAll(file, "/", "-"))
		if err := os.WriteFile(overlay[filepath.Join(root, file)], marked, 0o644); err != nil {
			return nil, err
		}
	}
	for _, p := range packages {
		name := strings.ReplaceAll(p.folder, "/", "-")
		p.found = filepath.Join(dir, name)
		overlay[filepath.Join(root, p.folder, "marks_amd64.go")] = p.found + ".go"
		err := errors.Join(os.Mkdir(p.found, 0o755), os.WriteFile(p.found+".go", p.marks(), 0o644))
		if err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	return packages, errors.Join(err, os.WriteFile(filepath.Join(dir, "overlay.json"), text, 0o644))
}

// assembly lists the .s files of the module in folder root, in order of their folders.
func assembly(root string) (files []string, err error) {
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"_asm", "bench", "tools", ".git"}, name):
			return fs.SkipDir
		case strings.HasSuffix(name, "_amd64.s"):
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// page is how far into the array of marks the first block's is.
const page = 4096

// marks is the Go file that gives p its marks.
func (p *pkg) marks() []byte {
	return fmt.Appendf(nil, marksFile, path.Base(p.folder), page, len(p.blocks), p.found)
}

// test runs the short suite on the marked assembly, but for the limits of its size, to which the marks add.
func test(root, dir string) error {
	cmd := exec.Command("go", "test", "-short", "-count=1", "-vet=off", "-skip=^TestCodeSize$",
		"-overlay="+filepath.Join(dir, "overlay.json"),
		".", "./algs/...", "./internal/...")
	cmd.Dir = root
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// report lists the blocks that no test reached.
func report(packages []*pkg) error {
	total, missed := 0, 0
	for _, p := range packages {
		reached, err := p.reached()
		if err != nil {
			return err
		}
		for i, b := range p.blocks {
			total++
			if !reached[i] {
				missed++
				fmt.Println(b)
			}
		}
	}
	fmt.Printf("%d of %d blocks of assembly were reached\n", total-missed, total)
	if missed > 0 {
		return fmt.Errorf("%d blocks lack a test, or are dead code", missed)
	}
	return nil
}

// reached reports which blocks the tests reached: it reads what each of their processes left.
func (p *pkg) reached() ([]bool, error) {
	reached := make([]bool, len(p.blocks))
	files, err := os.ReadDir(p.found)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		number, _, _ := strings.Cut(f.Name(), "-")
		shift, err := strconv.Atoi(number)
		if err != nil {
			return nil, err
		}
		bytes, err := os.ReadFile(filepath.Join(p.found, f.Name()))
		if err != nil {
			return nil, err
		}
		for i := range reached {
			reached[i] = reached[i] || bytes[shift+i] != 0
		}
	}
	return reached, nil
}
