package kcrypto

import (
	"fmt"
	"math"
	"slices"

	"kcrypto/registry"
)

// lifecycle is how far a transform has come; the zero value is no transform at all.
type lifecycle uint8

const (
	noKey  lifecycle = iota + 1 // fresh, or after a SetKey that failed
	ready                       // keyed
	closed                      // Close was called
)

// open reports whether there is a transform: a zero one counts as closed.
func (l lifecycle) open() bool { return l == noKey || l == ready }

// err is what a call that needs a key returns.
func (l lifecycle) err() error {
	if l == noKey {
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

var errOverlap = fmt.Errorf("kcrypto: %w of output and input: use the same memory for both, or separate memory",
	registry.ErrOverlap)

// setKey gives impl a key that fits d and, if weak is set, is not weak. After an error impl holds no key.
func setKey(impl keyer, d *registry.Driver, weak registry.WeakKeyChecker, key []byte) error {
	err := checkKey(d, weak, key)
	if err == nil {
		err = impl.SetKey(key)
	}
	if err != nil {
		impl.Wipe()
	}
	return err
}

// limit turns a descriptor's maximum into one that can be compared with: 0 there means none.
func limit(n uint64) uint64 {
	if n == 0 {
		return math.MaxInt64 // longer than any slice
	}
	return n
}

// keyer is what every driver's key object is.
type keyer interface {
	SetKey(key []byte) error
	Wipe()
}

func checkKey(d *registry.Driver, weak registry.WeakKeyChecker, key []byte) error {
	if !slices.Contains(d.KeySizes, len(key)) {
		return fmt.Errorf("kcrypto: %w size: %d bytes for %s, want one of %v",
			registry.ErrKeySize, len(key), d.Algorithm, d.KeySizes)
	}
	if weak != nil {
		if why := weak.WeakKey(key); why != "" {
			return fmt.Errorf("kcrypto: %w for %s: %s", registry.ErrKeySize, d.Algorithm, why)
		}
	}
	return nil
}

// noCopy makes go vet report copies. A copy would share its key with the original, and go on with a wiped one when
// the original is closed or collected.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// construct makes a key object of d. A driver of another module may panic: that is its failure and not the program's.
func construct[T any](d *registry.Driver, newObject func(registry.Config) T, c registry.Config) (object T, err error) {
	returned := false
	defer func() {
		if !returned { // recover walks the stack, which takes longer than all the rest here
			err = fmt.Errorf("kcrypto: %w: the constructor of %s panicked: %v", registry.ErrDriver, d.Name, recover())
		}
	}()
	object = newObject(c)
	returned = true
	return object, nil
}
