// Package alike compares what a program can see of a package and of the one that stands in for it: output, error and
// panic, case by case. It is for tests.
package alike

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"slices"
	"testing"
)

// Outcome is all that a caller sees of a call.
type Outcome struct {
	Out   []byte
	Err   string // with its type
	Panic string // with its type
}

// Of makes a call and returns its outcome.
func Of(call func() ([]byte, error)) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = Outcome{Panic: fmt.Sprintf("%T: %v", p, p)}
		}
	}()
	out, err := call()
	o.Out = slices.Clone(out)
	if err != nil {
		o.Err = fmt.Sprintf("%T: %v", err, err)
	}
	return o
}

// Check fails the test unless ours and theirs have the same outcome.
func Check(t *testing.T, what string, theirs, ours Outcome) {
	t.Helper()
	switch {
	case ours.Panic != theirs.Panic:
		t.Errorf("%s: panic %q, theirs is %q", what, ours.Panic, theirs.Panic)
	case ours.Err != theirs.Err:
		t.Errorf("%s: error %q, theirs is %q", what, ours.Err, theirs.Err)
	case !bytes.Equal(ours.Out, theirs.Out):
		t.Errorf("%s: output %x, theirs is %x", what, ours.Out, theirs.Out)
	case (ours.Out == nil) != (theirs.Out == nil):
		t.Errorf("%s: output nil: %v, theirs: %v", what, ours.Out == nil, theirs.Out == nil)
	}
}

// Pattern is n bytes that do not repeat within any block.
func Pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 ^ i>>8*31 ^ 5)
	}
	return b
}

// both makes the same call on either AEAD, each with memory of its own that begins with the same contents, and compares
// the outcomes, and then the memory.
func both(t *testing.T, what string, theirs, ours cipher.AEAD, memory []byte,
	call func(a cipher.AEAD, m []byte) ([]byte, error),
) {
	t.Helper()
	m1, m2 := slices.Clone(memory), slices.Clone(memory)
	want := Of(func() ([]byte, error) { return call(theirs, m1) })
	got := Of(func() ([]byte, error) { return call(ours, m2) })
	Check(t, what, want, got)
	if !bytes.Equal(m1, m2) {
		t.Errorf("%s: the call left other bytes in the caller's memory than theirs does", what)
	}
}
