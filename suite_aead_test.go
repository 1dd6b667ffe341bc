package kcrypto_test

import (
	"bytes"
	"slices"
	"sync"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// message is one AEAD operation with the answer that its algorithm's model gives.
type message struct {
	nonce, aad, text []byte
	sealed           []byte // ciphertext and tag
}

// keyedMessages are messages under one key with one tag and nonce size.
type keyedMessages struct {
	key                []byte
	nonceSize, tagSize int
	messages           []message
}

// messageMaker makes the messages of a test, under keys of every size that the algorithm has.
type messageMaker struct {
	*random
	model aeadModel
	now   keyedMessages
	done  []keyedMessages
}

// makeMessages calls f once for each key size (in a short run for one); f adds messages.
func makeMessages(rng *random, m aeadModel, f func(s *messageMaker)) []keyedMessages {
	s := &messageMaker{random: rng, model: m}
	for _, size := range rng.allOrOne(m.keySizes) {
		s.begin(rng.bytes(size), m.nonce, m.tags[len(m.tags)-1])
		f(s)
	}
	return append(s.done, s.now)[1:]
}

// begin starts a new key.
func (s *messageMaker) begin(key []byte, nonceSize, tagSize int) {
	s.done = append(s.done, s.now)
	s.now = keyedMessages{key: key, nonceSize: nonceSize, tagSize: tagSize}
}

// add composes a message of n bytes with a bytes of additional data (or what the algorithm takes) and a random nonce.
func (s *messageMaker) add(n, a int) { s.addWith(s.bytes(s.now.nonceSize), n, a) }

func (s *messageMaker) addWith(nonce []byte, n, a int) {
	m := message{nonce: nonce, aad: s.bytes(s.aadSize(a)), text: s.bytes(n)}
	m.sealed = s.model.seal(s.now.key, nonce, m.text, m.aad, s.now.tagSize)
	s.now.messages = append(s.now.messages, m)
}

// aadSize returns a, or one of the sizes that the algorithm has, if it has not any size.
func (s *messageMaker) aadSize(a int) int {
	if sizes := s.model.aadSizes; sizes != nil {
		return sizes[a%len(sizes)]
	}
	return a
}

// checkAEAD checks every driver of every AEAD algorithm with the messages that f makes for it, under the given
// settings.
func checkAEAD(t *testing.T, f func(s *messageMaker), settings ...string) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) { checkAEADOf(t, algorithm, f, settings...) })
}

// checkAEADOf is checkAEAD for one algorithm. The messages are made once for all its drivers.
func checkAEADOf(t *testing.T, algorithm string, f func(s *messageMaker), settings ...string) {
	model := aeadModelOf(t, algorithm)
	all := sync.OnceValue(func() []keyedMessages { return makeMessages(newRandom(t.Name()+algorithm), model, f) })
	eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
		for _, l := range all() {
			r := aeadChecker{t: t, a: newAEAD(t, d, l, inForm(t, d, settings...)), key: l.key}
			for i := range l.messages {
				r.check(&l.messages[i])
			}
		}
	})
}

