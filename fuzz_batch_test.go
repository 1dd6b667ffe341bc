package kcrypto_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// FuzzBatch compares batches of every AEAD driver with the model. Each two bytes of sizes make a packet. One packet is
// changed before the batch is opened, and must be the only one that fails.
func FuzzBatch(f *testing.F) {
	f.Add([]byte("key"), []byte("nonce"), []byte("text"), []byte{}, uint8(0))
	f.Add([]byte("key"), []byte("nonce"), []byte("text"), []byte{0, 0, 1, 0, 16, 0, 17, 1, 64, 0}, uint8(1))
	f.Add([]byte{}, []byte{0xff}, []byte("xy"), bytes.Repeat([]byte{64, 0}, 17), uint8(2))
	f.Add([]byte("k"), []byte("n"), []byte{0}, []byte{0, 1, 255, 0, 1, 1, 0, 4, 140, 5, 255, 3, 0, 2}, uint8(200))
	drivers := working(registry.TypeAEAD)
	f.Fuzz(func(t *testing.T, seed, nonce, text, sizes []byte, pick uint8) {
		sizes = sizes[:min(len(sizes), 48)]
		for _, d := range drivers {
			m := aeadModelOf(t, d.Algorithm)
			l := keyedMessages{
				key:       expandSeed(seed, m.keySizes[int(pick)%len(m.keySizes)]),
				nonceSize: m.nonce, tagSize: m.tags[int(pick)%len(m.tags)],
			}
			aad := expandSeed(nonce, int(pick))
			if m.aadSizes != nil {
				aad = expandSeed(nonce, m.aadSizes[int(pick)%2])
			}
			var ps []kcrypto.Packet
			var want [][]byte
			for rest := sizes; len(rest) >= 2; rest = rest[2:] {
				p := kcrypto.Packet{Nonce: expandSeed(append(nonce, rest[0]), m.nonce), AAD: aad,
					Src: expandSeed(append(text, rest...), int(binary.LittleEndian.Uint16(rest))%1500)}
				want = append(want, m.seal(l.key, p.Nonce, p.Src, aad, l.tagSize))
				ps = append(ps, p)
			}
			a := newAEAD(t, d, l)
			a.SealBatch(ps)
			for i := range ps {
				if diff := difference(ps[i].Dst, want[i]); ps[i].Err != nil || diff != "" {
					t.Fatalf("%s: packet %d of %d, %d bytes: %s (%v)", d.Driver, i, len(ps), len(ps[i].Src), diff, ps[i].Err)
				}
			}
			openChanged(t, a, ps, int(pick))
			a.Close()
		}
	})
}

// openChanged opens sealed packets in place, with one of them changed.
func openChanged(t *testing.T, a *kcrypto.AEAD, sealed []kcrypto.Packet, pick int) {
	t.Helper()
	if len(sealed) == 0 {
		if failed := a.OpenBatch(nil); failed != 0 {
			t.Fatalf("%s: %d of no packets failed", a.Driver(), failed)
		}
		return
	}
	var ps []kcrypto.Packet
	for _, p := range sealed {
		ps = append(ps, kcrypto.Packet{Dst: p.Dst[:0], Nonce: p.Nonce, AAD: p.AAD, Src: p.Dst})
	}
	bad := pick % len(ps)
	ps[bad].Src[pick%len(ps[bad].Src)] ^= 1 << (pick % 8)
	if failed := a.OpenBatch(ps); failed != 1 {
		t.Fatalf("%s: %d packets failed, want 1", a.Driver(), failed)
	}
	for i := range ps {
		if i == bad {
			wantError(t, a.Driver()+": the changed packet", ps[i].Err, registry.ErrAuth)
		} else if diff := difference(ps[i].Dst, sealed[i].Src); ps[i].Err != nil || diff != "" {
			t.Fatalf("%s: packet %d of %d, back: %s (%v)", a.Driver(), i, len(ps), diff, ps[i].Err)
		}
	}
}
