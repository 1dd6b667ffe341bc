package registry

import (
	"fmt"
	"slices"
	"strings"
)

// maxName is the longest name in bytes, as in Linux.
const maxName = 127

// check refuses descriptors that contradict themselves, and drivers that nothing can test.
func (r *Registry) check(d *Driver) error {
	why := flaw(d)
	unknown := slices.IndexFunc(d.Needs, func(name string) bool { return !slices.Contains(r.options.Features, name) })
	switch {
	case why != "":
	case unknown >= 0:
		why = fmt.Sprintf("Needs: there is no feature %q, want one of %s",
			d.Needs[unknown], strings.Join(r.options.Features, ", "))
	case r.untestable(d):
		why = "no vectors to test it with: set Vectors"
	}
	if why != "" {
		return errorf(ErrDriver, "driver %q of algorithm %q: %s", d.Name, d.Algorithm, why)
	}
	return nil
}

// untestable reports whether neither the driver nor the self-test has vectors for it.
func (r *Registry) untestable(d *Driver) bool {
	o := &r.options
	return o.SelfTest != nil && o.HasVectors != nil && len(d.Vectors) == 0 && !o.HasVectors(d.Algorithm)
}

// flaw says what is wrong with a descriptor taken alone, and what would be right.
func flaw(d *Driver) string {
	aead := d.Type == TypeAEAD
	switch {
	case !isName(d.Algorithm):
		return "Algorithm: " + nameRule
	case !isName(d.Name):
		return "Name: " + nameRule
	case d.Priority < 0:
		return fmt.Sprintf("Priority is %d, want 0 or more", d.Priority)
	case !aead && d.Type != TypeSkcipher:
		return fmt.Sprintf("Type is %q, want %q or %q", d.Type, TypeAEAD, TypeSkcipher)
	case aead != (d.NewAEAD != nil):
		return fmt.Sprintf("Type is %q: set NewAEAD for an aead, and only for one", d.Type)
	case aead == (d.NewSkcipher != nil):
		return fmt.Sprintf("Type is %q: set NewSkcipher for a skcipher, and only for one", d.Type)
	case d.BlockSize < 1:
		return "BlockSize is missing: 1 for stream ciphers and AEADs"
	case d.ChunkSize < 1 || d.ChunkSize > maxChunkSize:
		return fmt.Sprintf("ChunkSize is %d, want the bytes that the primitive makes at a time, 1 to %d",
			d.ChunkSize, maxChunkSize)
	case d.IVSize < 0 || aead && d.IVSize == 0:
		return "IVSize is missing: an AEAD has a nonce"
	case len(d.KeySizes) == 0 || !isAscending(d.KeySizes):
		return "KeySizes: want one or more sizes above 0, ascending"
	case aead && (len(d.AuthSizes) == 0 || !isAscending(d.AuthSizes)):
		return "AuthSizes: want one or more sizes above 0, ascending"
	case !aead && (len(d.AuthSizes) != 0 || d.AnyNonce):
		return "AuthSizes and AnyNonce are for AEADs"
	case !hasNonces(d):
		return "Nonces: for an AEAD without AnyNonce, sizes above 0, ascending, IVSize with MaxSize among them"
	case d.MinSize < 0 || d.MultipleOf < 0:
		return "MinSize and MultipleOf: want 0 or more"
	case !isTuned(d.Tunings):
		return "Tunings: want names, each once, with two or more different values"
	}
	return ""
}

// hasNonces reports whether d's Nonces, if there are any, agree with the rest of it.
func hasNonces(d *Driver) bool {
	if d.Nonces == nil {
		return true
	}
	return d.Type == TypeAEAD && !d.AnyNonce && isAscending(d.NonceSizes()) &&
		slices.Contains(d.Nonces, NonceSize{d.IVSize, d.MaxSize})
}

// maxChunkSize is as much as a Stream keeps of its keystream.
const maxChunkSize = 64

const nameRule = "want 1 to 127 letters, digits and any of -_.+,() with parentheses in pairs"

// isName reports whether s is fit to be the name of a driver or an algorithm: such names pass unharmed through
// globs, settings and /proc/crypto's form.
func isName(s string) bool {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return false
			}
		case !isWord(s[i:i+1]) && !strings.Contains(".+,", s[i:i+1]):
			return false
		}
	}
	return depth == 0 && 0 < len(s) && len(s) <= maxName
}

// isWord reports whether s is fit to be the name of a template: letters, digits, - and _.
func isWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return s != ""
}

func isAscending(sizes []int) bool {
	last := 0
	for _, n := range sizes {
		if n <= last {
			return false
		}
		last = n
	}
	return true
}

// collision says why n cannot be registered beside the drivers that are. Every name must have one meaning: no driver
// may be called what another driver, an algorithm or a composition is called, nor an algorithm what a driver is
// called (other than its own), whichever of them comes first.
func collision(n *node, others []ranked) error {
	if n.stem == n.Name {
		return errorf(ErrExists, "algorithm %q: composing its driver %q is called so; choose another", n.Algorithm, n.Name)
	}
	for _, o := range others {
		switch {
		case n.Name == o.Name:
			return errorf(ErrExists, "driver %q of module %q: choose another name", o.Name, o.Module)
		case n.Name == o.Algorithm:
			return errorf(ErrExists, "driver %q: there is an algorithm of that name; choose another", n.Name)
		case n.Algorithm == o.Name:
			return errorf(ErrExists, "algorithm %q: there is a driver of that name; choose another", n.Algorithm)
		case n.stem == o.Name:
			return errorf(ErrExists, "algorithm %q: composing driver %q is called so; choose another", n.Algorithm, o.Name)
		case o.stem == n.Name:
			return errorf(ErrExists, "driver %q: composing it is called as algorithm %q is; choose another", n.Name, o.Algorithm)
		case n.Algorithm == o.Algorithm && n.Type != o.Type:
			return errorf(ErrDriver, "driver %q: %s is of type %q, not %q", n.Name, n.Algorithm, o.Type, n.Type)
		}
	}
	return nil
}