// newAEAD allocates driver d by name, keyed, and closes it when the test ends.
func newAEAD(t testing.TB, d registry.Info, l keyedMessages, opts ...kcrypto.Option) *kcrypto.AEAD {
	t.Helper()
	sizes := []kcrypto.Option{inForm(t, d), kcrypto.WithNonceSize(l.nonceSize), kcrypto.WithAuthSize(l.tagSize)}
	a, err := kcrypto.NewAEAD(d.Driver, l.key, slices.Concat(sizes, opts)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	if a.Driver() != d.Driver || a.NonceSize() != l.nonceSize || a.Overhead() != l.tagSize {
		t.Fatalf("got driver %s, nonce %d, tag %d; want %s, %d, %d",
			a.Driver(), a.NonceSize(), a.Overhead(), d.Driver, l.nonceSize, l.tagSize)
	}
	return a
}

// aeadChecker runs messages through one transform and checks the results and the memory around them.
type aeadChecker struct {
	t       *testing.T
	a       *kcrypto.AEAD
	key     []byte
	in, out canaryBuffer
}

func (r *aeadChecker) fail(op string, m *message, what string) {
	r.t.Helper()
	r.t.Fatalf("%s of %d bytes, %d of additional data, tag %d: %s\nkey % x\nnonce % x",
		op, len(m.text), len(m.aad), r.a.Overhead(), what, r.key, m.nonce)
}

// check does all four operations: both directions, out of place and in place.
func (r *aeadChecker) check(m *message) {
	r.t.Helper()
	r.seal(m)
	r.sealInPlace(m)
	r.open(m)
	r.openInPlace(m)
}

// compare checks a result that starts at the beginning of r.out.
func (r *aeadChecker) compare(op string, m *message, got, want []byte) {
	r.t.Helper()
	if s := difference(got, want); s != "" {
		r.fail(op, m, s)
	}
	if s := r.out.writtenOutside(len(want)); s != "" {
		r.fail(op, m, s)
	}
}

// seal gives the output exactly its capacity, behind a prefix that must stay.
func (r *aeadChecker) seal(m *message) {
	r.t.Helper()
	in := r.in.prepare(len(m.text), 0)
	copy(in, m.text)
	out := r.out.prepare(len(m.sealed), 0)
	r.compare("Seal", m, r.a.Seal(out[:0], m.nonce, in, m.aad), m.sealed)
	if !bytes.Equal(in, m.text) || r.in.writtenOutside(len(in)) != "" {
		r.fail("Seal", m, "it wrote to its input")
	}
}

func (r *aeadChecker) sealInPlace(m *message) {
	r.t.Helper()
	buf := r.out.prepare(len(m.sealed), 0)
	n := copy(buf, m.text)
	r.compare("Seal in place", m, r.a.Seal(buf[:0], m.nonce, buf[:n], m.aad), m.sealed)
}

func (r *aeadChecker) open(m *message) {
	r.t.Helper()
	in := r.in.prepare(len(m.sealed), 0)
	copy(in, m.sealed)
	out := r.out.prepare(len(m.text), 0)
	got, err := r.a.Open(out[:0], m.nonce, in, m.aad)
	if err != nil {
		r.fail("Open", m, err.Error())
	}
	r.compare("Open", m, got, m.text)
	if !bytes.Equal(in, m.sealed) || r.in.writtenOutside(len(in)) != "" {
		r.fail("Open", m, "it wrote to its input")
	}
}

// openInPlace expects that the tag behind the plaintext stays as it was.
func (r *aeadChecker) openInPlace(m *message) {
	r.t.Helper()
	buf := r.out.prepare(len(m.sealed), 0)
	copy(buf, m.sealed)
	got, err := r.a.Open(buf[:0], m.nonce, buf, m.aad)
	if err != nil {
		r.fail("Open in place", m, err.Error())
	}
	n := len(m.text)
	if s := difference(got, m.text); s != "" {
		r.fail("Open in place", m, s)
	}
	if s := r.out.writtenOutside(len(buf)); s != "" || !bytes.Equal(buf[n:], m.sealed[n:]) {
		r.fail("Open in place", m, "it wrote beyond the plaintext "+s)
	}
}

func TestAEADEveryLength(t *testing.T) {
	checkAEAD(t, func(s *messageMaker) {
		for _, n := range everyLength() {
			s.add(n, n%34)
		}
	})
}

func TestAEADLongMessages(t *testing.T) {
	checkAEAD(t, func(s *messageMaker) {
		for range 6 {
			s.add(s.upTo(256<<10), s.upTo(200))
		}
	})
}

// TestAEADChunks has messages around the ends of chunks: those of the default, and those of the smallest setting.
func TestAEADChunks(t *testing.T) {
	t.Run("small", func(t *testing.T) {
		checkAEAD(t, func(s *messageMaker) {
			for _, n := range chunkBorders(1 << 10) {
				s.add(n, n%40)
				s.add(n%20, n) // additional data is work too
			}
		}, smallChunks)
	})
	t.Run("default", func(t *testing.T) {
		checkAEAD(t, func(s *messageMaker) {
			for n := -17; n <= 17; n++ {
				if n%4 == s.IntN(4) || n == 0 {
					s.add(registry.DefaultChunk+n, 13)
				}
			}
		})
	})
}

// smallChunks is the setting of the smallest chunk.
const smallChunks = "chunk=1024"

func TestAEADAdditionalData(t *testing.T) {
	checkAEAD(t, func(s *messageMaker) {
		for a := range 301 {
			for _, n := range []int{0, 1, 15, 16, 17, 255, 256, 257, 1420} {
				if !testing.Short() || (a+n)%23 == 0 || a < 40 && n < 2 {
					s.add(n, a)
				}
			}
		}
		for _, a := range []int{1000, 1<<16 - 1, 1 << 16, 1<<16 + 17, 200_001} {
			for _, n := range []int{0, 33, 700} {
				s.add(n, a)
			}
		}
	})
}

// TestAEADTagSizes gives each output exactly the capacity that its tag needs.
func TestAEADTagSizes(t *testing.T) {
	checkAEAD(t, func(s *messageMaker) {
		for _, tag := range s.model.tags {
			s.begin(s.bytes(len(s.now.key)), s.model.nonce, tag)
			for n := range 70 {
				s.add(n, n%18)
			}
			s.add(300, 20)
			s.add(1500, 0)
		}
	})
}

func TestAEADNonceSizes(t *testing.T) {
	sizes := func(s *messageMaker) { // the other algorithms have one size each: TestAEADRefusesSizes
		for _, size := range []int{1, 2, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33, 64, 128, 255, 256, 257, 4096} {
			if !s.model.takes(size) {
				continue
			}
			for _, tag := range s.model.tags {
				s.begin(s.bytes(len(s.now.key)), size, tag)
				for _, n := range []int{0, 1, 16, 17, 64, 300} {
					s.add(n, n%20)
				}
			}
		}
	}
	for _, algorithm := range []string{"gcm(aes)", "ccm(aes)"} {
		checkAEADOf(t, algorithm, sizes)
	}
}

// TestAEADAlignment tries every alignment of input and output to a cache line, independently.
func TestAEADAlignment(t *testing.T) {
	sizes := []int{15, 63, 130, 600}
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) {
			for _, n := range sizes {
				s.add(n, 20)
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			l := all[len(all)-1]
			a := newAEAD(t, d, l)
			src, dst := make([]byte, 1024), make([]byte, 1024)
			for i := range 64 * 64 {
				m := &l.messages[(i+i/64)%len(sizes)]
				from, to := i%64, i/64
				in := src[from : from+len(m.text)]
				copy(in, m.text)
				sealed := a.Seal(dst[to:to], m.nonce, in, m.aad)
				opened, err := a.Open(src[from:from], m.nonce, sealed, m.aad)
				if !bytes.Equal(sealed, m.sealed) || err != nil || !bytes.Equal(opened, m.text) {
					t.Fatalf("%d bytes from offset %d to offset %d are wrong (%v)", len(m.text), from, to, err)
				}
			}
		})
	})
}

// TestAEADNothing passes nil and empty slices for everything that may be empty.
func TestAEADNothing(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			l := keyedMessages{key: rng.bytes(model.keySizes[0]), nonceSize: model.nonce, tagSize: model.tags[0]}
			a, nonce := newAEAD(t, d, l), rng.bytes(model.nonce)
			aads := [][]byte{nil, {}, make([]byte, 0, 8)}
			if model.aadSizes != nil {
				aads = [][]byte{rng.bytes(model.aadSizes[0])}
			}
			for _, aad := range aads {
				want := model.seal(l.key, nonce, nil, aad, l.tagSize)
				for _, text := range [][]byte{nil, {}} {
					got := a.Seal(text, nonce, text, aad)
					if s := difference(got, want); s != "" {
						t.Fatalf("Seal of nothing: %s", s)
					}
					if back, err := a.Open(text, nonce, want, aad); err != nil || len(back) != 0 {
						t.Fatalf("Open of a bare tag: % x, %v", back, err)
					}
				}
			}
		})
	})
}
