package kcrypto

import (
	"fmt"
	"runtime"

	"kcrypto/registry"
)

// state is where a transform stands in its life; the zero value is no transform at all.
type state uint8

const (
	noKey  state = iota + 1 // fresh, or after a SetKey that failed
	ready                   // keyed
	closed                  // Close was called
)

// err is what a call that needs a key returns.
func (s state) err() error {
	if s == noKey {
		return errNoKey
	}
	return errClosed
}

// keyed is what a transform leaves behind and must be cleaned up when the transform goes: the key and the
// reference on the driver. It must not point to the transform itself, or that would never go.
type keyed struct {
	impl   interface{ Wipe() }
	handle *registry.Handle
}

func (k keyed) drop() {
	k.impl.Wipe()
	if k.handle != nil {
		k.handle.Release()
	}
}

var (
	errNoKey  = fmt.Errorf("kcrypto: %w: call SetKey first", registry.ErrNoKey)
	errClosed = fmt.Errorf("kcrypto: %w: allocate another one", registry.ErrClosed)
	errAuth   = fmt.Errorf("kcrypto: %w", registry.ErrAuth)
)

// cleanup is a runtime.Cleanup that may be unset, as for the transforms inside a self-test, which hold no
// reference on a driver.
type cleanup struct {
	c  runtime.Cleanup
	on bool
}

func (c *cleanup) stop() {
	if c.on {
		c.c.Stop()
	}
}
