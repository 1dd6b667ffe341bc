package kcrypto_test

import (
	"encoding/binary"
	"testing"

	"kcrypto/registry"
)

// FuzzPieces seals and opens a message in pieces with every AEAD driver, and compares with the model. Each two bytes of
// sizes make a piece.
func FuzzPieces(f *testing.F) {
	f.Add([]byte("key"), []byte("nonce"), []byte("text"), []byte{}, uint8(0))
	f.Add([]byte("key"), []byte("nonce"), []byte("text"), []byte{0, 0, 1, 0, 16, 0, 17, 1, 64, 0}, uint8(1))
	f.Add([]byte{}, []byte{0xff}, []byte("xy"), []byte{255, 3, 0, 4, 1, 4, 1, 0, 0, 2}, uint8(2))
	f.Add([]byte("k"), []byte("n"), []byte{0}, []byte{0, 6, 1, 0, 0, 8, 255, 1, 20, 0, 120, 5}, uint8(200))
	drivers := working(registry.TypeAEAD)
	f.Fuzz(func(t *testing.T, seed, nonce, text, sizes []byte, pick uint8) {
		var pieces []int
		total := 0
		for rest := sizes[:min(len(sizes), 24)]; len(rest) >= 2; rest = rest[2:] {
			pieces = append(pieces, int(binary.LittleEndian.Uint16(rest))%2100)
			total += pieces[len(pieces)-1]
		}
		for _, d := range drivers {
			if !takesPieces(d.Algorithm) {
				continue
			}
			m := aeadModelOf(t, d.Algorithm)
			l := keyedMessages{
				key:       expandSeed(seed, m.keySizes[int(pick)%len(m.keySizes)]),
				nonceSize: m.nonce, tagSize: m.tags[int(pick)%len(m.tags)],
			}
			aad := expandSeed(nonce, int(pick))
			if m.aadSizes != nil {
				aad = expandSeed(nonce, m.aadSizes[int(pick)%2])
			}
			one := message{nonce: expandSeed(nonce, m.nonce), aad: aad, text: expandSeed(text, total)}
			one.sealed = m.seal(l.key, one.nonce, one.text, aad, l.tagSize)
			a := newAEAD(t, d, l)
			sealed, err := sealPieces(a, &one, cutAt(one.text, pieces), pick%2 == 0)
			if diff := difference(sealed, one.sealed); err != nil || diff != "" {
				t.Fatalf("%s: pieces of %v: %s (%v)", d.Driver, pieces, diff, err)
			}
			opened, err := openPieces(a, &one, cutAt(sealed[:total], pieces), sealed[total:], pick%2 == 0)
			if diff := difference(opened, expandSeed(text, total)); err != nil || diff != "" {
				t.Fatalf("%s: opening pieces of %v: %s (%v)", d.Driver, pieces, diff, err)
			}
			a.Close()
		}
	})
}

// cutAt cuts a copy of p into pieces of these sizes.
func cutAt(p []byte, sizes []int) (pieces [][]byte) {
	rest := append([]byte(nil), p...)
	for _, n := range sizes {
		pieces = append(pieces, rest[:n:n])
		rest = rest[n:]
	}
	return pieces
}
