package chacha

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// esp is ChaCha20-Poly1305 as IPsec uses it, RFC 7634: the key is followed by 4 bytes of salt, which begin every nonce;
// the 8 bytes that each packet carries end it. The additional data is SPI|SN and passes unchanged.
type esp struct {
	inner   registry.AEAD
	salt    [espSaltSize]byte
	foreign bool // inner is not this module's, and may do with a nonce what ours may not
}

const espSaltSize = 4

// SetKey takes 32 bytes of key and 4 of salt.
func (e *esp) SetKey(key []byte) error {
	copy(e.salt[:], key[keySize:])
	return e.inner.SetKey(key[:keySize])
}

// Wipe overwrites the key and the salt.
func (e *esp) Wipe() {
	clear(e.salt[:])
	e.inner.Wipe()
}

// Seal encrypts and authenticates. The nonce is the 8 bytes of explicit IV.
func (e *esp) Seal(dst, nonce, plaintext, aad []byte) {
	var full [nonceSize]byte
	e.inner.Seal(dst, e.nonce(&full, nonce), plaintext, aad)
}

// Open authenticates and decrypts. The nonce is the 8 bytes of explicit IV.
func (e *esp) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	var full [nonceSize]byte
	return e.inner.Open(dst, e.nonce(&full, nonce), ciphertext, tag, aad)
}

// SealBatch seals packets.
func (e *esp) SealBatch(packets []registry.Packet, tag int) {
	if b, ok := e.inner.(registry.BatchAEAD); ok && !e.foreign {
		e.eachBatch(packets, func(full []registry.Packet) { b.SealBatch(full, tag) })
		return
	}
	registry.SealEach(e, packets, tag)
}

// OpenBatch opens packets.
func (e *esp) OpenBatch(packets []registry.Packet, tag int) (ok bool) {
	if b, many := e.inner.(registry.BatchAEAD); many && !e.foreign {
		ok = true
		e.eachBatch(packets, func(full []registry.Packet) { ok = b.OpenBatch(full, tag) && ok })
		return ok
	}
	return registry.OpenEach(e, packets, tag)
}

// eachBatch hands the packets to work with their full nonces, as many copies at a time as have room on the stack.
func (e *esp) eachBatch(packets []registry.Packet, work func(full []registry.Packet)) {
	var nonces [16][nonceSize]byte
	var copies [len(nonces)]registry.Packet
	for len(packets) > 0 {
		full := copies[:min(len(packets), len(copies))]
		for i := range full {
			full[i] = packets[i]
			full[i].Nonce = e.nonce(&nonces[i], packets[i].Nonce)
		}
		work(noescape.Slice(full))
		for i := range full {
			packets[i].Err = full[i].Err
		}
		packets = packets[len(full):]
	}
}

// nonce joins salt and IV in full, which stays on the caller's stack unless inner is foreign.
func (e *esp) nonce(full *[nonceSize]byte, iv []byte) []byte {
	copy(full[:], e.salt[:])
	copy(full[espSaltSize:], iv)
	if e.foreign {
		return bytes.Clone(full[:])
	}
	return noescape.Slice(full[:])
}

// espInner maps the template's arguments to what it stands on: the two parts of rfc7539, or one name.
func espInner(args []string) (string, error) {
	switch {
	case len(args) == 1:
		return args[0], nil
	case slices.Equal(args, []string{"chacha20", "poly1305"}):
		return aeadAlgorithm, nil
	}
	return "", errors.New("rfc7539esp takes chacha20,poly1305 or one driver of " + aeadAlgorithm)
}

// espAccepts refuses what is no ChaCha20-Poly1305 of RFC 8439's sizes.
func espAccepts(inner *registry.Driver) error {
	if inner.Algorithm != aeadAlgorithm || inner.IVSize != nonceSize || !slices.Contains(inner.KeySizes, keySize) {
		return fmt.Errorf("%w (want a driver of %s)", registry.ErrType, aeadAlgorithm)
	}
	return nil
}

// buildESP describes rfc7539esp over inner. It is inner's driver in all that does not stand here; a foreign driver's
// instance stays foreign.
func buildESP(inner *registry.Driver) registry.Driver {
	newInner, foreign := inner.NewAEAD, inner.Module != module
	d := *inner
	d.Algorithm = espAlgorithm
	d.Name = "rfc7539esp(" + inner.Name + ")"
	d.IVSize = 8
	d.KeySizes = []int{keySize + espSaltSize}
	d.AADSizes = []int{8, 12} // SPI and sequence number, of 32 or 64 bits
	d.Vectors = nil
	d.NewAEAD = func(c registry.Config) registry.AEAD {
		return &esp{inner: newInner(c), foreign: foreign}
	}
	return d
}
