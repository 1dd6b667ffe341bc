package chacha

import (
	"errors"
	"fmt"
	"slices"

	"kcrypto/algs/internal/esp"
	"kcrypto/registry"
)

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

// buildESP describes rfc7539esp over inner: ChaCha20-Poly1305 as IPsec uses it, RFC 7634. It is inner's driver in all
// that does not stand here.
func buildESP(inner *registry.Driver) registry.Driver {
	newInner := inner.NewAEAD
	d := *inner
	d.Algorithm = espAlgorithm
	d.Name = "rfc7539esp(" + inner.Name + ")"
	d.IVSize = esp.IVSize
	d.KeySizes = []int{keySize + esp.SaltSize}
	d.AADSizes = []int{8, 12} // SPI and sequence number, of 32 or 64 bits
	d.Vectors = nil
	d.NewAEAD = func(c registry.Config) registry.AEAD {
		return &esp.AEAD{Salted: esp.Salted{Inner: newInner(c)}}
	}
	return d
}
