package gcm

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"kcrypto/registry"
)

// TestBatch holds drivers that take many messages at once to what they do one at a time. The suite of the root package
// does so in every way that a caller has.
func TestBatch(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{1})
		random := rand.New(rng)
		for _, size := range d.KeySizes {
			a, ok := open(t, d, randomBytes(rng, size)).(registry.BatchAEAD)
			if !ok {
				return
			}
			for _, tag := range d.AuthSizes {
				packets, want := make([]registry.Packet, 70), make([][]byte, 70)
				for i := range packets {
					p := &packets[i]
					n := random.IntN(1 + random.IntN(300))
					p.Nonce, p.AAD, p.Src = randomBytes(rng, 12), randomBytes(rng, random.IntN(18)), randomBytes(rng, n)
					p.Dst, want[i] = make([]byte, n+tag), make([]byte, n+tag)
					a.Seal(want[i], p.Nonce, p.Src, p.AAD)
				}
				a.SealBatch(packets, tag)
				forged := random.IntN(len(packets))
				for i := range packets {
					p := &packets[i]
					if !bytes.Equal(p.Dst, want[i]) {
						t.Fatalf("packet %d, %d bytes, %d of additional data, tag of %d: %s", i, len(p.Src), len(p.AAD), tag, difference(p.Dst, want[i]))
					}
					want[i] = p.Src
					p.Src, p.Dst = p.Dst, make([]byte, len(p.Src))
				}
				packets[forged].Src[random.IntN(len(packets[forged].Src))] ^= 1 << random.IntN(8)
				if a.OpenBatch(packets, tag) {
					t.Fatalf("tag of %d: packet %d of %d bytes is forged, and taken", tag, forged, len(packets[forged].Dst))
				}
				for i := range packets {
					p := &packets[i]
					if refused := p.Err == registry.ErrAuth; refused != (i == forged) || !refused && !bytes.Equal(p.Dst, want[i]) {
						t.Fatalf("packet %d of %d bytes, tag of %d: %v %s", i, len(p.Dst), tag, p.Err, difference(p.Dst, want[i]))
					}
				}
			}
		}
	})
}
