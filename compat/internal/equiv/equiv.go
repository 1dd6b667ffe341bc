// Package equiv compares what a program can see of a package and of the one that replaces it: output, error and panic
// of each call. It is for tests.
package equiv

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

// Check fails the test unless ours and original have the same outcome.
func Check(t *testing.T, what string, original, ours Outcome) {
	t.Helper()
	switch {
	case ours.Panic != original.Panic:
		t.Errorf("%s: panic %q, the original's is %q", what, ours.Panic, original.Panic)
	case ours.Err != original.Err:
		t.Errorf("%s: error %q, the original's is %q", what, ours.Err, original.Err)
	case !bytes.Equal(ours.Out, original.Out):
		t.Errorf("%s: output %x, the original's is %x", what, ours.Out, original.Out)
	case (ours.Out == nil) != (original.Out == nil):
		t.Errorf("%s: output nil: %v, the original's: %v", what, ours.Out == nil, original.Out == nil)
	}
}

// Pattern returns n bytes that do not repeat within any block.
func Pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 ^ i>>8*31 ^ 5)
	}
	return b
}

// both makes the same call on either AEAD, each with memory of its own that begins with the same contents, and compares
// the outcomes, and then the memory.
func both(t *testing.T, what string, original, ours cipher.AEAD, memory []byte,
	call func(a cipher.AEAD, m []byte) ([]byte, error),
) {
	t.Helper()
	m1, m2 := slices.Clone(memory), slices.Clone(memory)
	want := Of(func() ([]byte, error) { return call(original, m1) })
	got := Of(func() ([]byte, error) { return call(ours, m2) })
	Check(t, what, want, got)
	if !bytes.Equal(m1, m2) {
		t.Errorf("%s: the call left other bytes in the caller's memory than the original does", what)
	}
}
