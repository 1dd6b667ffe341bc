package gcm

import (
	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

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

// SealBatch seals packets.
func (r *rfc4106) SealBatch(packets []registry.Packet, tag int) {
	if b, ok := r.inner.(registry.BatchAEAD); ok && !r.foreign {
		r.eachBatch(packets, func(full []registry.Packet) { b.SealBatch(full, tag) })
		return
	}
	registry.SealEach(r, packets, tag)
}

// OpenBatch opens packets.
func (r *rfc4106) OpenBatch(packets []registry.Packet, tag int) (ok bool) {
	if b, many := r.inner.(registry.BatchAEAD); many && !r.foreign {
		ok = true
		r.eachBatch(packets, func(full []registry.Packet) { ok = b.OpenBatch(full, tag) && ok })
		return ok
	}
	return registry.OpenEach(r, packets, tag)
}

// eachBatch hands the packets to work with their full nonces, as many copies at a time as have room on the stack.
func (r *rfc4106) eachBatch(packets []registry.Packet, work func(full []registry.Packet)) {
	var nonces [16][nonceSize]byte
	var copies [len(nonces)]registry.Packet
	for len(packets) > 0 {
		full := copies[:min(len(packets), len(copies))]
		for i := range full {
			full[i] = packets[i]
			full[i].Nonce = r.nonce(&nonces[i], packets[i].Nonce)
		}
		work(noescape.Slice(full))
		for i := range full {
			packets[i].Err = full[i].Err
		}
		packets = packets[len(full):]
	}
}
