package ccm

import (
	"fmt"
	"slices"

	"kcrypto/algs/internal/esp"
	"kcrypto/registry"
)

const (
	espSaltSize = 3 // bytes
	espNonce    = espSaltSize + esp.IVSize
)

var espTags = []int{8, 12, 16} // bytes

// rfc4309Template is AES-CCM as ESP encrypts with it (RFC 4309). The key is followed by 3 bytes of salt. The nonce of
// its calls is the 8 bytes of explicit IV. The additional data is SPI|SN, 8 or 12 bytes, and passes unchanged.
func rfc4309Template() registry.Template {
	return registry.Template{
		Name: "rfc4309",
		Type: registry.TypeAEAD,
		Algorithm: func(args []string) (string, error) {
			if len(args) != 1 {
				return "", fmt.Errorf("ccm: %w: rfc4309 stands on %s or on one driver of it, not on %q",
					registry.ErrNotFound, algorithm, args)
			}
			return args[0], nil
		},
		Accepts: func(inner *registry.Driver) error {
			if inner.Algorithm != algorithm || !inner.TakesNonce(espNonce) || len(tagsOf(inner)) == 0 {
				return fmt.Errorf("ccm: %w: rfc4309 stands on a driver of %s with nonces of %d bytes and tags of any of %v, "+
					"and %s is one of %s with %v and %v", registry.ErrType, algorithm, espNonce, espTags,
					inner.Name, inner.Algorithm, inner.NonceSizes(), inner.AuthSizes)
			}
			return nil
		},
		Build: buildRFC4309,
	}
}

// buildRFC4309 describes rfc4309 over inner. It is inner's driver in all that does not stand here.
func buildRFC4309(inner *registry.Driver) registry.Driver {
	newInner := inner.NewAEAD
	d := *inner
	d.Algorithm = "rfc4309(" + inner.Algorithm + ")"
	d.Name = "rfc4309(" + inner.Name + ")"
	d.IVSize, d.AnyNonce, d.Nonces = esp.IVSize, false, nil
	d.MaxSize = inner.Longest(espNonce)
	d.KeySizes = slices.Clone(inner.KeySizes)
	for i := range d.KeySizes {
		d.KeySizes[i] += espSaltSize
	}
	d.AuthSizes = tagsOf(inner)
	d.AADSizes = []int{8, 12} // SPI and sequence number, of 32 or 64 bits
	d.Vectors = nil
	d.NewAEAD = func(c registry.Config) registry.AEAD {
		return &esp.AEAD{Salted: esp.Salted{Inner: newInner(c), Lacks: esp.SaltSize - espSaltSize}}
	}
	return d
}

// tagsOf lists the tag sizes that both inner and RFC 4309 have.
func tagsOf(inner *registry.Driver) []int {
	return slices.DeleteFunc(slices.Clone(inner.AuthSizes), func(n int) bool { return !slices.Contains(espTags, n) })
}
