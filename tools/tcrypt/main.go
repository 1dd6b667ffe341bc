// Tcrypt lists, explains, tests and times the drivers of package kcrypto on the machine it runs on.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

func main() {
	os.Exit(run(untilSignal(context.Background()), os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program but for the process around it. It returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := &stdout{w: out, width: widthOf(out), cancel: cancel}
	a := &app{out: results, err: errs, progress: newProgress(errs), args: args}
	cmd := a.command()
	cmd.SetArgs(args)
	cmd.SetErr(errs)
	err := cmd.ExecuteContext(ctx)
	a.progress.clear()
	if err != nil && !a.started { // cobra's verdict on the arguments
		err = usageError{err}
	}
	code, message := outcome(err, results.err, context.Cause(ctx))
	if message != "" {
		fmt.Fprintln(errs, "tcrypt: "+message)
	}
	return code
}
