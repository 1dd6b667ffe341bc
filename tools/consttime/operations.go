package main

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"kcrypto"
	"kcrypto/registry"
)

// textSize is the message's size in bytes: long enough to reach a driver's main loop, short enough for many samples.
const textSize = 512

// operationsOf lists what is timed of a driver: setting a key, encrypting, and of an AEAD refusing a forgery.
func operationsOf(d registry.Info) ([]operation, error) {
	if d.Type == registry.TypeAEAD {
		return aeadOperations(d)
	}
	return skcipherOperations(d)
}

func aeadOperations(d registry.Info) ([]operation, error) {
	key := make([]byte, slices.Max(d.KeySizes))
	a, err := kcrypto.NewAEAD(d.Driver, key)
	if err != nil {
		return nil, err
	}
	const aadSize = 8 // every RFC template takes it
	nonce, aad := make([]byte, a.NonceSize()), make([]byte, aadSize)
	text, out := make([]byte, textSize), make([]byte, textSize+a.Overhead())
	sealed := a.Seal(nil, nonce, text, aad)
	forged := make([]byte, len(sealed))
	return []operation{
		{func(s []byte) { copy(key, s) }, func() { must(a.SetKey(key)) }, len(key)},
		{
			func(s []byte) { must(a.SetKey(s[:len(key)])); copy(text, s[len(key):]) },
			func() { a.Seal(out[:0], nonce, text, aad) }, len(key) + textSize,
		},
		{ // the fixed tag differs from the right one everywhere, like a random one, but always in the same way
			func(s []byte) { copy(forged, sealed); copy(forged[textSize:], s) },
			func() { refused(a.Open(out[:0], nonce, forged, aad)) }, a.Overhead(),
		},
	}, nil
}

func skcipherOperations(d registry.Info) ([]operation, error) {
	key := make([]byte, slices.Max(d.KeySizes))
	for i := range key {
		key[i] = byte(i) // halves that differ
	}
	s, err := kcrypto.NewSkcipher(d.Driver, key)
	if err != nil {
		return nil, err
	}
	iv, text, out := make([]byte, s.IVSize()), make([]byte, textSize), make([]byte, textSize)
	return []operation{
		{func(b []byte) { copy(key, b) }, func() { must(s.SetKey(key)) }, len(key)},
		{
			func(b []byte) { must(s.SetKey(b[:len(key)])); copy(text, b[len(key):]) },
			func() { must(s.Encrypt(out, text, iv)) }, len(key) + textSize,
		},
	}, nil
}

// plantedLeak is a comparison that stops at the first difference.
func plantedLeak() operation {
	a, b := make([]byte, textSize), make([]byte, textSize)
	return operation{
		func(s []byte) {
			copy(a, s)
			if s[0] < 128 { // half of the random ones are equal, and all or none of the fixed ones
				copy(b, s)
			} else {
				clear(b)
			}
		},
		func() { runtime.KeepAlive(bytes.Equal(a, b)) }, textSize,
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func refused(_ []byte, err error) {
	if !errors.Is(err, registry.ErrAuth) {
		panic(fmt.Sprintf("a forgery: error %v, want %v", err, registry.ErrAuth))
	}
}
