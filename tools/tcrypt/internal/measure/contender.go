package measure

import (
	"errors"
	"math/rand/v2"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/result"
)

// A Contender is one implementation with a key, ready to be timed.
type Contender struct {
	Driver string // or result.Go
	Impl   string // or result.Go

	transform any          // a cipher.AEAD or a skcipher
	setKey    func() error // sets the same key again
	close     func() error
}

// Close wipes the key.
func (c *Contender) Close() error { return c.close() }

// contend makes the transform of driver, or Go's, with a key, as s wants it.
func (s *Series) contend(driver string, key []byte) (*Contender, error) {
	if driver == result.Go {
		build := goPeers[s.Algorithm]
		t, err := build(key, s.Tag)
		setKey := func() error { _, err := build(key, s.Tag); return err }
		return &Contender{result.Go, result.Go, t, setKey, func() error { return nil }}, err
	}
	if s.Info.Type == registry.TypeAEAD {
		a, err := kcrypto.NewAEAD(driver, key, kcrypto.WithAuthSize(s.Tag))
		if err != nil {
			return nil, err
		}
		return &Contender{a.Driver(), a.Info().Impl, a, func() error { return a.SetKey(key) }, a.Close}, nil
	}
	c, err := kcrypto.NewSkcipher(driver, key)
	if err != nil {
		return nil, err
	}
	return &Contender{c.Driver(), c.Info().Impl, c, func() error { return c.SetKey(key) }, c.Close}, nil
}

// renew puts new transforms into the place of those of cs, somewhere else in memory.
func (s *Series) renew(cs []*Contender, key []byte) error {
	for _, c := range cs {
		for range 1 + rand.IntN(neighbours) { // the last of a few
			other, err := s.contend(c.Driver, key)
			if err != nil {
				return err
			}
			defer c.close()
			*c = *other
		}
	}
	return nil
}

// reference makes the driver that the others are compared with: the generic one or, where that cannot be had, the
// first of those that are timed.
func (s *Series) reference(key []byte) (*Contender, error) {
	for _, info := range kcrypto.Drivers(s.Info.Algorithm) {
		if info.Impl != "generic" {
			continue
		}
		if c, err := s.contend(info.Driver, key); err == nil {
			return c, nil
		}
	}
	if len(s.Drivers) == 0 {
		return nil, errors.New("no driver to time")
	}
	return s.contend(s.Drivers[0], key)
}
