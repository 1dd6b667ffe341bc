package kcrypto_test

import (
	"bytes"
	"fmt"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// A message that differs from what was sealed is refused, and nothing of it stays in dst. The tests change every bit of
// the tag at every size, of the ciphertext, of the additional data and of the nonce.

// tamperer opens changed messages.
type tamperer struct {
	t   *testing.T
	a   *kcrypto.AEAD
	m   *message
	out canaryBuffer
}

// spare is capacity behind the plaintext in which a driver might leave something.
const spare = 32

// refuse opens the message with one part replaced.
func (f *tamperer) refuse(what string, nonce, sealed, aad []byte) {
	f.t.Helper()
	n := max(len(sealed)-f.a.Overhead(), 0)
	out := f.out.prepare(n, spare)
	got, err := f.a.Open(out[:0], nonce, sealed, aad)
	if got != nil {
		f.t.Errorf("%s: Open returned %d bytes", what, len(got))
	}
	wantError(f.t, what, err, registry.ErrAuth)
	if !bytes.Equal(out, make([]byte, n)) {
		f.t.Fatalf("%s: dst has % x, want zeros", what, out)
	}
	if s := f.out.writtenOutside(n); s != "" {
		f.t.Fatalf("%s: %s", what, s)
	}
}

// refuseInPlace opens in place: the ciphertext's memory must be wiped, the tag may stay.
func (f *tamperer) refuseInPlace(what string, sealed []byte) {
	f.t.Helper()
	buf := f.out.prepare(len(sealed), 0)
	copy(buf, sealed)
	_, err := f.a.Open(buf[:0], f.m.nonce, buf, f.m.aad)
	wantError(f.t, what, err, registry.ErrAuth)
	n := len(f.m.text)
	if !bytes.Equal(buf[:n], make([]byte, n)) {
		f.t.Fatalf("%s: dst has % x, want zeros", what, buf[:n])
	}
	if s := f.out.writtenOutside(len(buf)); s != "" || !bytes.Equal(buf[n:], sealed[n:]) {
		f.t.Fatalf("%s: it wrote beyond the plaintext: %s", what, s)
	}
}

// flip calls use with each bit of part flipped in turn, or with every step-th.
func flip(part []byte, step int, use func(bit int)) {
	for bit := 0; bit < 8*len(part); bit += step {
		part[bit/8] ^= 1 << (bit % 8)
		use(bit)
		part[bit/8] ^= 1 << (bit % 8)
	}
}

func (f *tamperer) everyBit() {
	m := f.m
	n := len(m.text)
	step := 1
	if n > 64 || testing.Short() {
		step = 1 + 12*(1+n/64) // odd: all bit positions, in bytes all over the message
	}
	flip(m.sealed[n:], 1, func(bit int) {
		f.refuse(fmt.Sprintf("%d bytes, bit %d of the tag", n, bit), m.nonce, m.sealed, m.aad)
	})
	flip(m.sealed[:n], step, func(bit int) {
		what := fmt.Sprintf("%d bytes, bit %d of the ciphertext", n, bit)
		f.refuse(what, m.nonce, m.sealed, m.aad)
		f.refuseInPlace(what, m.sealed)
	})
	flip(m.aad, step, func(bit int) {
		f.refuse(fmt.Sprintf("%d bytes, bit %d of the additional data", n, bit), m.nonce, m.sealed, m.aad)
	})
	flip(m.nonce, step, func(bit int) {
		f.refuse(fmt.Sprintf("%d bytes, bit %d of the nonce", n, bit), m.nonce, m.sealed, m.aad)
	})
}

// eachTamperer calls f with a keyed transform of every driver, for every tag size, and messages that f may change. One
// key size is enough: comparing tags is the same for all.
func eachTamperer(t *testing.T, lengths []int, f func(f *tamperer)) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		model.keySizes = model.keySizes[len(model.keySizes)-1:]
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			all := makeMessages(newRandom(t.Name()), model, func(s *messageMaker) {
				for _, tag := range model.tags {
					s.begin(s.now.key, model.nonce, tag)
					for _, n := range lengths {
						s.add(n, 9+n%25)
					}
				}
			})
			for _, l := range all {
				a := newAEAD(t, d, l)
				for i := range l.messages {
					f(&tamperer{t: t, a: a, m: &l.messages[i]})
				}
			}
		})
	})
}

func TestTamperedMessages(t *testing.T) {
	eachTamperer(t, []int{0, 1, 15, 16, 17, 31, 48, 63}, func(f *tamperer) { f.everyBit() })
}

func TestTamperedLongMessages(t *testing.T) {
	eachTamperer(t, []int{257, 1024, 1423}, func(f *tamperer) { f.everyBit() })
}

// TestCutMessages: a message shorter than the tag, or cut or lengthened anywhere, is refused.
func TestCutMessages(t *testing.T) {
	eachTamperer(t, []int{0, 1, 16, 33, 200}, func(f *tamperer) {
		m := f.m
		for n := range m.sealed {
			what := fmt.Sprintf("%d bytes of %d", n, len(m.sealed))
			got, err := f.a.Open(nil, m.nonce, m.sealed[:n], m.aad)
			wantError(f.t, what, err, registry.ErrAuth)
			if got != nil {
				f.t.Errorf("%s: Open returned %d bytes", what, len(got))
			}
			if n < f.a.Overhead() {
				wantError(f.t, what, err, registry.ErrLength)
			} else {
				f.refuse(what, m.nonce, m.sealed[:n], m.aad)
			}
		}
		longer := append(bytes.Clone(m.sealed), 0)
		f.refuse("a byte at the end", m.nonce, longer, m.aad)
		f.refuse("a byte at the beginning", m.nonce, append([]byte{0}, m.sealed...), m.aad)
	})
}

// TestMovedBytes moves bytes between text and additional data: the result must be refused.
func TestMovedBytes(t *testing.T) {
	eachTamperer(t, []int{32, 64}, func(f *tamperer) {
		m := f.m
		if aad := join(m.aad, m.sealed[:4]); f.takes(len(aad)) {
			f.refuse("ciphertext moved to the additional data", m.nonce, m.sealed[4:], aad)
		}
		if cut := m.aad[:len(m.aad)-4]; f.takes(len(cut)) {
			f.refuse("additional data cut", m.nonce, m.sealed, cut)
			f.refuse("additional data moved to the ciphertext", m.nonce, join(m.aad[len(cut):], m.sealed), cut)
		}
	})
}

// takes reports whether the algorithm has additional data of n bytes.
func (f *tamperer) takes(n int) bool {
	sizes := aeadModels[f.a.Info().Algorithm].aadSizes
	return sizes == nil || n == sizes[0] || n == sizes[len(sizes)-1]
}

// TestOtherTagSize opens a message that was sealed with another tag size.
func TestOtherTagSize(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			l := keyedMessages{key: rng.bytes(model.keySizes[0]), nonceSize: model.nonce, tagSize: model.tags[0]}
			a, nonce, aad, text := newAEAD(t, d, l), rng.bytes(model.nonce), rng.bytes(8), rng.bytes(40)
			for _, tag := range model.tags {
				for _, other := range model.tags {
					if err := a.SetAuthSize(tag); err != nil {
						t.Fatal(err)
					}
					sealed := a.Seal(nil, nonce, text, aad)
					if err := a.SetAuthSize(other); err != nil {
						t.Fatal(err)
					}
					_, err := a.Open(nil, nonce, sealed, aad)
					if (err == nil) != (tag == other) {
						t.Errorf("sealed with a tag of %d bytes, opened with %d: %v", tag, other, err)
					}
				}
			}
		})
	})
}
