package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"syscall"

	"kcrypto/internal/names"
	"kcrypto/registry"
)

// The exit codes of tcrypt. What a signal ended, or might have ended, has signalled and the signal's number, as in a
// shell.
const (
	exitOK     = 0
	exitFailed = 1 // a driver failed or cannot run, or a result could not be written
	exitUsage  = 2 // what was asked for makes no sense: nothing was done
	signalled  = 128
)

// usageError is a mistake of whoever called tcrypt.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// outcome is how the program ends: the exit code, and what to say about it, if anything. err is the command's, writing
// the one of its standard output, and ended why its context ended, or nil. What went wrong matters more than that
// somebody wanted an end.
func outcome(err, writing, ended error) (code int, message string) {
	var wrong []error
	for _, e := range parts(err) {
		if ended == nil || !errors.Is(e, context.Canceled) && !errors.Is(e, ended) {
			wrong = append(wrong, e)
		}
	}
	noReader := errors.Is(writing, syscall.EPIPE) // such as head: no mistake
	if writing != nil && !noReader {
		wrong = append(wrong, writing)
	}
	var by interruption
	switch {
	case len(wrong) > 0:
		return exitCode(errors.Join(wrong...)), oneLine(wrong)
	case noReader:
		return signalled + int(syscall.SIGPIPE), ""
	case errors.As(ended, &by):
		return signalled + int(by.signal), by.Error()
	case ended != nil:
		return signalled + int(syscall.SIGINT), interruption{syscall.SIGINT}.Error()
	}
	return exitOK, ""
}

// parts takes an error apart that errors.Join made.
func parts(err error) []error {
	if err == nil {
		return nil
	}
	if reflect.TypeOf(err) != joined {
		return []error{err}
	}
	var all []error
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		all = append(all, parts(e)...)
	}
	return all
}

var joined = reflect.TypeOf(errors.Join(errors.New("")))

func exitCode(err error) int {
	var usage usageError
	if errors.As(err, &usage) || errors.Is(err, registry.ErrConfig) || errors.Is(err, registry.ErrNotFound) {
		return exitUsage
	}
	return exitFailed
}

// unknown is the error for a name that is not there: what the thing is, what was asked, and what there is.
func unknown(kind, word string, known []string, all string) error {
	if near := names.Suggest(word, known); near != nil {
		return usagef("no %s %q; did you mean %s?", kind, word, strings.Join(near, " or "))
	}
	return usagef("no %s %q; %s", kind, word, all)
}

// oneLine makes the texts of errors fit on one line, however they were put together.
func oneLine(errs []error) string {
	var texts []string
	for _, err := range errs {
		texts = append(texts, strings.Join(strings.Fields(err.Error()), " "))
	}
	return strings.Join(texts, "; ")
}
