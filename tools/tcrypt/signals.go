package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// An interruption is the cause of a context that a signal ended.
type interruption struct{ signal syscall.Signal }

func (i interruption) Error() string {
	if i.signal == syscall.SIGINT {
		return "interrupted"
	}
	return i.signal.String()
}

// untilSignal returns a context that ends when the user or the system wants the program to end. A second signal ends
// the program at once. Who closes the other end of a pipe ends no program by that: there may be files to write.
func untilSignal(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	signal.Ignore(syscall.SIGPIPE) // writing fails instead
	came := make(chan os.Signal, 1)
	signal.Notify(came, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup has it ignored
		signal.Notify(came, syscall.SIGHUP)
	}
	go func() {
		s := <-came
		signal.Stop(came)
		cancel(interruption{s.(syscall.Signal)})
	}()
	return ctx
}
