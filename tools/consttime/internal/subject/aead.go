//go:build amd64 && !purego

package main

import (
	"errors"
	"fmt"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/consttime/internal/taint"
)

// sealAndOpen seals secrets, opens what came out, and opens forgeries of it.
func sealAndOpen(d registry.Info, key []byte) error {
	a, err := kcrypto.NewAEAD(d.Driver, key)
	if err != nil {
		return err
	}
	defer a.Close()
	nonce := make([]byte, a.NonceSize())
	aad := secret(aadSize(a, nonce))
	for _, n := range append([]int{0}, sizes...) {
		sealed := a.Seal(nil, nonce, secret(n), aad)
		if !authenticatesOnly(d) && !taint.Tainted(sealed) {
			return fmt.Errorf("memcheck lost track of the secrets in a message of %d bytes", n)
		}
		taint.Public(sealed)
		if _, err := a.Open(nil, nonce, sealed, aad); err != nil {
			return err
		}
		sealed[len(sealed)-1] ^= 1
		if _, err := a.Open(nil, nonce, sealed, aad); !errors.Is(err, registry.ErrAuth) {
			return fmt.Errorf("a forgery of %d bytes: error %v, want %v", n, err, registry.ErrAuth)
		}
	}
	return batches(a, nonce, aad)
}

// batches does the same in one call for all sizes, with a forgery among them.
func batches(a *kcrypto.AEAD, nonce, aad []byte) error {
	packets := make([]kcrypto.Packet, len(sizes))
	for i, n := range sizes {
		packets[i] = kcrypto.Packet{Nonce: nonce, Src: secret(n), AAD: aad}
	}
	a.SealBatch(packets)
	for i := range packets {
		p := &packets[i]
		if p.Err != nil {
			return p.Err
		}
		taint.Public(p.Dst)
		p.Src, p.Dst = p.Dst, nil
	}
	packets[3].Src[0] ^= 1
	if n := a.OpenBatch(packets); n != 1 {
		return fmt.Errorf("OpenBatch with one forgery refuses %d packets", n)
	}
	return nil
}

// authenticatesOnly reports whether driver is the one whose ciphertext is the plaintext with a tag.
func authenticatesOnly(d registry.Info) bool {
	return len(d.Algorithm) > 7 && d.Algorithm[:7] == "rfc4543"
}

// aadSize is a size of additional data that a takes: RFC templates take few.
func aadSize(a *kcrypto.AEAD, nonce []byte) int {
	const usual, esp = 20, 8
	if _, err := a.Open(nil, nonce, make([]byte, a.Overhead()), make([]byte, usual)); errors.Is(err, registry.ErrLength) {
		return esp
	}
	return usual
}
