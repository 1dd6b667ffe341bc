package selftest

import (
	"bytes"
	"errors"
	"fmt"

	"kcrypto/registry"
)

// parter is an AEAD that takes messages in parts.
type parter interface {
	AEAD
	SealParts(dst [][]byte, nonce []byte, src [][]byte, additionalData []byte) error
	OpenParts(dst [][]byte, nonce []byte, src [][]byte, additionalData []byte) error
}

// partSizes are the sizes of parts in bytes: around those of blocks, of what is done at once, and of the buffer that
// short parts go through.
var partSizes = []int{0, 1, 15, 16, 17, 48, 63, 64, 65, 100, 511, 512, 513, 1000, 1023, 1024, 1025, 1536, 2049, 4096}

// partLengths are the sizes of messages in parts.
func partLengths(full bool) (lengths []int) {
	few := []int{0, 1, 100, 1420, 3000}
	if !full {
		return few
	}
	for range 20 {
		lengths = append(lengths, append(few, 16, 1023, 1024, 2048, 10_000)...)
	}
	return lengths
}

// checkParts seals and opens a message of n bytes in random parts, and expects what one call gives; also with a byte
// changed. Drivers that have no way for parts pass.
func (r *run) checkParts(n int) error {
	m := r.plainMessage(0)
	r.at = position{m, &layout{label: fmt.Sprintf("%d bytes in parts", n)}}
	single, err := r.keyedAEAD(m, r.at.layout)
	if err != nil {
		return err
	}
	a, ok := single.(parter)
	if !ok {
		return nil
	}
	d := &r.subject.Driver
	nonce, text := r.rng.bytes(a.NonceSize()), r.rng.bytes(legalLength(d, n))
	sizes := aadLengths
	if d.AADSizes != nil {
		sizes = d.AADSizes
	}
	aad := r.rng.bytes(legalAAD(d, choose(r.rng, sizes...)))
	want := a.Seal(nil, nonce, text, aad)
	sealed := make([]byte, len(want))
	if err := a.SealParts(r.parts(sealed), nonce, r.parts(text), aad); err != nil {
		if errors.Is(err, registry.ErrType) {
			return nil
		}
		return r.failed(encryption, "wrong in parts", err.Error())
	}
	if !bytes.Equal(sealed, want) {
		return r.failed(encryption, "wrong in parts", "the result differs from a single call's")
	}
	opened := sealed[:len(text)] // in place, at other places
	if err := a.OpenParts(r.parts(opened), nonce, r.parts(sealed), aad); err != nil || !bytes.Equal(opened, text) {
		return r.failed(decryption, "wrong in parts", fmt.Sprintf("the result differs from a single call's (error %v)", err))
	}
	want[r.rng.IntN(len(want))] ^= 1 << r.rng.IntN(8)
	err = a.OpenParts(r.parts(opened), nonce, r.parts(want), aad)
	if !errors.Is(err, registry.ErrAuth) || !bytes.Equal(opened, make([]byte, len(text))) {
		return r.failed(decryption, "wrong in parts", fmt.Sprintf("a forged message gives error %v", err))
	}
	return nil
}

// parts cuts p. A long one begins with a short part and a long one, so that a driver does some of it in either way.
func (r *run) parts(p []byte) (parts [][]byte) {
	sizes := [][]int{partSizes}
	if len(p) >= 3000 {
		sizes = [][]int{{1, 7, 15}, {2048, 2049, 2900}, partSizes}
	}
	for len(p) > 0 {
		n := min(choose(r.rng, sizes[0]...), len(p))
		parts = append(parts, p[:n:n])
		p, sizes = p[n:], sizes[min(1, len(sizes)-1):]
	}
	return parts
}
