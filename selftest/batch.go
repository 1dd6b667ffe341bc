package selftest

import (
	"bytes"
	"errors"
	"fmt"

	"kcrypto/registry"
)

// batcher is an AEAD that takes many messages at once.
type batcher interface {
	AEAD
	SealBatch(packets []registry.Packet)
	OpenBatch(packets []registry.Packet) (failed int)
}

// batchSize is two full rounds of four messages side by side and three messages more.
const batchSize = 11

// checkBatch seals and opens messages of mixed sizes in one call each, where the subject can, and expects what one call
// a message gives. One of them is forged before it is opened.
func (r *run) checkBatch() error {
	first := r.plainMessage(0)
	r.at = place{first, &layout{label: "batch"}}
	first.iv = r.rng.bytes(r.subject.Driver.IVSize)
	single, err := r.keyedAEAD(first, r.at.layout)
	if err != nil {
		return err
	}
	a, ok := single.(batcher)
	if !ok {
		return nil
	}
	packets, want, texts := make([]registry.Packet, batchSize), make([][]byte, batchSize), make([][]byte, batchSize)
	for i := range packets {
		m := r.plainMessage(i * 5)
		nonce := r.rng.bytes(a.NonceSize())
		want[i], texts[i] = a.Seal(nil, nonce, m.in, m.aad), m.in
		packets[i] = registry.Packet{Nonce: nonce, Src: m.in, AAD: m.aad, Dst: make([]byte, 0, len(want[i]))}
	}
	a.SealBatch(packets)
	for i := range packets {
		p := &packets[i]
		if p.Err != nil || !bytes.Equal(p.Dst, want[i]) {
			return r.failed(encryption, "wrong batch", fmt.Sprintf("packet %d of %d bytes differs from a single call (error %v)", i, len(texts[i]), p.Err))
		}
		p.Src, p.Dst = bytes.Clone(p.Dst), p.Dst[:0]
	}
	forged := r.rng.IntN(batchSize)
	packets[forged].Src[r.rng.IntN(len(packets[forged].Src))] ^= 1
	if failed := a.OpenBatch(packets); failed != 1 || !errors.Is(packets[forged].Err, registry.ErrAuth) {
		return r.fail("decryption of a batch unexpectedly succeeded", fmt.Sprintf("%d of %d packets refused, packet %d is forged", failed, batchSize, forged))
	}
	for i := range packets {
		if i != forged && !bytes.Equal(packets[i].Dst, texts[i]) {
			return r.failed(decryption, "wrong batch", fmt.Sprintf("packet %d of %d bytes differs from a single call", i, len(texts[i])))
		}
	}
	return nil
}
