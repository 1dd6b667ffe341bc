package kcrypto_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"kcrypto"
	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// Batches of symmetric ciphers: what EncryptBatch and DecryptBatch do to each request is what Encrypt and Decrypt do to
// it alone.

// batchUnits makes messages of mixed sizes, also empty ones, and longer than a small chunk.
func batchUnits(s *unitMaker) {
	for range 40 {
		s.add(s.upTo(90) &^ 15)
		s.add(s.upTo(400))
		s.add(s.upTo(2000) &^ 15)
	}
	s.add(0)
	s.add(9000 &^ 15)
}

// requestsOf makes requests of count messages from number first on, each with its own memory, and the right answers.
func requestsOf(u *units, first, count int, inPlace, decrypt bool) (requests []kcrypto.Request, want [][]byte) {
	for i := range count {
		m := &u.list[(first+i)%len(u.list)]
		in, out := m.plain, m.cipher
		if decrypt {
			in, out = out, in
		}
		r := kcrypto.Request{Dst: make([]byte, len(in)+3), Src: in, IV: m.iv, Err: errors.New("left from before the call")}
		if inPlace {
			r.Src = r.Dst[:copy(r.Dst, in)]
		}
		requests, want = append(requests, r), append(want, join(out, []byte{0, 0, 0}))
	}
	return requests, want
}

// runRequests does a batch of count messages in every direction, apart and in place.
func runRequests(t *testing.T, s *kcrypto.Skcipher, u *units, first, count int) {
	t.Helper()
	for _, inPlace := range []bool{false, true} {
		for _, decrypt := range []bool{false, true} {
			requests, want := requestsOf(u, first, count, inPlace, decrypt)
			call := s.EncryptBatch
			if decrypt {
				call = s.DecryptBatch
			}
			if failed := call(requests); failed != 0 {
				t.Fatalf("%d of %d requests failed", failed, count)
			}
			for i := range requests {
				if diff := difference(requests[i].Dst, want[i]); diff != "" || requests[i].Err != nil {
					t.Fatalf("request %d of %d, %d bytes, in place %v, decryption %v: %s (error %v)", i, count,
						len(requests[i].Src), inPlace, decrypt, diff, requests[i].Err)
				}
			}
		}
	}
}

func TestRequests(t *testing.T) {
	for _, setting := range []string{"", smallChunks} {
		eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
			all := makeUnits(newRandom(t.Name()+algorithm), skModelOf(t, algorithm), batchUnits)
			eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
				for i := range all {
					s := newSkcipher(t, d, all[i].key, inForm(t, d, setting))
					for first, count := range []int{0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 129} {
						runRequests(t, s, &all[i], 7*first, count)
					}
				}
			})
		})
	}
}

// TestEqualRequests has messages of one size, for every count up to one more than any driver has lanes.
func TestEqualRequests(t *testing.T) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		all := makeUnits(newRandom(t.Name()+algorithm), skModelOf(t, algorithm), func(s *unitMaker) {
			for range 33 {
				s.add(80)
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			for i := range all {
				s := newSkcipher(t, d, all[i].key)
				for count := range 34 {
					runRequests(t, s, &all[i], count, count)
				}
			}
		})
	})
}

// TestPagesOfRequests has messages that are whole pages, which begin in one set of the L1 cache.
func TestPagesOfRequests(t *testing.T) {
	const size, count = 4096, 35
	eachDriver(t, "cbc(aes)", func(t *testing.T, d registry.Info) {
		rng, model := newRandom(t.Name()), skModelOf(t, "cbc(aes)")
		key, iv, memory := rng.bytes(32), rng.bytes(16), rng.bytes(size*count)
		var requests []kcrypto.Request
		var want [][]byte
		for i := range count {
			page := memory[size*i:][:size]
			want = append(want, model.encrypt(key, iv, page))
			requests = append(requests, kcrypto.Request{Dst: page, Src: page, IV: iv})
		}
		if failed := newSkcipher(t, d, key).EncryptBatch(requests); failed != 0 {
			t.Fatalf("%d failed", failed)
		}
		for i := range requests {
			if diff := difference(requests[i].Dst, want[i]); diff != "" {
				t.Fatalf("page %d: %s", i, diff)
			}
		}
	})
}

// TestGuardedRequests puts every operand of every request next to an unmapped page, and inputs into read-only memory.
func TestGuardedRequests(t *testing.T) {
	needGuard(t)
	const count = 5
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		all := makeUnits(newRandom(t.Name()+algorithm), skModelOf(t, algorithm), func(s *unitMaker) {
			for _, n := range []int{16, 17, 31, 32, 48, 64, 100, 208, 512, 1024} {
				s.add(n)
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			var pens [count]*guardedOperands
			for i := range pens {
				pens[i] = newGuardedOperands(t)
			}
			for u := range all {
				s := newSkcipher(t, d, all[u].key)
				for first := range 2 * len(all[u].list) { // both ends
					guardedRequests(t, s, &all[u], first, pens[:])
				}
			}
		})
	})
}

