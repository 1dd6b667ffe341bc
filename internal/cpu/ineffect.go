package cpu

import "sync/atomic"

var inEffect atomic.Pointer[Features]

// InEffect returns what the program's default registry goes by: Host less what KCRYPTO masks. Before there is a
// default registry it is Host.
func InEffect() Features {
	if f := inEffect.Load(); f != nil {
		return *f
	}
	return Host()
}

// SetInEffect is for the maker of the default registry.
func SetInEffect(f Features) { inEffect.Store(&f) }
