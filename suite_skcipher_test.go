package kcrypto_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// unit is one message of a symmetric cipher with the answer that its algorithm's model gives.
type unit struct{ iv, plain, cipher []byte }

// units are messages under one key.
type units struct {
	key  []byte
	list []unit
}

// unitMaker makes the messages of a test, under keys of every size that the algorithm has.
type unitMaker struct {
	*random
	model skModel
	now   units
}

// makeUnits calls f once for each key size (in a short run for one); f adds messages.
func makeUnits(d *random, m skModel, f func(s *unitMaker)) []units {
	var all []units
	for _, size := range d.some(m.keySizes) {
		s := &unitMaker{random: d, model: m, now: units{key: d.bytes(size)}}
		f(s)
		all = append(all, s.now)
	}
	return all
}

// add makes a message of n bytes under a random IV. Lengths that the algorithm does not have are left out.
func (s *unitMaker) add(n int) { s.addWith(s.iv(), n) }

func (s *unitMaker) addWith(iv []byte, n int) {
	if !s.model.fits(n) {
		return
	}
	plain := s.bytes(n)
	s.now.list = append(s.now.list, unit{iv, plain, s.model.encrypt(s.now.key, iv, plain)})
}

// iv is random, with a counter that has room.
func (s *unitMaker) iv() []byte {
	iv := s.bytes(s.model.iv)
	if s.model.blocks != nil && s.model.iv == 16 {
		iv[3] &= 0x7f
	}
	if s.model.blocks != nil && s.model.iv == 32 {
		iv[31] &= 0x7f
	}
	return iv
}

// checkUnits holds every driver of every symmetric cipher to the messages that f makes for it.
func checkUnits(t *testing.T, f func(s *unitMaker), settings ...string) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		checkUnitsOf(t, algorithm, f, settings...)
	})
}

// checkUnitsOf is checkUnits for one algorithm. The messages are made once for all its drivers.
func checkUnitsOf(t *testing.T, algorithm string, f func(s *unitMaker), settings ...string) {
	model := skModelOf(t, algorithm)
	all := sync.OnceValue(func() []units { return makeUnits(newRandom(t.Name()+algorithm), model, f) })
	eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
		for _, u := range all() {
			r := unitChecker{t: t, s: newSkcipher(t, d, u.key, inForm(t, d, settings...)), key: u.key}
			for i := range u.list {
				r.check(&u.list[i])
			}
		}
	})
}

