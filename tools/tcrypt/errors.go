package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kcrypto/registry"
)

// The exit codes of tcrypt.
const (
	exitOK          = 0
	exitFailed      = 1   // a driver failed, or something else went wrong
	exitUsage       = 2   // what was asked for makes no sense: nothing was done
	exitInterrupted = 130 // Ctrl-C; what there was until then has been printed
)

// usageError is a mistake of whoever called tcrypt.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func exitCode(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage), errors.Is(err, registry.ErrConfig), errors.Is(err, registry.ErrNotFound):
		return exitUsage
	}
	return exitFailed
}

// unknown is the error for a name that is not there: what the thing is, what was asked, and what there is.
func unknown(kind, word string, names []string, all string) error {
	if near := nearest(word, names); near != nil {
		return usagef("no %s %q; did you mean %s?", kind, word, strings.Join(near, " or "))
	}
	return usagef("no %s %q; %s", kind, word, all)
}

// oneLine makes err's text fit on one line, however it was put together.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
