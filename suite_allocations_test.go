package kcrypto_test

import (
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// Calls do not allocate, except in drivers that call Go's own code.

func allocations(f func()) float64 { return testing.AllocsPerRun(50, f) }

func needNoRace(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("NOT RUN under the race detector, which allocates")
	}
}

// TestAEADAllocations: no allocation a call, with the nonce in an array on the stack and enough capacity in dst.
func TestAEADAllocations(t *testing.T) {
	needNoRace(t)
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		eachDriverInTurn(t, algorithm, func(t *testing.T, d registry.Info) {
			key := make([]byte, model.keySizes[0])
			for _, tag := range model.tags {
				aeadAllocations(t, d, keyedMessages{key, model.nonce, tag, nil})
				if n := model.another(); n > 0 {
					aeadAllocations(t, d, keyedMessages{key, n, tag, nil})
				}
			}
		})
	})
}

func aeadAllocations(t *testing.T, d registry.Info, l keyedMessages) {
	t.Helper()
	a := newAEAD(t, d, l)
	for _, n := range []int{0, 16, 100, 1420, 5000} {
		buf := make([]byte, n+l.tagSize)
		seal := allocations(func() {
			var nonce [24]byte
			var aad [8]byte
			a.Seal(buf[:0], nonce[:l.nonceSize], buf[:n], aad[:])
		})
		out := make([]byte, n)
		var failed error
		open := allocations(func() {
			var nonce [24]byte
			var aad [8]byte
			clear(buf)
			a.Seal(buf[:0], nonce[:l.nonceSize], buf[:n], aad[:])
			_, err := a.Open(out[:0], nonce[:l.nonceSize], buf, aad[:])
			failed = err
		})
		if seal > mayAllocate(d) || open > 2*mayAllocate(d) || failed != nil {
			t.Errorf("%d bytes, nonce of %d, tag of %d: %v allocations a Seal, %v a Seal and Open (%v)",
				n, l.nonceSize, l.tagSize, seal, open, failed)
		}
	}
}

// mayAllocate returns how many allocations a call may make: none, except in Go's own code. That makes a new CTR object
// for every IV (two, if the call starts inside a block) and allocates in x/crypto's portable ChaCha20-Poly1305.
func mayAllocate(d registry.Info) float64 {
	if d.Impl == "stdlib" {
		return 2
	}
	return 0
}

func TestSkcipherAllocations(t *testing.T) {
	needNoRace(t)
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		eachDriverInTurn(t, algorithm, func(t *testing.T, d registry.Info) {
			s := newSkcipher(t, d, make([]byte, model.keySizes[0]))
			calls := map[string]func(buf, iv []byte) error{
				"Encrypt": func(buf, iv []byte) error { return s.Encrypt(buf, buf, iv) },
				"Decrypt": func(buf, iv []byte) error { return s.Decrypt(buf, buf, iv) },
			}
			if model.keystream != nil {
				calls["XORKeyStreamAt"] = func(buf, iv []byte) error { return s.XORKeyStreamAt(buf, buf, iv, 77) }
			}
			if hasSectors(algorithm) {
				calls["EncryptSectors"] = func(buf, _ []byte) error { return s.EncryptSectors(buf, buf, 16, 9) }
				calls["DecryptSectors"] = func(buf, _ []byte) error { return s.DecryptSectors(buf, buf, 16, 9) }
				steps := kcrypto.SectorIV{Form: kcrypto.IVPlain64BE, First: 5, Step: 8}
				calls["EncryptSectorsIV"] = func(buf, _ []byte) error { return s.EncryptSectorsIV(buf, buf, 16, steps) }
				calls["DecryptSectorsIV"] = func(buf, _ []byte) error { return s.DecryptSectorsIV(buf, buf, 16, steps) }
			}
			for _, n := range []int{16, 96, 1424, 5008} {
				buf, iv := make([]byte, n), make([]byte, model.iv)
				for op, f := range calls {
					got := allocations(func() {
						if err := f(buf, iv); err != nil {
							panic(err)
						}
					})
					may := mayAllocate(d)
					if strings.Contains(op, "Sectors") {
						may *= float64(n / 16) // a call of Go's for each
					}
					if got > may {
						t.Errorf("%s of %d bytes: %v allocations", op, n, got)
					}
				}
			}
			stackIV(t, s, d)
		})
	})
}

// stackIV checks that an IV in an array on the stack stays there: a call through an interface would move it to the
// heap.
func stackIV(t *testing.T, s *kcrypto.Skcipher, d registry.Info) {
	t.Helper()
	buf, n := make([]byte, 160), s.IVSize()
	got := allocations(func() {
		var iv [32]byte
		if err := s.Encrypt(buf, buf, iv[:n]); err != nil {
			panic(err)
		}
	})
	if got > mayAllocate(d) {
		t.Errorf("IV on the stack: %v allocations", got)
	}
}

// TestStreamAllocations: only making a stream allocates, using it does not.
func TestStreamAllocations(t *testing.T) {
	needNoRace(t)
	for _, algorithm := range algorithms(registry.TypeSkcipher) {
		model := skModelOf(t, algorithm)
		if model.keystream == nil {
			continue
		}
		eachDriverInTurn(t, algorithm, func(t *testing.T, d registry.Info) {
			f := newStreamCase(t, d, &model, 333)
			s := f.stream(t)
			got := allocations(func() {
				s.XORKeyStream(f.plain, f.plain)
				if err := s.Seek(5); err != nil {
					panic(err)
				}
			})
			if got > 2*mayAllocate(d) { // for XORKeyStream and for Seek
				t.Errorf("%v allocations a piece", got)
			}
		})
	}
}

// TestBatchAllocations: no allocation a call, with nonces in an array on the stack and enough capacity in each Dst.
func TestBatchAllocations(t *testing.T) {
	needNoRace(t)
	for _, d := range working(registry.TypeAEAD) {
		if d.Impl == "stdlib" { // Go's own code may allocate
			continue
		}
		model := aeadModelOf(t, d.Algorithm)
		a := newAEAD(t, d, keyedMessages{make([]byte, model.keySizes[0]), model.nonce, 16, nil})
		if n := allocations(func() { stackBatch(a, model.nonce) }); n != 0 {
			t.Errorf("%s: %v allocations for a batch there and back, want 0", d.Driver, n)
		}
	}
}

// stackBatch seals and opens packets that are on the stack, with all of their memory.
func stackBatch(a *kcrypto.AEAD, nonceSize int) {
	var packets [9]kcrypto.Packet
	var nonces [len(packets)][24]byte
	var aad [12]byte
	var memory [len(packets)][700]byte
	for i := range packets {
		nonces[i][0] = byte(i)
		n := 80 * i % 650
		packets[i] = kcrypto.Packet{Dst: memory[i][:0], Nonce: nonces[i][:nonceSize], Src: memory[i][:n], AAD: aad[:]}
	}
	a.SealBatch(packets[:])
	for i := range packets {
		packets[i].Src, packets[i].Dst = packets[i].Dst, packets[i].Dst[:0]
	}
	if a.OpenBatch(packets[:]) != 0 {
		panic("a batch is not what was sealed")
	}
}