// newSkcipher allocates driver d by name, keyed, and closes it when the test ends.
func newSkcipher(t testing.TB, d registry.Info, key []byte, opts ...kcrypto.Option) *kcrypto.Skcipher {
	t.Helper()
	s, err := kcrypto.NewSkcipher(d.Driver, key, append([]kcrypto.Option{inForm(t, d)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if s.Driver() != d.Driver {
		t.Fatalf("asked for %s, served by %s", d.Driver, s.Driver())
	}
	return s
}

// unitChecker runs messages through one transform and checks what comes out and everything around it.
type unitChecker struct {
	t       *testing.T
	s       *kcrypto.Skcipher
	key     []byte
	in, out canaryBuffer
}

// check does both directions, out of place and in place.
func (r *unitChecker) check(u *unit) {
	r.t.Helper()
	r.apart("Encrypt", r.s.Encrypt, u.plain, u.cipher, u.iv)
	r.apart("Decrypt", r.s.Decrypt, u.cipher, u.plain, u.iv)
	r.inPlace("Encrypt", r.s.Encrypt, u.plain, u.cipher, u.iv)
	r.inPlace("Decrypt", r.s.Decrypt, u.cipher, u.plain, u.iv)
}

type crypt func(dst, src, iv []byte) error

func (r *unitChecker) apart(op string, f crypt, src, want, iv []byte) {
	r.t.Helper()
	in := r.in.prepare(len(src), 0)
	copy(in, src)
	out := r.out.prepare(len(want), 5) // dst may be longer than src: what is beyond stays
	err := f(out[:len(want)+5], in, iv)
	r.compare(op, err, out, want, iv)
	if !bytes.Equal(in, src) || r.in.writtenOutside(len(in)) != "" {
		r.t.Fatalf("%s of %d bytes wrote to its input", op, len(src))
	}
}

func (r *unitChecker) inPlace(op string, f crypt, src, want, iv []byte) {
	r.t.Helper()
	buf := r.out.prepare(len(src), 0)
	copy(buf, src)
	r.compare(op+" in place", f(buf, buf, iv), buf, want, iv)
}

func (r *unitChecker) compare(op string, err error, got, want, iv []byte) {
	r.t.Helper()
	what := difference(got, want)
	if what == "" {
		what = r.out.writtenOutside(len(want))
	}
	if err != nil || what != "" {
		r.t.Fatalf("%s of %d bytes: %s (error %v)\nkey % x\niv % x", op, len(want), what, err, r.key, iv)
	}
}

func TestSkcipherEveryLength(t *testing.T) {
	checkUnits(t, func(s *unitMaker) {
		for _, n := range everyLength() {
			s.add(n)
		}
	})
}

func TestSkcipherLongMessages(t *testing.T) {
	checkUnits(t, func(s *unitMaker) {
		for range 6 {
			n := s.upTo(256 << 10)
			s.add(n)
			s.add(n &^ 15)
		}
	})
}

// TestSkcipherChunks crosses the borders where a driver pauses: those of the default, and of the smallest chunk.
func TestSkcipherChunks(t *testing.T) {
	t.Run("small", func(t *testing.T) {
		checkUnits(t, func(s *unitMaker) {
			for _, n := range chunkBorders(1 << 10) {
				s.add(n)
			}
		}, smallChunks)
	})
	t.Run("default", func(t *testing.T) {
		checkUnits(t, func(s *unitMaker) {
			for n := -17; n <= 17; n++ {
				if n%4 == s.IntN(4) || n == 0 {
					s.add(registry.DefaultChunk + n)
				}
			}
		})
	})
}

// TestIVIsNotChanged also covers rfc3686, whose counter block is made from the IV.
func TestIVIsNotChanged(t *testing.T) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			s := newSkcipher(t, d, rng.bytes(model.keySizes[0]))
			buf, iv := make([]byte, 160), make([]byte, model.iv)
			want := bytes.Clone(iv)
			for _, f := range []crypt{s.Encrypt, s.Decrypt} {
				if err := f(buf, buf, iv); err != nil || !bytes.Equal(iv, want) {
					t.Errorf("IV % x after the call (%v)", iv, err)
				}
			}
		})
	})
}

func TestSkcipherAlignment(t *testing.T) {
	sizes := []int{16, 64, 130, 608}
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		all := makeUnits(newRandom(t.Name()+algorithm), model, func(s *unitMaker) {
			for _, n := range sizes {
				s.add(n)
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			u := all[len(all)-1]
			s := newSkcipher(t, d, u.key)
			src, dst := make([]byte, 1024), make([]byte, 1024)
			for i := range 64 * 64 {
				m := &u.list[(i+i/64)%len(u.list)]
				n := len(m.plain)
				in, out := src[i%64:][:n], dst[i/64:][:n]
				copy(in, m.plain)
				err := s.Encrypt(out, in, m.iv)
				encrypted := bytes.Equal(out, m.cipher)
				clear(in)
				if bad := s.Decrypt(in, out, m.iv); err != nil || bad != nil || !encrypted || !bytes.Equal(in, m.plain) {
					t.Fatalf("%d bytes between offsets %d and %d are wrong (%v, %v)", n, i%64, i/64, err, bad)
				}
			}
		})
	})
}

// TestSkcipherNothing passes nil and empty slices where the algorithm has empty messages.
func TestSkcipherNothing(t *testing.T) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			s, iv := newSkcipher(t, d, make([]byte, model.keySizes[0]), kcrypto.WithImpl(d.Impl)), make([]byte, model.iv)
			for _, empty := range [][]byte{nil, {}} {
				for _, err := range []error{s.Encrypt(empty, empty, iv), s.Decrypt(empty, nil, iv)} {
					if model.min > 0 {
						wantError(t, "an empty message", err, registry.ErrLength)
					} else if err != nil {
						t.Errorf("an empty message: %v", err)
					}
				}
			}
		})
	})
}

