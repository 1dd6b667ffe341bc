package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"

	"kcrypto/registry"
)

func TestOutcome(t *testing.T) {
	full := errors.New("a disk is full")
	gone := &os.PathError{Op: "write", Path: "x", Err: syscall.EPIPE}
	stopped, terminated := context.Canceled, interruption{syscall.SIGTERM}
	for _, c := range []struct {
		err, writing, ended error
		code                int
		message             string
	}{
		{nil, nil, nil, 0, ""},
		{full, nil, nil, 1, "a disk is full"},
		{nil, full, full, 1, "a disk is full"},
		{stopped, full, full, 1, "a disk is full"},
		{fmt.Errorf("x: %w", registry.ErrSelfTest), nil, nil, 1, "x: " + registry.ErrSelfTest.Error()},
		{usagef("what?"), nil, nil, 2, "what?"},
		{fmt.Errorf("x: %w", usagef("what?")), nil, nil, 2, "x: what?"},
		{fmt.Errorf("x: %w", registry.ErrConfig), nil, nil, 2, "x: " + registry.ErrConfig.Error()},
		{fmt.Errorf("x: %w", registry.ErrNotFound), nil, nil, 2, "x: " + registry.ErrNotFound.Error()},
		{fmt.Errorf("%w: %w", full, io.EOF), nil, nil, 1, "a disk is full: EOF"},
		{errors.Join(full, errors.Join(errors.New("two\n\tthree"), io.EOF)), nil, nil, 1,
			"a disk is full; two three; EOF"},
		{fmt.Errorf("x: %w", stopped), nil, stopped, 130, "interrupted"},
		{nil, nil, interruption{syscall.SIGINT}, 130, "interrupted"}, // when all was done
		{fmt.Errorf("x: %w", terminated), nil, terminated, 143, "terminated"},
		{fmt.Errorf("x: %w", full), full, full, 1, "a disk is full"},
		{stopped, nil, terminated, 143, "terminated"},
		{errors.Join(stopped, full), nil, terminated, 1, "a disk is full"},
		{stopped, nil, nil, 1, "context canceled"}, // by whom?
		{nil, gone, gone, 141, ""},
		{errors.Join(stopped, full), gone, gone, 1, "a disk is full"},
	} {
		code, message := outcome(c.err, c.writing, c.ended)
		if code != c.code || message != c.message {
			t.Errorf("%v, %v, %v: %d %q, want %d %q", c.err, c.writing, c.ended, code, message, c.code, c.message)
		}
	}
}

func TestUnknown(t *testing.T) {
	names := []string{"gcm(aes)", "ctr(aes)"}
	for word, want := range map[string]string{
		"gcm-aes": `no algorithm "gcm-aes"; did you mean gcm(aes)?`,
		"aes":     `no algorithm "aes"; did you mean ctr(aes) or gcm(aes)?`,
		"twofish": `no algorithm "twofish"; tcrypt list shows all`,
	} {
		if got := unknown("algorithm", word, names, "tcrypt list shows all").Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
