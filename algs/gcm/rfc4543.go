package gcm

import (
	"cmp"
	"crypto/subtle"

	"kcrypto/algs/internal/esp"
	"kcrypto/registry"
)

// rfc4543 is AES-GMAC as ESP authenticates with it (RFC 4543). The nonce of its calls is the 8 bytes of explicit IV,
// the additional data is SPI|SN, 8 or 12 bytes. The tag is GCM's of an empty text with SPI|SN|IV|text as additional
// data, and the text stays in clear.
type rfc4543 struct {
	esp.Salted
	mac gmac // inner, or nil if that is not of this package
}

// gmac is a key of this package that takes additional data in pieces.
type gmac interface {
	// gmac returns the tag of an empty text whose additional data is aad, iv and text, one after the other. aad and iv
	// have up to 24 bytes together.
	gmac(nonce, aad, iv, text []byte) [tagSize]byte
}

func rfc4543Template() registry.Template {
	return espTemplate("rfc4543", []int{tagSize},
		func(d *registry.Driver) {
			d.MaxSize = max(min(cmp.Or(d.MaxAAD, maxAAD), maxAAD), 1+12+esp.IVSize) - 12 - esp.IVSize
		},
		func(s esp.Salted) registry.AEAD {
			mac, _ := s.Inner.(gmac)
			return &rfc4543{Salted: s, mac: mac}
		})
}

// Seal copies the text and authenticates it.
func (r *rfc4543) Seal(dst, iv, plaintext, aad []byte) {
	var full [nonceSize]byte
	nonce, n := r.Nonce(&full, iv), len(plaintext)
	if r.mac != nil {
		tag := r.mac.gmac(nonce, aad, iv, plaintext)
		copy(dst, plaintext) // not earlier: the iv may lie in dst
		copy(dst[n:], tag[:])
		return
	}
	all := join(aad, iv, plaintext)
	copy(dst, plaintext)
	r.Inner.Seal(dst[n:], nonce, nil, *all)
	buffers.Put(all)
}

// Open authenticates the text and copies it.
func (r *rfc4543) Open(dst, iv, ciphertext, tag, aad []byte) (ok bool) {
	var full [nonceSize]byte
	nonce := r.Nonce(&full, iv)
	if r.mac != nil {
		want := r.mac.gmac(nonce, aad, iv, ciphertext)
		ok = subtle.ConstantTimeCompare(want[:], tag) == 1
	} else {
		all := join(aad, iv, ciphertext)
		ok = r.Inner.Open(nil, nonce, nil, tag, *all)
		buffers.Put(all)
	}
	if ok {
		copy(dst, ciphertext)
	}
	return ok
}

// join copies the pieces one after the other into one of the buffers, for a driver that takes additional data as one
// slice.
func join(pieces ...[]byte) *[]byte {
	b := buffers.Get().(*[]byte)
	*b = (*b)[:0]
	for _, p := range pieces {
		*b = append(*b, p...)
	}
	return b
}
