package esp

import (
	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

var _ registry.BatchAEAD = (*AEAD)(nil)

// SealBatch seals packets.
func (a *AEAD) SealBatch(packets []registry.Packet, tag int) {
	if b, ok := a.Inner.(registry.BatchAEAD); ok {
		a.each(packets, func(full []registry.Packet) { b.SealBatch(full, tag) })
		return
	}
	registry.SealEach(a, packets, tag)
}

// OpenBatch opens packets.
func (a *AEAD) OpenBatch(packets []registry.Packet, tag int) (ok bool) {
	if b, many := a.Inner.(registry.BatchAEAD); many {
		ok = true
		a.each(packets, func(full []registry.Packet) { ok = b.OpenBatch(full, tag) && ok })
		return ok
	}
	return registry.OpenEach(a, packets, tag)
}

// each hands the packets to work with their full nonces, a few copies at a time, which are on the stack.
func (a *AEAD) each(packets []registry.Packet, work func(full []registry.Packet)) {
	var nonces [16][NonceSize]byte
	var copies [len(nonces)]registry.Packet
	for len(packets) > 0 {
		full := copies[:min(len(packets), len(copies))]
		for i := range full {
			full[i] = packets[i]
			full[i].Nonce = a.Nonce(&nonces[i], packets[i].Nonce)
		}
		work(noescape.Slice(full))
		for i := range full {
			packets[i].Err = full[i].Err
		}
		packets = packets[len(full):]
	}
}
