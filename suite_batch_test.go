package kcrypto_test

import (
	"fmt"
	"sync"
	"testing"

	"kcrypto"
	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// Batches: what SealBatch and OpenBatch do to each packet is what Seal and Open do to it alone.

// TestBatch has packets of mixed sizes and kinds, from none to more than a driver gets in one call.
func TestBatch(t *testing.T) {
	counts := []int{0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 40, 63, 64, 65, 127, 128, 129, 300}
	if testing.Short() {
		counts = []int{0, 1, 3, 4, 5, 33, 130}
	}
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := sync.OnceValue(func() []keyedMessages {
			return makeMessages(newRandom(t.Name()+algorithm), model, batchMessages)
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			for _, l := range all() {
				if len(l.messages) == 0 {
					continue
				}
				a := newAEAD(t, d, l)
				for _, count := range counts {
					runBatch(t, rng, a, &l, count, false)
					runBatch(t, rng, a, &l, count, true)
				}
			}
		})
	})
}

// TestBatchEvenSizes has packets of one size, for every size, so that no larger neighbour hides an error.
func TestBatchEvenSizes(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := sync.OnceValue(func() []keyedMessages {
			return makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) {
				for n := range 700 {
					if n <= 80 || n%16 < 2 || !testing.Short() && n%3 == 0 {
						s.add(n, n%18)
					}
				}
			})
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			for _, l := range all() {
				a := newAEAD(t, d, l)
				for i := range l.messages {
					one := keyedMessages{l.key, l.nonceSize, l.tagSize, l.messages[i : i+1]}
					runBatch(t, rng, a, &one, 5, false)
					runBatch(t, rng, a, &one, 5, true)
				}
			}
		})
	})
}

// TestBatchNonceSizes has nonces of sizes that the assembly for batches does not have.
func TestBatchNonceSizes(t *testing.T) {
	model := aeadModelOf(t, "gcm(aes)")
	all := makeMessages(newRandom(t.Name()), model, func(s *messageMaker) {
		for _, size := range []int{1, 8, 13, 16, 60} {
			s.begin(s.bytes(16), size, 16)
			for range 20 {
				s.add(s.upTo(300), s.upTo(20))
			}
		}
	})
	eachDriver(t, "gcm(aes)", func(t *testing.T, d registry.Info) {
		rng := newRandom(t.Name())
		for _, l := range all {
			if len(l.messages) > 0 {
				a := newAEAD(t, d, l)
				runBatch(t, rng, a, &l, 40, false)
				runBatch(t, rng, a, &l, 40, true)
			}
		}
	})
}

// TestBatchChunks has batches that are longer than a chunk.
func TestBatchChunks(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), batchMessages)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			a := newAEAD(t, d, all[0], inForm(t, d, smallChunks))
			runBatch(t, rng, a, &all[0], 60, false)
			runBatch(t, rng, a, &all[0], 60, true)
		})
	})
}

// TestGuardedBatch puts every operand of every packet next to an unmapped page, and inputs into read-only memory.
func TestGuardedBatch(t *testing.T) {
	needGuard(t)
	const count = 6
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := sync.OnceValue(func() []keyedMessages {
			return makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) {
				for i, n := range guardLengths() {
					s.add(n, i%20)
				}
			})
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			var pens [count]*guardedOperands
			for i := range pens {
				pens[i] = newGuardedOperands(t)
			}
			for _, l := range all() {
				a := newAEAD(t, d, l)
				for first := range l.messages {
					for range 2 { // both ends
						guardedBatch(t, a, pens[:], &l, first, false)
						guardedBatch(t, a, pens[:], &l, first, true)
						for _, p := range pens {
							p.swapEnds()
						}
					}
				}
			}
		})
	})
}

// guardedBatch seals or opens a batch of messages from number first on: one more than one call of assembly takes.
func guardedBatch(t *testing.T, a *kcrypto.AEAD, pens []*guardedOperands, l *keyedMessages, first int, opening bool) {
	t.Helper()
	packets, want := make([]kcrypto.Packet, len(pens)), make([][]byte, len(pens))
	for i, p := range pens {
		m := &l.messages[(first+i*i)%len(l.messages)]
		in, out := m.text, m.sealed
		if opening {
			in, out = m.sealed, m.text
		}
		want[i] = out
		packets[i] = kcrypto.Packet{
			Dst: p.out.writable(len(out))[:0], Nonce: p.nonce.readOnly(m.nonce),
			Src: p.in.readOnly(in), AAD: p.aad.readOnly(m.aad),
		}
	}
	err := guard.Run(func() {
		if opening {
			a.OpenBatch(packets)
		} else {
			a.SealBatch(packets)
		}
	})
	for i := range packets {
		if s := difference(packets[i].Dst, want[i]); err != nil || s != "" || packets[i].Err != nil {
			t.Fatalf("opening %v, operands end at a page: %v, packet %d of %d bytes: %v %v %s",
				opening, pens[0].in.atEnd, i, len(packets[i].Src), err, packets[i].Err, s)
		}
	}
}

// TestBatchSizesRefused has a packet with additional data of a length that the algorithm does not have.
func TestBatchSizesRefused(t *testing.T) {
	a, err := kcrypto.NewAEAD("rfc4106(gcm(aes))", make([]byte, 20))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	packets := []kcrypto.Packet{
		{Nonce: make([]byte, 8), AAD: make([]byte, 8)},
		{Nonce: make([]byte, 8), AAD: make([]byte, 9)},
		{Nonce: make([]byte, 8), AAD: make([]byte, 12)},
	}
	a.SealBatch(packets)
	wantError(t, "9 bytes of additional data", packets[1].Err, registry.ErrLength)
	if packets[0].Err != nil || packets[2].Err != nil || len(packets[0].Dst) != 16 || len(packets[2].Dst) != 16 {
		t.Errorf("the packets beside it: %v, %v", packets[0].Err, packets[2].Err)
	}
}

// TestBatchConcurrently seals batches with one transform in many goroutines.
func TestBatchConcurrently(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), batchMessages)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			a := newAEAD(t, d, all[0])
			var group sync.WaitGroup
			for g := range 8 {
				group.Go(func() {
					rng := newRandom(fmt.Sprint(t.Name(), g))
					for range 3 {
						cases, _ := batchOf(rng, &all[0], smallDst, 20, false)
						send(cases, a.SealBatch)
						for _, p := range cases {
							if s := p.wrong(); s != "" {
								t.Error(s)
							}
						}
					}
				})
			}
			group.Wait()
		})
	})
}

// TestRefusedPacketKeepsDst: Dst is what it was also where the result would have been new memory.
func TestRefusedPacketKeepsDst(t *testing.T) {
	a := must(kcrypto.NewAEAD("gcm(aes)", make([]byte, 16)))
	defer a.Close()
	dst, nonce := make([]byte, 3, 4), make([]byte, 12)
	p := []kcrypto.Packet{{Dst: dst, Nonce: nonce, Src: make([]byte, 40)}}
	if failed := a.OpenBatch(p); failed != 1 || len(p[0].Dst) != 3 || cap(p[0].Dst) != 4 || &p[0].Dst[0] != &dst[0] {
		t.Errorf("%d failed, Dst has %d of %d bytes, want the 3 of 4 that it had", failed, len(p[0].Dst), cap(p[0].Dst))
	}
}
