package kcrypto_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// FuzzRequests compares batches of every skcipher driver with single calls of its model. Each two bytes of sizes make a
// request, of which every third one is in place; one has an IV of a wrong size and must be the only one that fails.
func FuzzRequests(f *testing.F) {
	f.Add([]byte("key"), []byte("iv"), []byte("text"), []byte{}, uint8(0))
	f.Add([]byte("key"), []byte("iv"), []byte("text"), []byte{16, 0, 1, 0, 64, 0, 0, 1}, uint8(1))
	f.Add([]byte{}, []byte{0xff}, []byte("xy"), bytes.Repeat([]byte{64, 0}, 33), uint8(2))
	f.Add([]byte("k"), []byte("n"), []byte{0}, bytes.Repeat([]byte{0, 1, 255, 0, 1, 1, 0, 4}, 9), uint8(200))
	drivers := working(registry.TypeSkcipher)
	f.Fuzz(func(t *testing.T, seed, iv, text, sizes []byte, pick uint8) {
		sizes = sizes[:min(len(sizes), 80)]
		for _, d := range drivers {
			m := skModelOf(t, d.Algorithm)
			key := expandSeed(seed, m.keySizes[int(pick)%len(m.keySizes)])
			var requests []kcrypto.Request
			var want [][]byte
			for rest := sizes; len(rest) >= 2; rest = rest[2:] {
				n := fitting(&d, int(binary.LittleEndian.Uint16(rest))%1500)
				r := kcrypto.Request{Src: expandSeed(append(text, rest...), n), IV: expandSeed(append(iv, rest[0]), m.iv)}
				if m.blocks != nil && m.blocks(r.IV) < uint64(n/64+1) {
					clear(r.IV)
				}
				want = append(want, m.encrypt(key, r.IV, r.Src))
				if r.Dst = r.Src; len(requests)%3 > 0 {
					r.Dst = make([]byte, n)
				}
				requests = append(requests, r)
			}
			plain := make([][]byte, len(requests))
			for i := range requests {
				plain[i] = bytes.Clone(requests[i].Src)
			}
			bad := -1
			if m.iv > 0 && len(requests) > 0 {
				bad = int(pick) % len(requests)
				requests[bad].IV = requests[bad].IV[1:]
			}
			s := newSkcipher(t, d, key)
			check := func(what string, failed int, of [][]byte) {
				if wantFailed := min(1, bad+1); failed != wantFailed {
					t.Fatalf("%s: %s: %d of %d requests failed, want %d", d.Driver, what, failed, len(requests), wantFailed)
				}
				for i := range requests {
					r := &requests[i]
					if i == bad {
						wantError(t, d.Driver+": a short IV", r.Err, registry.ErrNonceSize)
					} else if diff := difference(r.Dst[:len(r.Src)], of[i]); r.Err != nil || diff != "" {
						t.Fatalf("%s: %s: request %d of %d, %d bytes: %s (%v)", d.Driver, what, i, len(requests), len(r.Src), diff, r.Err)
					}
				}
			}
			check("encryption", s.EncryptBatch(requests), want)
			for i := range requests {
				requests[i].Src = requests[i].Dst
			}
			check("decryption", s.DecryptBatch(requests), plain)
			s.Close()
		}
	})
}

// fitting is a length near n that a driver takes.
func fitting(d *registry.Info, n int) int {
	n = max(n, d.MinSize)
	return n - n%max(d.MultipleOf, 1)
}
