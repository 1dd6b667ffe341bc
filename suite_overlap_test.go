package kcrypto_test

import (
	"bytes"
	"fmt"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// Which operands may share memory: input and output that start at the same byte. Every other overlap is refused before
// anything is written, in the same way by every driver. crypto/cipher's documentation has the rules for AEADs.

// shifts are distances between an output and its input.
var shifts = []int{-257, -64, -63, -17, -16, -15, -8, -1, 1, 2, 8, 15, 16, 17, 31, 32, 63, 64, 65, 128, 255}

func TestAEADOverlap(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) { s.add(300, 12) })
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			l := all[0]
			a, m := newAEAD(t, d, l), &l.messages[0]
			buf := make([]byte, 1024)
			for _, shift := range shifts {
				from, to := 300, 300+shift
				what := fmt.Sprintf("output %d bytes from the input", shift)
				copy(buf[from:], m.sealed)
				before := bytes.Clone(buf)
				mustPanic(t, "Seal, "+what, "overlap", func() {
					a.Seal(buf[to:to], m.nonce, buf[from:from+len(m.text)], m.aad)
				})
				mustPanic(t, "Open, "+what, "overlap", func() {
					a.Open(buf[to:to], m.nonce, buf[from:from+len(m.sealed)], m.aad)
				})
				if diff := difference(buf, before); diff != "" {
					t.Fatalf("%s: refused, and written: %s", what, diff)
				}
			}
		})
	})
}

// TestAEADOverlapWithAAD: the output may not overlap additional data, not even if both start at the same byte.
func TestAEADOverlapWithAAD(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			tag := model.tags[len(model.tags)-1]
			a := newAEAD(t, d, keyedMessages{key: rng.bytes(model.keySizes[0]), nonceSize: model.nonce, tagSize: tag})
			nonce, text, buf := rng.bytes(model.nonce), rng.bytes(40), rng.bytes(200)
			before := bytes.Clone(buf)
			for _, at := range []int{100, 99, 93, 101, 100 + 40 + tag - 1} {
				what := fmt.Sprintf("additional data %d bytes from the output", at-100)
				mustPanic(t, "Seal, "+what, "overlap", func() { a.Seal(buf[100:100], nonce, text, buf[at:at+8]) })
			}
			sealed := a.Seal(nil, nonce, text, rng.bytes(8))
			mustPanic(t, "Open", "overlap", func() { a.Open(buf[100:100], nonce, sealed, buf[139:147]) })
			if diff := difference(buf, before); diff != "" {
				t.Fatalf("refused, and written: %s", diff)
			}
			if got := a.Seal(buf[100:100], nonce, text, buf[92:100]); len(got) != 40+tag {
				t.Error("additional data that ends where the output begins is refused")
			}
		})
	})
}

// TestAppending: the bytes that dst had stay, with and without enough capacity. Records can be sealed behind their
// header in one buffer, as in TLS, QUIC and WireGuard.
func TestAppending(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) {
			for _, n := range []int{0, 1, 16, 100, 1420} {
				s.add(n, 8)
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			for _, l := range all {
				a := newAEAD(t, d, l)
				for i := range l.messages {
					m := &l.messages[i]
					for _, capacity := range []int{0, 1, len(m.sealed) - 1, len(m.sealed), len(m.sealed) + 7} {
						header := append(make([]byte, 0, len(m.aad)+capacity), m.aad...)
						got := a.Seal(header, m.nonce, m.text, m.aad)
						if diff := difference(got, join(m.aad, m.sealed)); diff != "" {
							t.Fatalf("Seal of %d bytes with a capacity of %d: %s", len(m.text), capacity, diff)
						}
					}
					record := append(join(m.aad, m.text), make([]byte, l.tagSize)...)
					h := len(m.aad)
					a.Seal(record[:h], m.nonce, record[h:h+len(m.text)], record[:h]) // header is prefix and AAD at once
					if diff := difference(record, join(m.aad, m.sealed)); diff != "" {
						t.Fatalf("a record of %d bytes: %s", len(m.text), diff)
					}
					back, err := a.Open(record[h:h], m.nonce, record[h:], record[:h])
					if diff := difference(back, m.text); err != nil || diff != "" {
						t.Fatalf("a record of %d bytes, back: %s (%v)", len(m.text), diff, err)
					}
				}
			}
		})
	})
}

// TestInPlaceWithoutCapacity: Seal(buf[:0], ..., buf[:n]) where the tag does not fit leaves buf alone.
func TestInPlaceWithoutCapacity(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) { s.add(77, 8) })
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			m := &all[0].messages[0]
			a, buf := newAEAD(t, d, all[0]), bytes.Clone(m.text)
			buf = buf[:len(buf):len(buf)]
			got := a.Seal(buf[:0], m.nonce, buf, m.aad)
			if diff := difference(got, m.sealed) + difference(buf, m.text); diff != "" {
				t.Fatal(diff)
			}
		})
	})
}

func TestSkcipherOverlap(t *testing.T) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			s := newSkcipher(t, d, rng.bytes(model.keySizes[len(model.keySizes)-1]))
			iv, buf := make([]byte, model.iv), rng.bytes(1024)
			before := bytes.Clone(buf)
			for _, shift := range shifts {
				in, out := buf[300:588], buf[300+shift:588+shift]
				what := fmt.Sprintf("output %d bytes from the input", shift)
				wantError(t, "Encrypt, "+what, s.Encrypt(out, in, iv), registry.ErrOverlap)
				wantError(t, "Decrypt, "+what, s.Decrypt(out, in, iv), registry.ErrOverlap)
				if hasSectors(algorithm) {
					wantError(t, "EncryptSectors, "+what, s.EncryptSectors(out, in, 32, 0), registry.ErrOverlap)
					wantError(t, "DecryptSectors, "+what, s.DecryptSectors(out, in, 32, 0), registry.ErrOverlap)
					steps := kcrypto.SectorIV{Step: 8}
					wantError(t, "EncryptSectorsIV, "+what, s.EncryptSectorsIV(out, in, 32, steps), registry.ErrOverlap)
					wantError(t, "DecryptSectorsIV, "+what, s.DecryptSectorsIV(out, in, 32, steps), registry.ErrOverlap)
				}
			}
			// Only the bytes that are written count: a longer dst may reach over the input.
			if err := s.Encrypt(buf[:600], buf[288:576], iv); err != nil {
				t.Errorf("output that ends where the input begins: %v", err)
			}
			if diff := difference(buf[288:], before[288:]); diff != "" {
				t.Fatalf("written beyond the output: %s", diff)
			}
		})
	})
}
