package gcm

import (
	"bytes"
	"fmt"
	"slices"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// esp is what rfc4106 and rfc4543 share: the key is followed by 4 bytes of salt, which begin every nonce; the 8 bytes
// that each packet carries, the explicit IV, end it.
type esp struct {
	inner   registry.AEAD
	foreign bool // inner is not this module's, and may do with a nonce what ours may not
	salt    [saltSize]byte
}

const (
	saltSize  = 4 // bytes
	espIVSize = 8 // bytes
)

// SetKey takes a key of gcm(aes) and 4 bytes of salt.
func (e *esp) SetKey(key []byte) error {
	n := len(key) - saltSize
	copy(e.salt[:], key[n:])
	return e.inner.SetKey(key[:n])
}

// Wipe overwrites the key and the salt.
func (e *esp) Wipe() {
	clear(e.salt[:])
	e.inner.Wipe()
}

// nonce joins salt and IV in full, which stays on the caller's stack unless inner is foreign.
func (e *esp) nonce(full *[nonceSize]byte, iv []byte) []byte {
	copy(full[:], e.salt[:])
	copy(full[saltSize:], iv)
	if e.foreign {
		return bytes.Clone(full[:])
	}
	return noescape.Slice(full[:])
}

// espTemplate is the template name over any driver of gcm(aes) that has one of the tag sizes. finish changes what the
// templates do not share in the descriptor, and wrap makes the AEAD.
func espTemplate(name string, tags []int, finish func(*registry.Driver), wrap func(esp) registry.AEAD) registry.Template {
	return registry.Template{
		Name: name,
		Type: registry.TypeAEAD,
		Algorithm: func(args []string) (string, error) {
			if len(args) != 1 {
				return "", fmt.Errorf("gcm: %w: %s stands on %s or on one driver of it, not on %q",
					registry.ErrNotFound, name, algorithm, args)
			}
			return args[0], nil
		},
		Accepts: func(inner *registry.Driver) error {
			if inner.Algorithm != algorithm || inner.IVSize != nonceSize || len(common(inner.AuthSizes, tags)) == 0 {
				return fmt.Errorf("gcm: %w: %s stands on a driver of %s with nonces of %d bytes and tags of any of %v, and %s is one of %s with %d and %v",
					registry.ErrType, name, algorithm, nonceSize, tags, inner.Name, inner.Algorithm, inner.IVSize, inner.AuthSizes)
			}
			return nil
		},
		Build: func(inner *registry.Driver) registry.Driver {
			newInner, foreign := inner.NewAEAD, inner.Module != module
			d := *inner // a foreign driver's instance stays foreign
			d.Algorithm = name + "(" + inner.Algorithm + ")"
			d.Name = name + "(" + inner.Name + ")"
			d.IVSize, d.AnyNonce = espIVSize, false
			d.KeySizes = slices.Clone(inner.KeySizes)
			for i := range d.KeySizes {
				d.KeySizes[i] += saltSize
			}
			d.AuthSizes = common(inner.AuthSizes, tags)
			d.AADSizes = []int{8, 12} // SPI and sequence number, of 32 or 64 bits
			d.Vectors = nil
			d.NewAEAD = func(c registry.Config) registry.AEAD {
				return wrap(esp{inner: newInner(c), foreign: foreign})
			}
			finish(&d)
			return d
		},
	}
}

// common returns what a and b both have, in a's order.
func common(a, b []int) []int {
	return slices.DeleteFunc(slices.Clone(a), func(n int) bool { return !slices.Contains(b, n) })
}
