package kcrypto

import (
	"errors"
	"fmt"

	"kcrypto/registry"
)

// AllocAEAD allocates an AEAD transform without a key. name is an algorithm ("gcm(aes)": the best driver that works
// here), a driver ("gcm-aes-vaes-avx2": that driver or an error), a template composition ("rfc4106(gcm(aes))",
// "rfc4106(gcm-aes-aesni-avx)") or an alias of one of these.
//
// Errors (errors.Is): registry.ErrNotFound, ErrType, ErrUnavailable, ErrSelfTest, ErrNonceSize, ErrAuthSize, ErrConfig.
func AllocAEAD(name string, opts ...Option) (*AEAD, error) {
	o := gather(opts)
	return allocAEAD(name, &o)
}

func allocAEAD(name string, o *options) (*AEAD, error) {
	h, c, err := acquire(name, registry.TypeAEAD, o)
	if err != nil {
		return nil, err
	}
	a, err := newAEAD(h.Driver(), c, o)
	if err != nil {
		h.Release()
		return nil, err
	}
	a.bind(h)
	return a, nil
}

// AllocSkcipher allocates a symmetric cipher transform without a key; name is as for AllocAEAD, and so are the
// errors.
func AllocSkcipher(name string, opts ...Option) (*Skcipher, error) {
	o := gather(opts)
	return allocSkcipher(name, &o)
}

func allocSkcipher(name string, o *options) (*Skcipher, error) {
	h, c, err := acquire(name, registry.TypeSkcipher, o)
	if err != nil {
		return nil, err
	}
	s, err := newSkcipher(h.Driver(), c, o)
	if err != nil {
		h.Release()
		return nil, err
	}
	s.bind(h)
	return s, nil
}

// NewAEAD is AllocAEAD and SetKey in one.
func NewAEAD(name string, key []byte, opts ...Option) (*AEAD, error) {
	o := gather(opts)
	o.keySize = len(key)
	a, err := allocAEAD(name, &o)
	if err != nil {
		return nil, err
	}
	if err := a.SetKey(key); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// NewSkcipher is AllocSkcipher and SetKey in one.
func NewSkcipher(name string, key []byte, opts ...Option) (*Skcipher, error) {
	o := gather(opts)
	o.keySize = len(key)
	s, err := allocSkcipher(name, &o)
	if err != nil {
		return nil, err
	}
	if err := s.SetKey(key); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// others are what allocates what is not of a type.
var others = map[registry.Type]string{
	registry.TypeAEAD: "NewSkcipher or AllocSkcipher", registry.TypeSkcipher: "NewAEAD or AllocAEAD",
}

// acquire looks name up and takes a reference on the driver it means.
func acquire(name string, t registry.Type, o *options) (*registry.Handle, registry.Config, error) {
	r := o.registry
	if r == nil {
		d := defaultSetup()
		if err := d.check(); err != nil {
			return nil, registry.Config{}, err
		}
		r = d.registry
	}
	h, err := r.Acquire(name, o.want(t))
	if errors.Is(err, registry.ErrType) {
		err = fmt.Errorf("%w: use %s", err, others[t])
	}
	return h, r.Config(), err
}
