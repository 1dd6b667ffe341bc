package kcrypto_test

import (
	"encoding/binary"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// Drivers in assembly return to Go code after every chunk (package algs/internal/chunk). With the setting's chunks,
// most messages are a single one. Here chunks are as short as each driver can make them, at most one pass of its widest
// loop, so that messages of all lengths are begun, continued and ended in separate calls.

// smallestChunks stands for a setting that only tests have: see inForm.
const smallestChunks = "chunk=1,"

func TestAEADEveryLengthInChunks(t *testing.T) {
	checkAEAD(t, func(s *messageMaker) {
		for i, n := range everyLength() {
			if !testing.Short() || i%4 == 0 {
				s.add(n, n%34)
				s.add(n%20, n) // additional data is work too
			}
		}
	}, smallestChunks)
}

func TestAEADNonceSizesInChunks(t *testing.T) {
	checkAEADOf(t, "gcm(aes)", func(s *messageMaker) {
		for _, size := range []int{1, 16, 511, 512, 513, 1024, 2000} {
			s.begin(s.now.key, size, 16)
			for _, n := range []int{0, 77, 600} {
				s.add(n, 20)
			}
		}
	}, smallestChunks)
}

func TestSkcipherEveryLengthInChunks(t *testing.T) {
	checkUnits(t, func(s *unitMaker) {
		for _, n := range everyLength() {
			s.add(n)
		}
	}, smallestChunks)
}

func TestGCMCounterWrapsInChunks(t *testing.T) {
	checkAEADOf(t, "gcm(aes)", gcmCounterWraps, smallestChunks)
}

func TestCTRCarriesInChunks(t *testing.T) {
	for _, algorithm := range []string{"ctr(aes)", "xctr(aes)"} {
		checkUnitsOf(t, algorithm, ctrCarries, smallestChunks)
	}
}

// TestSectorsInChunks also has sectors that are longer than a chunk.
func TestSectorsInChunks(t *testing.T) {
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		rng := newRandom(t.Name())
		s := newSkcipher(t, d, rng.bytes(64), inForm(t, d, smallestChunks))
		for _, size := range []int{16, 17, 31, 48, 256, 496, 512, 520, 528, 529, 543, 640, 785, 1024, 1100, 4111} {
			for _, count := range []int{1, 2, 3, 5, 31, 32, 33, 65} {
				if size*count < 40_000 {
					compareSectors(t, s, rng, size, count)
				}
			}
		}
	})
}

func TestGuardedInChunks(t *testing.T) {
	needGuard(t)
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), func(s *messageMaker) {
			for i, n := range guardLengths() {
				if i%3 == 0 {
					s.add(n, i%50)
					s.add(i%9*8, n)
				}
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			p, l := newGuardedOperands(t), all[len(all)-1]
			a := newAEAD(t, d, l, inForm(t, d, smallestChunks))
			for i := range l.messages {
				p.message(t, a, &l.messages[i])
			}
		})
	})
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		all := makeUnits(newRandom(t.Name()+algorithm), skModelOf(t, algorithm), func(s *unitMaker) {
			for _, n := range guardLengths() {
				s.add(n)
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			p, u := newGuardedOperands(t), all[len(all)-1]
			s := newSkcipher(t, d, u.key, inForm(t, d, smallestChunks))
			for i := range u.list {
				p.unit(t, s, &u.list[i])
			}
		})
	})
}

// TestIVInOutputOfChunks has the IV overwritten by the first of several calls.
func TestIVInOutputOfChunks(t *testing.T) {
	for _, d := range kcrypto.Drivers() {
		if d.SelfTest == registry.Unavailable {
			continue
		}
		t.Run(d.Driver, func(t *testing.T) {
			for _, n := range []int{64, 304, 1104, 3008} {
				for _, at := range []int{0, 7, n - d.IVSize} {
					ivInOutput(t, d, n, at, inForm(t, d, smallestChunks))
				}
			}
		})
	}
}

// TestCTRLowByte lets the counter's lowest byte, in which assembly counts, overflow at every block of messages of every
// number of registers, and several times in one call.
func TestCTRLowByte(t *testing.T) {
	for _, algorithm := range []string{"ctr(aes)", "xctr(aes)"} {
		checkUnitsOf(t, algorithm, func(s *unitMaker) {
			for n := 16; n <= 1100; n += 16 {
				for low := 256 - n/16 - 1; low <= 256; low++ {
					if !testing.Short() || (n/16+low)%7 == 0 {
						iv := s.bytes(16)
						iv[15] = byte(low)
						s.addWith(iv, n-low%16)
					}
				}
			}
			for low := range 256 {
				if low%13 == 0 {
					iv := s.bytes(16)
					iv[15] = byte(low)
					s.addWith(iv, 3*256*16+low*5)
				}
			}
		})
	}
}

// TestCTRCarriesFarOut has a carry out of the counter's low half that comes from the IV and the offset together.
func TestCTRCarriesFarOut(t *testing.T) {
	model := skModelOf(t, "ctr(aes)")
	eachDriver(t, "ctr(aes)", func(t *testing.T, d registry.Info) {
		rng := newRandom(t.Name())
		key, plain := rng.bytes(16), rng.bytes(1100)
		s, got := newSkcipher(t, d, key), make([]byte, len(plain))
		for before := range uint64(72) {
			for _, offset := range []uint64{1 << 40, 1 << 63, 1<<64 - 1<<12} {
				iv := rng.bytes(16)
				binary.BigEndian.PutUint64(iv[8:], -before-1-offset/16)
				want := model.xorAt(key, iv, plain, offset)
				err := s.XORKeyStreamAt(got, plain, iv, offset)
				if what := difference(got, want); err != nil || what != "" {
					t.Fatalf("carry before block %d from offset %d: %s (%v)", before, offset, what, err)
				}
			}
		}
	})
}
