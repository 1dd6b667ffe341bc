package kcrypto_test

import (
	"bytes"
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
	for _, size := range d.allOrOne(m.keySizes) {
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

// iv returns a random IV whose counter is far from its end.
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

// checkUnits checks every driver of every symmetric cipher with the messages that f makes for it.
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

// unitChecker runs messages through one transform and checks the results and the memory around them.
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
	out := r.out.prepare(len(want), 5) // dst may be longer than src; its other bytes stay
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

// TestSkcipherChunks has messages around the ends of chunks: those of the default, and those of the smallest setting.
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
