package kcrypto

import (
	"bytes"
	"fmt"

	"kcrypto/registry"
)

// Option changes how a transform is allocated.
type Option func(*options)

type options struct {
	impl       string
	nonceSize  int
	authSize   int
	forbidWeak bool
	registry   *registry.Registry
}

// unset marks a size option that was not given, since 0 is a size that must be refused.
const unset = -1

// WithImpl asks for one implementation ("vaes_avx2", "generic", ...; the Impl field of registry.Info) and gets it
// or an error, never another one.
func WithImpl(impl string) Option { return func(o *options) { o.impl = impl } }

// WithNonceSize sets the nonce size of an AEAD in bytes. gcm(aes) takes any n >= 1 (12 is the default and the size
// to use; NIST SP 800-38D section 8.2 says why); other algorithms take only their own.
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
		f(&o)
	}
	return o
}

// AllocAEAD allocates an AEAD transform without a key. name is an algorithm ("gcm(aes)": the best driver that works
// here), a driver ("gcm-aes-vaes-avx2": that driver or an error), a template composition ("rfc4106(gcm(aes))",
// "rfc4106(gcm-aes-aesni-avx)") or an alias of one of these.
//
// Errors (errors.Is): registry.ErrNotFound, ErrType, ErrUnavailable, ErrSelfTest, ErrNonceSize, ErrAuthSize, ErrConfig.
func AllocAEAD(name string, opts ...Option) (*AEAD, error) {
	o := gather(opts)
	h, c, err := acquire(name, registry.TypeAEAD, &o)
	if err != nil {
		return nil, err
	}
	a, err := newAEAD(h.Driver(), c, &o)
	if err != nil {
		h.Release()
		return nil, err
	}
	a.bind(h)
	return a, nil
}

// AllocSkcipher allocates a symmetric cipher transform without a key; name is as for AllocAEAD, and so are the
// errors.
func AllocSkcipher(name string, opts ...Option) (*Skcipher, error) {
	o := gather(opts)
	h, c, err := acquire(name, registry.TypeSkcipher, &o)
	if err != nil {
		return nil, err
	}
	s, err := newSkcipher(h.Driver(), c, &o)
	if err != nil {
		h.Release()
		return nil, err
	}
	s.bind(h)
	return s, nil
}

// NewAEAD is AllocAEAD and SetKey in one.
func NewAEAD(name string, key []byte, opts ...Option) (*AEAD, error) {
	a, err := AllocAEAD(name, opts...)
	if err != nil {
		return nil, err
	}
	if err := a.SetKey(key); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// NewSkcipher is AllocSkcipher and SetKey in one.
func NewSkcipher(name string, key []byte, opts ...Option) (*Skcipher, error) {
	s, err := AllocSkcipher(name, opts...)
	if err != nil {
		return nil, err
	}
	if err := s.SetKey(key); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// acquire looks name up and takes a reference on the driver it means.
func acquire(name string, t registry.Type, o *options) (*registry.Handle, registry.Config, error) {
	r := o.registry
	if r == nil {
		house := defaultHouse()
		if err := house.check(); err != nil {
			return nil, registry.Config{}, err
		}
		r = house.registry
	}
	h, err := r.Acquire(name, t, o.impl)
	return h, r.Config(), err
}

// newAEAD makes the transform that a caller of driver d gets, whoever that is: AllocAEAD after the self-test, or
// the self-test itself.
func newAEAD(d *registry.Driver, c registry.Config, o *options) (*AEAD, error) {
	a := &AEAD{
		driver:    d,
		own:       d.Module == Module,
		nonceSize: d.IVSize,
		tagSize:   d.AuthSizes[len(d.AuthSizes)-1],
		maxSize:   limit(d.MaxSize),
		maxAAD:    limit(d.MaxAAD),
		state:     noKey,
	}
	a.plain = a.own && d.AADSizes == nil
	if n := o.nonceSize; n != unset && n != d.IVSize {
		if !d.AnyNonce || n < 1 {
			return nil, nonceSizeError(d, n)
		}
		a.nonceSize = n
	}
	if o.authSize != unset {
		if err := a.SetAuthSize(o.authSize); err != nil {
			return nil, err
		}
	}
	a.impl = d.NewAEAD(c)
	return a, nil
}

// newSkcipher is newAEAD's twin.
func newSkcipher(d *registry.Driver, c registry.Config, o *options) (*Skcipher, error) {
	switch {
	case o.nonceSize != unset && o.nonceSize != d.IVSize:
		return nil, nonceSizeError(d, o.nonceSize)
	case o.authSize != unset && o.authSize != 0:
		return nil, fmt.Errorf("kcrypto: %s is no AEAD and has no tag, WithAuthSize(%d) does not apply: %w",
			d.Algorithm, o.authSize, registry.ErrAuthSize)
	}
	s := &Skcipher{driver: d, own: d.Module == Module, maxSize: limit(d.MaxSize), state: noKey}
	s.impl = d.NewSkcipher(c)
	s.stream, _ = s.impl.(registry.StreamCipher)
	s.sectors, _ = s.impl.(registry.SectorCipher)
	s.mask = max(d.MultipleOf, 1) - 1
	if s.plain = s.own && d.MultipleOf&s.mask == 0; s.plain {
		s.top, s.most = room(s.stream, d)
	}
	if o.forbidWeak {
		s.weak, _ = s.impl.(registry.WeakKeyChecker)
		if s.weak == nil && d.Algorithm == "xts(aes)" {
			return nil, fmt.Errorf("kcrypto: %w: %s cannot tell weak keys, which WithForbidWeakKeys asks for: choose another driver",
				registry.ErrUnavailable, d.Name)
		}
	}
	return s, nil
}

// room finds the byte of a stream cipher's IV that tells most about how near the end of its counter is: top, and the
// bytes, most, that there are under every IV in which that byte is not 0xff. top is -1 where no counter runs over before
// a message of the largest size ends.
func room(c registry.StreamCipher, d *registry.Driver) (top int, most uint64) {
	size, whole := uint64(d.ChunkSize), limit(d.MaxSize)
	iv := bytes.Repeat([]byte{0xff}, d.IVSize)
	if c == nil || c.Blocks(iv) >= blocksOf(whole, size) {
		return -1, whole
	}
	for i := range iv {
		iv[i] = 0xfe
		if blocks := min(c.Blocks(iv), whole/size); blocks*size > most {
			top, most = i, blocks*size
		}
		iv[i] = 0xff
	}
	return top, most
}

// limit turns a descriptor's maximum into one that can be compared with: 0 there means none.
func limit(n uint64) uint64 {
	if n == 0 {
		return 1<<63 - 1
	}
	return n
}

func nonceSizeError(d *registry.Driver, n int) error {
	want := fmt.Sprintf("%d bytes", d.IVSize)
	if d.AnyNonce {
		want = "1 byte or more"
	}
	return fmt.Errorf("kcrypto: %w: %d bytes for %s, want %s", registry.ErrNonceSize, n, d.Algorithm, want)
}