// TestSkcipherRefusesSizes goes through lengths, IVs and keys that the algorithm does not have: an error, and
// nothing written.
func TestSkcipherRefusesSizes(t *testing.T) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			s := newSkcipher(t, d, make([]byte, model.keySizes[0]))
			refuseLengths(t, s, &model)
			refuseIVs(t, s, &model)
			for n := range 70 {
				got, err := kcrypto.NewSkcipher(d.Driver, make([]byte, n))
				if !slices.Contains(model.keySizes, n) {
					wantError(t, fmt.Sprintf("a key of %d bytes", n), err, registry.ErrKeySize)
				} else if err != nil {
					t.Fatalf("a key of %d bytes is refused: %v", n, err)
				} else {
					got.Close()
				}
			}
		})
	})
}

func refuseLengths(t *testing.T, s *kcrypto.Skcipher, model *skModel) {
	var f canaryBuffer
	iv := make([]byte, model.iv)
	for n := range 100 {
		out := f.prepare(n, 0)
		if !model.fits(n) {
			wantError(t, fmt.Sprintf("%d bytes", n), s.Encrypt(out, make([]byte, n), iv), registry.ErrLength)
			wantError(t, fmt.Sprintf("%d bytes", n), s.Decrypt(out, make([]byte, n), iv), registry.ErrLength)
		}
		longer := (n + 16) &^ 15
		wantError(t, "a short output", s.Encrypt(out, make([]byte, longer), iv), registry.ErrLength)
		wantError(t, "a short output", s.Decrypt(out, make([]byte, longer), iv), registry.ErrLength)
		if s := f.writtenOutside(0); s != "" {
			t.Fatalf("a refused call wrote: %s", s)
		}
	}
}

func refuseIVs(t *testing.T, s *kcrypto.Skcipher, model *skModel) {
	buf := make([]byte, 64)
	for n := range 40 {
		if n == model.iv {
			continue
		}
		what := fmt.Sprintf("an IV of %d bytes", n)
		wantError(t, what, s.Encrypt(buf, buf, make([]byte, n)), registry.ErrNonceSize)
		wantError(t, what, s.Decrypt(buf, buf, make([]byte, n)), registry.ErrNonceSize)
		if model.keystream != nil {
			_, err := s.Stream(make([]byte, n))
			wantError(t, what, err, registry.ErrNonceSize)
			wantError(t, what, s.XORKeyStreamAt(buf, buf, make([]byte, n), 0), registry.ErrNonceSize)
		}
	}
	if model.iv > 0 && s.Encrypt(buf, buf, nil) == nil {
		t.Error("a nil IV is accepted")
	}
}

// TestXTSTweaks gives every short length 32 random tweaks, so that each doubling happens with and without a carry,
// and every length around a multiple of a loop.
func TestXTSTweaks(t *testing.T) {
	checkUnitsOf(t, "xts(aes)", func(s *unitMaker) {
		tweaks := 32
		if testing.Short() {
			tweaks = 2
		}
		for n := 16; n < 128; n++ {
			for range tweaks {
				s.add(n)
			}
		}
		for border := 128; border <= 2*widest; border += 128 {
			for n := border - 1; n <= border+48; n++ {
				if !testing.Short() || n%5 == 0 {
					s.add(n)
				}
			}
		}
	})
}

// TestSectors compares calls on many sectors with one call a sector.
func TestSectors(t *testing.T) {
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		rng := newRandom(t.Name())
		for _, keySize := range []int{32, 48, 64} {
			s := newSkcipher(t, d, rng.bytes(keySize))
			for _, size := range []int{16, 17, 31, 32, 100, 512, 520, 528, 529, 543, 640, 785, 896, 1000, 4096, 4104} {
				for _, count := range []int{0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 33} {
					if size*count < 40_000 {
						compareSectors(t, s, rng, size, count)
					}
				}
			}
		}
	})
}

