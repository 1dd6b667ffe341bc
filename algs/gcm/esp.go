package gcm

import (
	"fmt"
	"slices"

	"kcrypto/algs/internal/esp"
	"kcrypto/registry"
)

// espTemplate is the template name over any driver of gcm(aes) that has one of the tag sizes. finish changes what the
// templates do not share in the descriptor, and wrap makes the AEAD.
func espTemplate(
	name string, tags []int, finish func(*registry.Driver), wrap func(esp.Salted) registry.AEAD,
) registry.Template {
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
				return fmt.Errorf("gcm: %w: %s stands on a driver of %s with nonces of %d bytes and tags of any of %v, "+
					"and %s is one of %s with %d and %v", registry.ErrType, name, algorithm, nonceSize, tags,
					inner.Name, inner.Algorithm, inner.IVSize, inner.AuthSizes)
			}
			return nil
		},
		Build: func(inner *registry.Driver) registry.Driver {
			newInner := inner.NewAEAD
			d := *inner
			d.Algorithm = name + "(" + inner.Algorithm + ")"
			d.Name = name + "(" + inner.Name + ")"
			d.IVSize, d.AnyNonce = esp.IVSize, false
			d.KeySizes = slices.Clone(inner.KeySizes)
			for i := range d.KeySizes {
				d.KeySizes[i] += esp.SaltSize
			}
			d.AuthSizes = common(inner.AuthSizes, tags)
			d.AADSizes = []int{8, 12} // SPI and sequence number, of 32 or 64 bits
			d.Vectors = nil
			d.NewAEAD = func(c registry.Config) registry.AEAD {
				return wrap(esp.Salted{Inner: newInner(c)})
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
