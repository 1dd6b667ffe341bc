package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"kcrypto/registry"
)

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("a disk is full"), 1},
		{fmt.Errorf("x: %w", registry.ErrSelfTest), 1},
		{usagef("what?"), 2},
		{fmt.Errorf("x: %w", usagef("what?")), 2},
		{fmt.Errorf("x: %w", registry.ErrConfig), 2},
		{fmt.Errorf("x: %w", registry.ErrNotFound), 2},
		{fmt.Errorf("x: %w", context.Canceled), 130},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
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

func TestOneLine(t *testing.T) {
	if got := oneLine(errors.Join(errors.New("one"), errors.New("two\n\tthree"))); got != "one two three" {
		t.Errorf("got %q", got)
	}
}