func compareSectors(t *testing.T, s *kcrypto.Skcipher, rng *random, size, count int) {
	t.Helper()
	firsts := []uint64{0, 1, 255, 1<<32 - 2, rng.Uint64() >> 1, -uint64(max(count, 1))}
	first := firsts[rng.IntN(len(firsts))]
	src := rng.bytes(size * count)
	want := make([]byte, len(src))
	for i := range count {
		iv := append(binary.LittleEndian.AppendUint64(nil, first+uint64(i)), make([]byte, 8)...)
		if err := s.Encrypt(want[i*size:], src[i*size:(i+1)*size], iv); err != nil {
			t.Fatal(err)
		}
	}
	var f canaryBuffer
	got := f.prepare(len(src), 0)
	err := s.EncryptSectors(got, src, size, first)
	if what := difference(got, want) + f.writtenOutside(len(got)); err != nil || what != "" {
		t.Fatalf("%d sectors of %d bytes from number %d: %s (%v)", count, size, first, what, err)
	}
	err = s.DecryptSectors(got, got, size, first) // in place
	if what := difference(got, src) + f.writtenOutside(len(got)); err != nil || what != "" {
		t.Fatalf("%d sectors of %d bytes from number %d, back: %s (%v)", count, size, first, what, err)
	}
}

func TestSectorsRefused(t *testing.T) {
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		s := newSkcipher(t, d, newRandom(t.Name()).bytes(64))
		src := make([]byte, 4096)
		cases := []struct {
			what      string
			dst, size int
			first     uint64
		}{
			{"a length that is no multiple", 4096, 1000, 0},
			{"a sector size of 0", 4096, 0, 0},
			{"a negative sector size", 4096, -512, 0},
			{"a sector size under a block", 4096, 8, 0},
			{"a sector size over 2^20 blocks", 4096, 1<<24 + 16, 0},
			{"a sector number past 2^64", 4096, 512, 1<<64 - 7},
			{"a short output", 4095, 512, 0},
		}
		for _, c := range cases {
			var f canaryBuffer
			dst := f.prepare(c.dst, 0)
			wantError(t, c.what, s.EncryptSectors(dst, src, c.size, c.first), registry.ErrLength)
			wantError(t, c.what, s.DecryptSectors(dst, src, c.size, c.first), registry.ErrLength)
			if what := f.writtenOutside(0); what != "" {
				t.Errorf("%s: %s", c.what, what)
			}
		}
		if err := s.EncryptSectors(src, src, 512, 1<<64-8); err != nil {
			t.Errorf("the last 8 sectors there are: %v", err)
		}
	})
}

// TestSectorsAreXTSOnly asks every other cipher for sectors.
func TestSectorsAreXTSOnly(t *testing.T) {
	for _, algorithm := range algorithms(registry.TypeSkcipher) {
		if algorithm == "xts(aes)" {
			continue
		}
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			model, buf := skModelOf(t, algorithm), make([]byte, 512)
			s := newSkcipher(t, d, make([]byte, model.keySizes[0]))
			wantError(t, "EncryptSectors", s.EncryptSectors(buf, buf, 512, 0), registry.ErrType)
			wantError(t, "DecryptSectors", s.DecryptSectors(buf, buf, 512, 0), registry.ErrType)
		})
	}
}

// TestWeakKeys needs the option for a refusal: old disks have such keys.
func TestWeakKeys(t *testing.T) {
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		for _, half := range []int{16, 24, 32} {
			key := bytes.Repeat(newRandom(t.Name()).bytes(half), 2)
			newSkcipher(t, d, key)
			_, err := kcrypto.NewSkcipher(d.Driver, key, kcrypto.WithForbidWeakKeys())
			wantError(t, "equal halves", err, registry.ErrKeySize)
			for i := range key {
				key[i] ^= 0x80
				newSkcipher(t, d, key, kcrypto.WithForbidWeakKeys())
				key[i] ^= 0x80
			}
		}
	})
}
