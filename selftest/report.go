package selftest

import (
	"errors"
	"fmt"

	"kcrypto/registry"
)

// direction names the operation in failures.
type direction string

const (
	encryption direction = "encryption"
	decryption direction = "decryption"
)

// position is where a run is, for the text of a failure.
type position struct {
	message *message
	layout  *layout
}

// fail words a failure in the form of Linux's testmgr, in one line.
func (r *run) fail(what, detail string) error {
	s := fmt.Sprintf("alg: %s: %s %s", r.subject.Driver.Type, r.subject.Driver.Name, what)
	if r.at.message != nil {
		s += " on " + r.at.message.name()
	}
	if r.at.layout != nil {
		s += fmt.Sprintf(", layout %q", r.at.layout.name())
	}
	return fmt.Errorf("%s: %s (seed %#x)", s, detail, r.rng.seed)
}

// failed is fail for one direction: "encryption test failed (wrong result)".
func (r *run) failed(d direction, why, detail string) error {
	return r.fail(fmt.Sprintf("%s test failed (%s)", d, why), detail)
}

// difference shows where two values of one length differ: eight bytes of each from the first that differs.
func difference(want, got []byte) string {
	i := 0
	for i < len(want) && want[i] == got[i] {
		i++
	}
	end := min(i+8, len(want))
	return fmt.Sprintf("expected %x, got %x at byte %d of %d", want[i:end], got[i:end], i, len(want))
}

// errPanicked is the class of a call that panicked.
var errPanicked = errors.New("panic")

// classes are the errors that two drivers must agree on.
var classes = []error{
	registry.ErrKeySize, registry.ErrNonceSize, registry.ErrAuthSize, registry.ErrAuth, registry.ErrLength,
	registry.ErrOverlap, registry.ErrNoKey, registry.ErrClosed, registry.ErrType, errPanicked,
}

// class returns the class of err, err itself if it has none, and nil for nil.
func class(err error) error {
	for _, c := range classes {
		if errors.Is(err, c) {
			return c
		}
	}
	return err
}

// errorText is err for a failure's text.
func errorText(err error) string {
	if err == nil {
		return "success"
	}
	return fmt.Sprintf("%q", err)
}
