package selftest

import (
	"context"
	"testing"

	"kcrypto/registry"
)

// batching is an AEAD with batches, which spoil does something to afterwards.
type batching struct {
	AEAD
	spoil func(packets []registry.Packet, opened bool) (forgiven int)
}

func (b batching) SealBatch(packets []registry.Packet) {
	for i := range packets {
		p := &packets[i]
		p.Dst, p.Err = b.Seal(p.Dst, p.Nonce, p.Src, p.AAD), nil
	}
	b.spoil(packets, false)
}

func (b batching) OpenBatch(packets []registry.Packet) (failed int) {
	for i := range packets {
		p := &packets[i]
		if p.Dst, p.Err = b.Open(p.Dst, p.Nonce, p.Src, p.AAD); p.Err != nil {
			failed++
		}
	}
	return failed - b.spoil(packets, true)
}

func batched(spoil func(packets []registry.Packet, opened bool) (forgiven int)) aeadFault {
	return func(a AEAD, _ int) AEAD { return batching{a, spoil} }
}

// TestBrokenBatches: a driver that is right one message at a time, and wrong with many.
func TestBrokenBatches(t *testing.T) {
	right := batched(func([]registry.Packet, bool) int { return 0 })
	s, g := fakeSubject("gcm(aes)", right, nil), fakeSubject("gcm(aes)", nil, nil)
	if err := Run(context.Background(), s, &g, Options{}); err != nil {
		t.Error(err)
	}
	last := func(p []registry.Packet) []byte { return p[len(p)-1].Dst }
	for name, c := range map[string]struct {
		spoil func(packets []registry.Packet, opened bool) int
		says  string
	}{
		"sealed wrongly": {func(p []registry.Packet, opened bool) int {
			if !opened {
				last(p)[0] ^= 1
			}
			return 0
		}, "encryption test failed (wrong batch)"},
		"forgeries taken": {func(p []registry.Packet, opened bool) int {
			if opened {
				return 1
			}
			return 0
		}, "decryption of a batch unexpectedly succeeded"},
		"opened wrongly": {func(p []registry.Packet, opened bool) int {
			for i := range p {
				if opened && p[i].Err == nil {
					p[i].Dst[0] ^= 1
				}
			}
			return 0
		}, "decryption test failed (wrong batch)"},
	} {
		t.Run(name, func(t *testing.T) {
			wantFailure(t, fakeSubject("gcm(aes)", batched(c.spoil), nil), Options{}, c.says, `layout "batch"`)
		})
	}
}
