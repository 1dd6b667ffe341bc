//go:build !linux

package guard

import (
	"errors"
	"fmt"
)

// Available reports whether buffers are guarded by unmapped pages here. They are on Linux only.
const Available = false

// Arena stands in for the Linux one with ordinary memory: lengths and contents are the same, and nothing faults.
type Arena struct {
	data, view []byte // the same
}

// New returns an arena of size zero bytes.
func New(size int) (*Arena, error) {
	b := make([]byte, size)
	return &Arena{data: b, view: b}, nil
}

// Free drops the memory.
func (a *Arena) Free() error {
	*a = Arena{}
	return nil
}

// Huge is an error here: it needs Linux's memfd.
func Huge(n int) (buf []byte, free func() error, err error) {
	return nil, nil, fmt.Errorf("guard: a slice of %d bytes in little memory needs Linux: %w", n, errors.ErrUnsupported)
}