func guardedRequests(t *testing.T, s *kcrypto.Skcipher, u *units, first int, pens []*guardedOperands) {
	t.Helper()
	for _, decrypt := range []bool{false, true} {
		requests, want := requestsOf(u, first, len(pens), false, decrypt)
		for i, p := range pens {
			r := &requests[i]
			*r = kcrypto.Request{Dst: p.out.writable(len(r.Src)), Src: p.in.readOnly(r.Src), IV: p.nonce.readOnly(r.IV)}
		}
		err := guard.Run(func() {
			if decrypt {
				s.DecryptBatch(requests)
			} else {
				s.EncryptBatch(requests)
			}
		})
		for i := range requests {
			got := join(requests[i].Dst, make([]byte, 3))
			if err != nil || !bytes.Equal(got, want[i]) || requests[i].Err != nil {
				t.Fatalf("request %d of %d bytes, decryption %v: %v %v %s", i, len(requests[i].Src), decrypt, err,
					requests[i].Err, difference(got, want[i]))
			}
		}
		for _, p := range pens {
			p.swapEnds()
		}
	}
}

// TestRequestMistakes: a request that is refused says why, nothing is written for it, and the others are done.
func TestRequestMistakes(t *testing.T) {
	eachDriver(t, "cbc(aes)", func(t *testing.T, d registry.Info) {
		all := makeUnits(newRandom(t.Name()), skModelOf(t, "cbc(aes)"), func(s *unitMaker) {
			for range 20 {
				s.add(64)
			}
		})
		s := newSkcipher(t, d, all[0].key)
		requests, want := requestsOf(&all[0], 0, 20, false, false)
		mistakes := map[int]error{0: registry.ErrLength, 3: registry.ErrNonceSize, 4: registry.ErrLength,
			11: registry.ErrOverlap, 19: registry.ErrNonceSize}
		requests[0].Src = requests[0].Src[:63]
		requests[3].IV = requests[3].IV[:15]
		requests[4].Dst = requests[4].Dst[:63]
		requests[11].Src = requests[11].Dst[1:65]
		requests[19].IV = nil
		if failed := s.EncryptBatch(requests); failed != len(mistakes) {
			t.Errorf("%d requests failed, want %d", failed, len(mistakes))
		}
		for i := range requests {
			got := requests[i].Dst
			if err := mistakes[i]; err != nil {
				wantError(t, fmt.Sprint("request ", i), requests[i].Err, err)
				if !bytes.Equal(got, make([]byte, len(got))) {
					t.Errorf("request %d was refused, and % x written", i, got)
				}
			} else if !bytes.Equal(got, want[i]) || requests[i].Err != nil {
				t.Errorf("request %d beside others: %s (error %v)", i, difference(got, want[i]), requests[i].Err)
			}
		}
		s.Close()
		if failed := s.DecryptBatch(requests); failed != 20 || !errors.Is(requests[7].Err, registry.ErrClosed) {
			t.Errorf("after Close %d requests failed, with %v", failed, requests[7].Err)
		}
	})
}

// TestRequestAllocations: no allocation a call, with all of the requests on the stack.
func TestRequestAllocations(t *testing.T) {
	needNoRace(t)
	for _, d := range working(registry.TypeSkcipher) {
		if d.Impl == "stdlib" { // Go's own code may allocate
			continue
		}
		s := newSkcipher(t, d, make([]byte, d.KeySizes[0]))
		if n := allocations(func() { stackRequests(s) }); n != 0 {
			t.Errorf("%s: %v allocations for a batch there and back, want 0", d.Driver, n)
		}
	}
}

// stackRequests encrypts and decrypts requests that are on the stack, with all of their memory.
func stackRequests(s *kcrypto.Skcipher) {
	var requests [9]kcrypto.Request
	var ivs [len(requests)][32]byte
	var memory [len(requests)][320]byte
	for i := range requests {
		text := memory[i][:32*(i+1)]
		requests[i] = kcrypto.Request{Dst: text, Src: text, IV: ivs[i][:s.IVSize()]}
	}
	if s.EncryptBatch(requests[:])+s.DecryptBatch(requests[:]) != 0 || memory != [len(requests)][320]byte{} {
		panic("a batch there and back is not what it was")
	}
}

// TestBatchOfEqual has as many equal messages as any driver works on side by side, and more and fewer, of few blocks
// each: passes of one, two and four blocks begin and end in all ways.
func TestBatchOfEqual(t *testing.T) {
	eachDriver(t, "cbc(aes)", func(t *testing.T, d registry.Info) {
		rng := newRandom(t.Name())
		s := newSkcipher(t, d, rng.bytes(16))
		for _, count := range []int{2, 3, 8, 9, 16, 17, 32, 33, 64} {
			for blocks := 1; blocks <= 9; blocks++ {
				requests := make([]kcrypto.Request, count)
				want := make([][]byte, count)
				for i := range requests {
					text, iv := rng.bytes(16*blocks), rng.bytes(16)
					want[i] = make([]byte, len(text))
					if err := s.Encrypt(want[i], text, iv); err != nil {
						t.Fatal(err)
					}
					requests[i] = kcrypto.Request{Dst: make([]byte, len(text)), Src: text, IV: iv}
				}
				s.EncryptBatch(requests)
				for i := range requests {
					if requests[i].Err != nil || !bytes.Equal(requests[i].Dst, want[i]) {
						t.Fatalf("message %d of %d, %d blocks: %v, %s", i, count, blocks, requests[i].Err,
							difference(requests[i].Dst, want[i]))
					}
				}
			}
		}
	})
}
