// Package job has the manners that the example programs share: a result that appears whole or not at all, a progress
// line, Ctrl-C, one line of error, and keys in files.
package job

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// ErrUsage is wrapped by errors about the command line; they end the program with status 2 instead of 1.
var ErrUsage = errors.New("usage")

// Main is the main function of a program. The context that run gets ends at the first Ctrl-C or SIGTERM; a second one
// ends the program where it stands.
func Main(name string, run func(ctx context.Context, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:])
	switch {
	case err == nil:
		os.Exit(0)
	case errors.Is(err, ErrUsage):
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	os.Exit(1)
}

// A Job reads one file and writes another. It holds one buffer, however long the files are.
type Job struct {
	ctx     context.Context
	in, tmp *os.File
	reader  *bufio.Reader
	writer  *bufio.Writer
	out     string // the name that the result gets at the end
	release func() bool
	meter   *meter
}

// Start opens in and, in the folder of out, a temporary file. out must not exist: nothing is overwritten.
func Start(ctx context.Context, in, out string) (*Job, error) {
	if _, err := os.Lstat(out); err == nil {
		return nil, fmt.Errorf("%s exists: remove it or choose another name", out)
	}
	f, err := os.Open(in)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder: name a file", in)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	tmp, err := os.CreateTemp(filepath.Dir(out), "."+filepath.Base(out)+".*")
	if err != nil {
		f.Close()
		return nil, err
	}
	j := &Job{ctx: ctx, in: f, tmp: tmp, out: out, meter: newMeter(os.Stderr, info.Size())}
	j.reader, j.writer = bufio.NewReaderSize(f, 1<<16), bufio.NewWriterSize(tmp, 1<<16)
	j.release = context.AfterFunc(ctx, func() { f.Close() }) // wakes a read that waits
	return j, nil
}

// Next fills buf from the input and returns how many bytes there were, fewer only at the end of the file. last says
// that none follow.
func (j *Job) Next(buf []byte) (n int, last bool, err error) {
	n, err = io.ReadFull(j.reader, buf)
	if err == nil {
		_, err = j.reader.Peek(1)
	}
	switch {
	case j.ctx.Err() != nil:
		return 0, false, errors.New("interrupted")
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return n, true, nil
	}
	j.meter.add(n)
	return n, false, err
}

// Write appends to the result.
func (j *Job) Write(b []byte) error {
	_, err := j.writer.Write(b)
	return err
}

// Finish ends the job; it is to be deferred, with the address of the function's error. If that is nil the result gets
// its name, else it is removed.
func (j *Job) Finish(err *error) {
	j.meter.clear()
	j.release()
	j.in.Close()
	if *err == nil {
		*err = j.keep()
	}
	if *err != nil {
		j.tmp.Close()
		os.Remove(j.tmp.Name())
		*err = fmt.Errorf("%w; %s was not written", *err, j.out)
	}
}

// keep makes sure that the result is on the disk before it gets its name.
func (j *Job) keep() error {
	if err := j.writer.Flush(); err != nil {
		return err
	}
	if err := j.tmp.Sync(); err != nil {
		return err
	}
	if err := j.tmp.Close(); err != nil {
		return err
	}
	return os.Rename(j.tmp.Name(), j.out)
}
