// Tcrypt lists, explains, tests and times the drivers of package kcrypto on the machine it runs on.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, restore) // a second Ctrl-C ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program but for the process around it. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{out: stdout, err: stderr, progress: newProgress(stderr), args: args}
	cmd := a.command()
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	a.progress.clear()
	if err != nil && !a.started { // cobra's verdict on the arguments
		err = usageError{err}
	}
	code := exitCode(err)
	switch code {
	case exitOK:
	case exitInterrupted:
		fmt.Fprintln(stderr, "tcrypt: interrupted")
	default:
		fmt.Fprintln(stderr, "tcrypt: "+oneLine(err))
	}
	return code
}
