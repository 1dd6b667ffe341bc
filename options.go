package kcrypto

import (
	"fmt"

	"kcrypto/registry"
)

// Option changes how a transform is allocated.
type Option func(*options)

type options struct {
	impl       string
	nonceSize  int
	authSize   int
	keySize    int // of the key that follows at once, 0 if none does
	forbidWeak bool
	registry   *registry.Registry
}

// unset marks a size option that was not given, since 0 is a size that must be refused.
const unset = -1

// WithImpl asks for one implementation ("vaes_avx2", "generic", ...; the Impl field of registry.Info) and gets it
// or an error, never another one.
func WithImpl(impl string) Option { return func(o *options) { o.impl = impl } }

// WithNonceSize sets the nonce size of an AEAD in bytes. gcm(aes) takes any n >= 1 (12 is the default and the size
// to use; NIST SP 800-38D section 8.2 says why), ccm(aes) 7 to 13 (12 is the default; the longest message depends on n,
// as docs/nonces.md says); other algorithms take only their own.
func WithNonceSize(n int) Option { return func(o *options) { o.nonceSize = max(n, 0) } }

// WithAuthSize sets the tag size of an AEAD in bytes, as SetAuthSize does.
func WithAuthSize(n int) Option { return func(o *options) { o.authSize = max(n, 0) } }

// WithForbidWeakKeys makes SetKey refuse weak keys: for xts, keys with equal halves.
func WithForbidWeakKeys() Option { return func(o *options) { o.forbidWeak = true } }

// WithRegistry allocates from r, made by NewRegistry, instead of the default registry.
func WithRegistry(r *registry.Registry) Option { return func(o *options) { o.registry = r } }

func gather(opts []Option) options {
	o := options{nonceSize: unset, authSize: unset}
	for _, f := range opts {
		if f != nil {
			f(&o)
		}
	}
	return o
}

// want is what the lookup must find: sizes that no driver has are refused later, with the size in the error.
func (o *options) want(t registry.Type) registry.Want {
	return registry.Want{
		Type: t, Impl: o.impl, KeySize: o.keySize, NonceSize: max(o.nonceSize, 0), AuthSize: max(o.authSize, 0),
	}
}

func nonceSizeError(d *registry.Driver, n int) error {
	want := fmt.Sprintf("%d bytes", d.IVSize)
	switch {
	case d.AnyNonce:
		want = "1 byte or more"
	case d.Nonces != nil:
		want = fmt.Sprintf("one of %v", d.NonceSizes())
	}
	return fmt.Errorf("kcrypto: %w: %d bytes for %s, want %s", registry.ErrNonceSize, n, d.Algorithm, want)
}
