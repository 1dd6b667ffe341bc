package registry

import (
	"fmt"
	"slices"
)

// Want is what a lookup needs of a driver. The zero value takes any.
type Want struct {
	Type Type // "" means any
	// Impl, if not "", is the one implementation that will do: only drivers with that Impl count then, and preferring
	// another one is no reason for a warning or an error.
	Impl string
	// Sizes in bytes that the driver must take; 0 means that its default will do. Drivers that do not take them are
	// passed over. If none does they do not count, and the caller has a driver to say so of.
	KeySize, NonceSize, AuthSize int
}

// sized reports whether w asks for a size.
func (w *Want) sized() bool { return w.KeySize|w.NonceSize|w.AuthSize != 0 }

// lack says which size that w asks for d does not take, or "".
func (w *Want) lack(d *Driver) string {
	switch {
	case w.KeySize != 0 && !slices.Contains(d.KeySizes, w.KeySize):
		return fmt.Sprintf("takes no keys of %d bytes", w.KeySize)
	case w.NonceSize != 0 && !d.TakesNonce(w.NonceSize):
		return fmt.Sprintf("takes no nonces of %d bytes", w.NonceSize)
	case w.AuthSize != 0 && !slices.Contains(d.AuthSizes, w.AuthSize):
		return fmt.Sprintf("takes no tags of %d bytes", w.AuthSize)
	}
	return ""
}
