// Package job has what the example programs share: a result that appears whole or not at all, standard input and output
// as "-", a progress line, Ctrl-C, one line of error, and keys in files.
package job

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// ErrUsage is wrapped by errors about the command line; they end the program with status 2 instead of 1.
var ErrUsage = errors.New("usage")

// ErrInterrupted is the error of what Ctrl-C ended.
var ErrInterrupted = errors.New("interrupted")

// Main is the main function of a program. The context that run gets ends at the first Ctrl-C or SIGTERM; a second one
// ends the program at once.
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

// Await returns what f returns, or ErrInterrupted as soon as ctx ends. It is for work that nothing can stop: f goes on
// then, until the program ends.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := f()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ErrInterrupted
	}
}

// A Job reads one file and writes another. It holds one buffer, however long the files are.
type Job struct {
	ctx    context.Context
	in     io.Closer
	reader *bufio.Reader
	out    output
	stop   func() bool
	meter  *meter
}

// Start opens in, and out's folder for a result of that name, which must not exist: nothing is overwritten. "-" is
// standard input and standard output.
func Start(ctx context.Context, in, out string) (*Job, error) {
	o, err := newOutput(out)
	if err != nil {
		return nil, err
	}
	r, size, err := openInput(in)
	if err != nil {
		o.discard()
		return nil, err
	}
	j := &Job{ctx: ctx, in: r, reader: bufio.NewReaderSize(r, 1<<16), out: o, meter: newMeter(os.Stderr, size)}
	j.stop = context.AfterFunc(ctx, func() { r.Close() }) // wakes a read that waits
	return j, nil
}

// openInput opens a file, or standard input, and returns its size in bytes, 0 where that is not known.
func openInput(name string) (r io.ReadCloser, size int64, err error) {
	if name == "-" {
		// A read from a terminal does not end when the file is closed, one from this pipe does.
		r, w := io.Pipe()
		go func() {
			_, err := io.Copy(w, os.Stdin)
			w.CloseWithError(err)
		}()
		return r, 0, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder: name a file", name)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
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
		return 0, false, ErrInterrupted
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return n, true, nil
	}
	j.meter.add(n)
	return n, false, err
}

// Write appends to the result.
func (j *Job) Write(b []byte) error { return j.out.write(b) }

// Finish ends the job; it is to be deferred, with the address of the function's error. If that is nil the result gets
// its name, else it is removed.
func (j *Job) Finish(err *error) {
	j.meter.clear()
	j.stop()
	j.in.Close()
	if *err == nil {
		*err = j.out.keep()
		return
	}
	*err = fmt.Errorf("%w; %s", *err, j.out.discard())
}
