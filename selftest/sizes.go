package selftest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"kcrypto/registry"
)

// checkSizes checks that the driver describes itself as the reference does, that its transforms agree with the
// description, and that they take and refuse the sizes which it names, with the right class of error.
func (r *run) checkSizes() error {
	if err := r.checkDescription(); err != nil {
		return err
	}
	if r.subject.Driver.Type == registry.TypeAEAD {
		return r.checkAEADSizes()
	}
	return r.checkSkcipherSizes()
}

// checkDescription compares what Linux's testmgr compares: sizes that a caller of the algorithm relies on.
func (r *run) checkDescription() error {
	if r.generic == nil {
		return nil
	}
	d, g := &r.subject.Driver, &r.generic.Driver
	for _, p := range []struct {
		name      string
		got, want any
	}{
		{"type", d.Type, g.Type},
		{"key sizes", d.KeySizes, g.KeySizes},
		{"IV size", d.IVSize, g.IVSize},
		{"block size", d.BlockSize, g.BlockSize},
		{"largest tag", defaultTag(d), defaultTag(g)},
		{"shortest message", d.MinSize, g.MinSize},
		{"message unit", max(d.MultipleOf, 1), max(g.MultipleOf, 1)},
	} {
		if got, want := fmt.Sprint(p.got), fmt.Sprint(p.want); got != want {
			return r.fail("description differs",
				fmt.Sprintf("%s: expected %s as %s has, got %s", p.name, want, g.Name, got))
		}
	}
	return nil
}

func (r *run) checkAEADSizes() error {
	d := &r.subject.Driver
	a, err := r.subject.aead(d.IVSize, 0)
	if err != nil {
		return r.fail("allocation failed", errorText(err))
	}
	if a.NonceSize() != d.IVSize || a.Overhead() != defaultTag(d) {
		return r.fail("has wrong sizes", fmt.Sprintf("expected nonce %d and tag %d bytes, got %d and %d",
			d.IVSize, defaultTag(d), a.NonceSize(), a.Overhead()))
	}
	err = r.checkAccepted("setauthsize", d.AuthSizes, registry.ErrAuthSize, a.SetAuthSize)
	if err != nil {
		return err
	}
	setKey := func(n int) error { return a.SetKey(r.rng.bytes(n)) }
	if err := r.checkAccepted("setkey", d.KeySizes, registry.ErrKeySize, setKey); err != nil {
		return err
	}
	// The last key was refused, so there is none now.
	_, err = a.Open(nil, make([]byte, d.IVSize), make([]byte, a.Overhead()), nil)
	return r.expectError("decryption without a key", registry.ErrNoKey, err)
}

func (r *run) checkSkcipherSizes() error {
	d := &r.subject.Driver
	c, err := r.subject.skcipher(0)
	if err != nil {
		return r.fail("allocation failed", errorText(err))
	}
	if c.IVSize() != d.IVSize {
		return r.fail("has wrong sizes", fmt.Sprintf("expected an IV of %d bytes, got %d", d.IVSize, c.IVSize()))
	}
	setKey := func(n int) error { return c.SetKey(r.rng.bytes(n)) }
	if err := r.checkAccepted("setkey", d.KeySizes, registry.ErrKeySize, setKey); err != nil {
		return err
	}
	// The last key was refused, so there is none now.
	iv := make([]byte, d.IVSize)
	text := make([]byte, d.MinSize+max(d.MultipleOf, 1))
	if err := r.expectError("encryption without a key", registry.ErrNoKey, c.Encrypt(text, text, iv)); err != nil {
		return err
	}
	if err := setKey(d.KeySizes[0]); err != nil {
		return r.fail("setkey failed", errorText(err))
	}
	return r.checkLengths(c)
}

// checkLengths checks that messages of wrong lengths are refused before anything is written.
func (r *run) checkLengths(c Skcipher) error {
	d := &r.subject.Driver
	var wrong []int
	if d.MinSize > 0 {
		wrong = append(wrong, d.MinSize-1)
	}
	if d.MultipleOf > 1 {
		wrong = append(wrong, d.MinSize+1, d.MinSize+d.MultipleOf+d.MultipleOf-1)
	}
	iv := r.rng.bytes(d.IVSize)
	if ctr := r.traits.counter; ctr != nil && !ctr.wraps {
		ctr.last(iv)
		wrong = append(wrong, d.ChunkSize+1, 3*d.ChunkSize)
	}
	for _, n := range wrong {
		src, dst := r.rng.bytes(n), bytes.Repeat([]byte{poison}, n)
		what := fmt.Sprintf("encryption of %d bytes under IV %x", n, iv)
		if err := r.expectError(what, registry.ErrLength, c.Encrypt(dst, src, iv)); err != nil {
			return err
		}
		if !poisoned(dst) {
			return r.fail(what+" wrote to dst", "expected nothing written with an error")
		}
	}
	return nil
}

// checkAccepted checks that set takes the sizes in good, and refuses every other one up to the largest plus 1 with an
// error of class want. The size it tries last is refused.
func (r *run) checkAccepted(what string, good []int, want error, set func(n int) error) error {
	if len(good) == 0 {
		return r.fail(what+" failed", "the driver's description names no size")
	}
	for n := range slices.Max(good) + 2 {
		expected := want
		if slices.Contains(good, n) {
			expected = nil
		}
		if err := r.expectError(fmt.Sprintf("%s of %d bytes", what, n), expected, set(n)); err != nil {
			return err
		}
	}
	return nil
}

// expectError checks that err is of class want; nil means that no error is expected.
func (r *run) expectError(what string, want, err error) error {
	switch {
	case want == nil && err != nil:
		return r.fail(what+" failed", fmt.Sprintf("expected_error=none, actual_error=%s", errorText(err)))
	case want != nil && err == nil:
		return r.fail(what+" unexpectedly succeeded", fmt.Sprintf("expected_error=%q", want))
	case !errors.Is(err, want):
		return r.fail(what+" failed", fmt.Sprintf("expected_error=%q, actual_error=%s", want, errorText(err)))
	}
	return nil
}
