package job

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// output is where a result goes.
type output interface {
	write(b []byte) error
	// keep gives a whole result its name.
	keep() error
	// discard undoes what can be undone, and says what became of the result.
	discard() string
}

// newOutput makes an output for name, or for standard output if that is "-".
func newOutput(name string) (output, error) {
	switch _, err := os.Lstat(name); {
	case name == "":
		return nil, fmt.Errorf("%w: the result has no name: give a file's, or - for standard output", ErrUsage)
	case name == "-":
		return &stdout{bufio.NewWriterSize(os.Stdout, 1<<16)}, nil
	case err == nil:
		return nil, existsError(name)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, err
	}
	return &file{name, tmp, bufio.NewWriterSize(tmp, 1<<16)}, nil
}

func existsError(name string) error {
	return fmt.Errorf("%s exists: remove it or choose another name", name)
}

// stdout is standard output. What went there cannot be taken back.
type stdout struct{ w *bufio.Writer }

func (s *stdout) write(b []byte) error {
	_, err := s.w.Write(b)
	return err
}

func (s *stdout) keep() error { return s.w.Flush() }

func (s *stdout) discard() string { return "what was written to standard output is not whole" }

// file is a temporary file beside the name that it gets at the end.
type file struct {
	name string
	tmp  *os.File
	w    *bufio.Writer
}

func (f *file) write(b []byte) error {
	_, err := f.w.Write(b)
	return err
}

// keep makes sure that the result is on the disk before it gets its name.
func (f *file) keep() error {
	err := f.w.Flush()
	if err == nil {
		err = f.tmp.Sync()
	}
	if err == nil {
		err = f.tmp.Close()
	}
	if err != nil {
		return fmt.Errorf("%w; %s", err, f.discard())
	}
	if err := rename(f.tmp.Name(), f.name); err != nil {
		return fmt.Errorf("%w; the result is whole, and is left in %s", err, f.tmp.Name())
	}
	return nil
}

func (f *file) discard() string {
	f.tmp.Close()
	os.Remove(f.tmp.Name())
	return f.name + " was not written"
}

// rename gives from the name to, unless that exists: os.Rename would put it in the place of a file that has appeared
// meanwhile. A link refuses to.
func rename(from, to string) error {
	err := os.Link(from, to)
	switch {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return existsError(to)
	}
	return renameWithoutLinks(from, to)
}

// renameWithoutLinks is rename for file systems that have no links: an empty file takes the name first.
func renameWithoutLinks(from, to string) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return existsError(to)
	}
	if err != nil {
		return err
	}
	f.Close()
	return os.Rename(from, to)
}
