package chacha

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"kcrypto/registry"
)

// TestBatch holds drivers that take many messages at once to what they do one at a time, in every number and size. The
// suite of the root package does so in every way that a caller has.
func TestBatch(t *testing.T) {
	for _, algorithm := range []string{aeadAlgorithm, espAlgorithm} {
		forEach(t, algorithm, func(t *testing.T, d *registry.Driver) {
			rng := newRand(t)
			random := rand.New(rng)
			bytesOf := func(n int) []byte {
				b := make([]byte, n)
				rng.Read(b)
				return b
			}
			for _, chunk := range chunks {
				a, ok := newAEADWithKey(t, d, chunk, bytesOf(d.KeySizes[0])).(registry.BatchAEAD)
				if !ok {
					return
				}
				for count := range 20 {
					packets := make([]registry.Packet, count)
					for i := range packets {
						n := random.IntN(1 + random.IntN(1600))
						packets[i] = registry.Packet{Dst: make([]byte, n+tagSize), Nonce: bytesOf(d.IVSize), Src: bytesOf(n), AAD: bytesOf(random.IntN(19))}
						if d.AADSizes != nil {
							packets[i].AAD = bytesOf(d.AADSizes[i%2])
						}
					}
					checkBatch(t, random, a, packets)
				}
			}
		})
	}
}

// checkBatch seals packets, and opens them after one has been forged.
func checkBatch(t *testing.T, random *rand.Rand, a registry.BatchAEAD, packets []registry.Packet) {
	t.Helper()
	a.SealBatch(packets, tagSize)
	texts, forged := make([][]byte, len(packets)), random.IntN(len(packets)+1)
	for i := range packets {
		p := &packets[i]
		want := make([]byte, len(p.Dst))
		a.Seal(want, p.Nonce, p.Src, p.AAD)
		if !bytes.Equal(p.Dst, want) {
			t.Fatalf("packet %d of %d, %d bytes, %d of additional data: % x, want % x", i, len(packets), len(p.Src), len(p.AAD), p.Dst, want)
		}
		texts[i], p.Src, p.Dst = p.Src, p.Dst, make([]byte, len(p.Src))
		if i == forged {
			p.Src[random.IntN(len(p.Src))] ^= 1 << random.IntN(8)
		}
	}
	if a.OpenBatch(packets, tagSize) != (forged == len(packets)) {
		t.Fatalf("packet %d of %d is forged, and OpenBatch says otherwise", forged, len(packets))
	}
	for i := range packets {
		p := &packets[i]
		if refused := p.Err == registry.ErrAuth; refused != (i == forged) || !refused && !bytes.Equal(p.Dst, texts[i]) {
			t.Fatalf("packet %d of %d, %d bytes: %v, % x, want % x", i, len(packets), len(p.Dst), p.Err, p.Dst, texts[i])
		}
	}
}
