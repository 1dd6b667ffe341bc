package gcm

import "kcrypto/registry"

// rfc4106 is AES-GCM as ESP encrypts with it (RFC 4106). The nonce of its calls is the 8 bytes of explicit IV. The
// additional data is SPI|SN, 8 or 12 bytes, and passes unchanged.
type rfc4106 struct{ esp }

func rfc4106Template() registry.Template {
	return espTemplate("rfc4106", []int{8, 12, 16},
		func(*registry.Driver) {},
		func(e esp) registry.AEAD { return &rfc4106{e} })
}

// Seal encrypts and authenticates.
func (r *rfc4106) Seal(dst, iv, plaintext, aad []byte) {
	var full [nonceSize]byte
	r.inner.Seal(dst, r.nonce(&full, iv), plaintext, aad)
}

// Open authenticates and decrypts.
func (r *rfc4106) Open(dst, iv, ciphertext, tag, aad []byte) bool {
	var full [nonceSize]byte
	return r.inner.Open(dst, r.nonce(&full, iv), ciphertext, tag, aad)
}
