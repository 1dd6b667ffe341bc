package selftest

import (
	"context"
	"testing"

	"kcrypto/registry"
)

// batchAEAD is an AEAD with batches. After each call it calls spoil, which damages the result.
type batchAEAD struct {
	AEAD
	spoil func(packets []registry.Packet, opened bool) (unreported int)
}

func (b batchAEAD) SealBatch(packets []registry.Packet) {
	for i := range packets {
		p := &packets[i]
		p.Dst, p.Err = b.Seal(p.Dst, p.Nonce, p.Src, p.AAD), nil
	}
	b.spoil(packets, false)
}

func (b batchAEAD) OpenBatch(packets []registry.Packet) (failed int) {
	for i := range packets {
		if openPacket(b, &packets[i]); packets[i].Err != nil {
			failed++
		}
	}
	return failed - b.spoil(packets, true)
}

// openPacket opens a packet by a single call. Dst stays what it was if it is refused.
func openPacket(a AEAD, p *registry.Packet) {
	opened, err := a.Open(p.Dst, p.Nonce, p.Src, p.AAD)
	if p.Err = err; err == nil {
		p.Dst = opened
	}
}

func batched(spoil func(packets []registry.Packet, opened bool) (unreported int)) aeadFault {
	return func(a AEAD, _ int) AEAD { return batchAEAD{a, spoil} }
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
			wantFailure(t, fakeSubject("gcm(aes)", batched(c.spoil), nil), Options{}, c.says, `layout "batch of `)
		})
	}
}

// TestBatchForgeriesAreCaught: a driver accepts forgeries in some batches only.
func TestBatchForgeriesAreCaught(t *testing.T) {
	for name, accepts := range map[string]func(packets []registry.Packet, i, tag int) bool{
		"in the last packet":            func(p []registry.Packet, i, _ int) bool { return len(p) > 1 && i == len(p)-1 },
		"from packet 16 on":             func(_ []registry.Packet, i, _ int) bool { return i >= 16 },
		"in packet 127":                 func(_ []registry.Packet, i, _ int) bool { return i == 127 },
		"with more than 100 packets":    func(p []registry.Packet, _, _ int) bool { return len(p) > 100 },
		"with a single packet":          func(p []registry.Packet, _, _ int) bool { return len(p) == 1 },
		"with tags under 16 bytes":      func(_ []registry.Packet, _, tag int) bool { return tag < 16 },
		"with tags of 4 bytes":          func(_ []registry.Packet, _, tag int) bool { return tag == 4 },
		"in place":                      func(p []registry.Packet, i, _ int) bool { return inPlace(&p[i]) },
		"out of place":                  func(p []registry.Packet, i, _ int) bool { return !inPlace(&p[i]) },
		"where a neighbour was refused": func(p []registry.Packet, i, _ int) bool { return i > 1 && p[i-2].Err != nil },
	} {
		for _, full := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s := fakeSubject("gcm(aes)", acceptForgeries(accepts), nil)
				wantFailure(t, s, Options{Full: full}, "decryption of a batch unexpectedly succeeded")
			})
		}
	}
}

// inPlace reports whether the output of a packet begins where its input does.
func inPlace(p *registry.Packet) bool {
	return cap(p.Dst) > 1 && len(p.Src) > 0 && &p.Dst[:2][1] == &p.Src[0]
}

// acceptForgeries makes an AEAD that opens a forged packet of a batch without an error where accepts says so.
func acceptForgeries(accepts func(packets []registry.Packet, i, tag int) bool) aeadFault {
	return func(a AEAD, _ int) AEAD { return forgeryAccepter{a, accepts} }
}

type forgeryAccepter struct {
	AEAD
	accepts func(packets []registry.Packet, i, tag int) bool
}

func (f forgeryAccepter) SealBatch(packets []registry.Packet) {
	batchAEAD{f.AEAD, func([]registry.Packet, bool) int { return 0 }}.SealBatch(packets)
}

func (f forgeryAccepter) OpenBatch(packets []registry.Packet) (failed int) {
	for i := range packets {
		if openPacket(f, &packets[i]); packets[i].Err == nil {
			continue
		}
		if f.accepts(packets, i, f.Overhead()) {
			p := &packets[i]
			p.Dst, p.Err = p.Dst[:len(p.Dst)+len(p.Src)-f.Overhead()], nil
			continue
		}
		failed++
	}
	return failed
}
