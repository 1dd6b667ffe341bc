package kcrypto_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"kcrypto"
	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// Every operand is next to an unmapped page, which follows it in one run and precedes it in the next. Input, key, IV
// and additional data cannot be written. An access of assembly beyond its operands is a fault, which the test reports.

// guardedMemory is memory for one operand.
type guardedMemory struct {
	*guard.Arena
	atEnd bool // the unmapped page follows the operand; otherwise it precedes it
}

func newGuardedMemory(t *testing.T) *guardedMemory {
	t.Helper()
	a, err := guard.New(3 * 4096)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Free() })
	return &guardedMemory{Arena: a, atEnd: true}
}

// writable returns n writable bytes.
func (f *guardedMemory) writable(n int) []byte {
	b := f.After(n)
	if !f.atEnd {
		b = f.Before(n)
	}
	for i := range b {
		b[i] = canary(i)
	}
	return b
}

// readOnly returns data that cannot be written.
func (f *guardedMemory) readOnly(data []byte) []byte {
	copy(f.writable(len(data)), data)
	if f.atEnd {
		return f.ReadAfter(len(data))
	}
	return f.ReadBefore(len(data))
}

// guardedOperands is the guarded memory of all operands of a call.
type guardedOperands struct{ key, nonce, aad, in, out *guardedMemory }

func newGuardedOperands(t *testing.T) *guardedOperands {
	return &guardedOperands{newGuardedMemory(t), newGuardedMemory(t), newGuardedMemory(t), newGuardedMemory(t),
		newGuardedMemory(t)}
}

// swapEnds moves every operand to the other end of its memory.
func (p *guardedOperands) swapEnds() {
	for _, f := range []*guardedMemory{p.key, p.nonce, p.aad, p.in, p.out} {
		f.atEnd = !f.atEnd
	}
}

// guardLengths lists every length up to 600, and those around a page.
func guardLengths() []int {
	var list []int
	for n := range 601 {
		if !testing.Short() || n < 36 || n%17 == 0 || n%64 == 63 {
			list = append(list, n)
		}
	}
	for n := 4096 - 65; n <= 4096+65; n++ {
		if !testing.Short() || n%13 == 0 {
			list = append(list, n)
		}
	}
	return list
}

func needGuard(t *testing.T) {
	t.Helper()
	if !guard.Available {
		t.Skipf("NOT RUN HERE: guard pages need Linux, this is %s", runtime.GOOS)
	}
}

// inGuardedOperands runs f with the operands at either end of their memory, and reports faults.
func inGuardedOperands(t *testing.T, p *guardedOperands, what string, f func() string) {
	t.Helper()
	for range 2 {
		var wrong string
		if err := guard.Run(func() { wrong = f() }); err != nil {
			wrong = err.Error()
		}
		if wrong != "" {
			t.Fatalf("%s, operands end at a page: %v: %s", what, p.in.atEnd, wrong)
		}
		p.swapEnds()
	}
}

// setKey sets a key from guarded memory.
func (p *guardedOperands) setKey(t *testing.T, set func([]byte) error, key []byte) {
	t.Helper()
	inGuardedOperands(t, p, "SetKey", func() string {
		if err := set(p.key.readOnly(key)); err != nil {
			return err.Error()
		}
		return ""
	})
}

func TestGuardedAEAD(t *testing.T) {
	needGuard(t)
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) {
			for i, n := range guardLengths() {
				s.add(n, i%50)
			}
			for a := range 130 {
				s.add(a%3*8, a)
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			p := newGuardedOperands(t)
			for _, l := range all {
				a := guardedAEAD(t, d, p, l)
				for i := range l.messages {
					p.message(t, a, &l.messages[i])
				}
			}
		})
	})
}

// TestGuardedTags has short tags that end at an unmapped page, and nonces of all sizes.
func TestGuardedTags(t *testing.T) {
	needGuard(t)
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) {
			for _, tag := range model.tags {
				for _, nonce := range []int{1, 8, 11, 12, 13, 16, 17, 33, 255} {
					if model.takes(nonce) {
						s.begin(s.now.key, nonce, tag)
						for _, n := range []int{0, 1, 3, 15, 16, 17, 31, 33, 63, 64, 65, 130, 257, 1025} {
							s.add(n, n%21)
						}
					}
				}
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			p := newGuardedOperands(t)
			for _, l := range all {
				a := guardedAEAD(t, d, p, l)
				for i := range l.messages {
					p.message(t, a, &l.messages[i])
				}
			}
		})
	})
}

// guardedAEAD sets the key from guarded memory.
func guardedAEAD(t *testing.T, d registry.Info, p *guardedOperands, l keyedMessages) *kcrypto.AEAD {
	t.Helper()
	a := newAEAD(t, d, l)
	p.setKey(t, a.SetKey, l.key)
	return a
}

// message checks all four operations: both directions, out of place and in place.
func (p *guardedOperands) message(t *testing.T, a *kcrypto.AEAD, m *message) {
	t.Helper()
	what := fmt.Sprintf("%d bytes, %d of additional data, nonce %d, tag %d", len(m.text), len(m.aad), len(m.nonce),
		a.Overhead())
	inGuardedOperands(t, p, "Seal of "+what, func() string {
		in, out := p.in.readOnly(m.text), p.out.writable(len(m.sealed))
		return difference(a.Seal(out[:0], p.nonce.readOnly(m.nonce), in, p.aad.readOnly(m.aad)), m.sealed)
	})
	inGuardedOperands(t, p, "Seal in place of "+what, func() string {
		buf := p.out.writable(len(m.sealed))
		n := copy(buf, m.text)
		return difference(a.Seal(buf[:0], p.nonce.readOnly(m.nonce), buf[:n], p.aad.readOnly(m.aad)), m.sealed)
	})
	inGuardedOperands(t, p, "Open of "+what, func() string {
		in, out := p.in.readOnly(m.sealed), p.out.writable(len(m.text))
		got, err := a.Open(out[:0], p.nonce.readOnly(m.nonce), in, p.aad.readOnly(m.aad))
		return errorOrDifference(err, got, m.text)
	})
	inGuardedOperands(t, p, "Open in place of "+what, func() string {
		buf := p.out.writable(len(m.sealed))
		copy(buf, m.sealed)
		got, err := a.Open(buf[:0], p.nonce.readOnly(m.nonce), buf, p.aad.readOnly(m.aad))
		return errorOrDifference(err, got, m.text)
	})
}

func TestGuardedSkcipher(t *testing.T) {
	needGuard(t)
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		all := makeUnits(newRandom(t.Name()+algorithm), model, func(s *unitMaker) {
			for _, n := range guardLengths() {
				s.add(n)
			}
			for border := 256; border <= 2048; border += 256 { // an XTS decryption has read too far here once
				for n := border; n < border+48; n++ {
					s.add(n)
				}
			}
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			p := newGuardedOperands(t)
			for _, u := range all {
				s := guardedSkcipher(t, d, p, u.key)
				for i := range u.list {
					p.unit(t, s, &u.list[i])
				}
			}
		})
	})
}

func guardedSkcipher(t *testing.T, d registry.Info, p *guardedOperands, key []byte) *kcrypto.Skcipher {
	t.Helper()
	s := newSkcipher(t, d, key)
	p.setKey(t, s.SetKey, key)
	return s
}

func (p *guardedOperands) unit(t *testing.T, s *kcrypto.Skcipher, u *unit) {
	t.Helper()
	for _, way := range []struct {
		name     string
		f        crypt
		in, want []byte
	}{{"Encrypt", s.Encrypt, u.plain, u.cipher}, {"Decrypt", s.Decrypt, u.cipher, u.plain}} {
		what := fmt.Sprintf("%s of %d bytes", way.name, len(way.in))
		inGuardedOperands(t, p, what, func() string {
			in, out := p.in.readOnly(way.in), p.out.writable(len(way.want))
			err := way.f(out, in, p.nonce.readOnly(u.iv))
			return errorOrDifference(err, out, way.want)
		})
		inGuardedOperands(t, p, what+" in place", func() string {
			buf := p.out.writable(len(way.in))
			copy(buf, way.in)
			err := way.f(buf, buf, p.nonce.readOnly(u.iv))
			return errorOrDifference(err, buf, way.want)
		})
	}
}

// errorOrDifference says what is wrong with the result of a call, or "".
func errorOrDifference(err error, got, want []byte) string {
	if err != nil {
		return err.Error()
	}
	return difference(got, want)
}

// TestGuardedSectors checks calls on many sectors in the same way.
func TestGuardedSectors(t *testing.T) {
	needGuard(t)
	eachSectorDriver(t, func(t *testing.T, d registry.Info, m skModel) {
		rng, p := newRandom(t.Name()), newGuardedOperands(t)
		s := guardedSkcipher(t, d, p, rng.bytes(m.keySizes[len(m.keySizes)-1]))
		for _, iv := range []kcrypto.SectorIV{{First: 7}, {First: 7, Step: 8}} {
			for _, size := range []int{16, 17, 48, 63, 512, 520, 1365, 4096} {
				for count := 1; m.fits(size) && count*size <= 3*4096 && count <= 36; count++ {
					guardedSectors(t, p, s, rng.bytes(count*size), size, iv)
				}
			}
		}
	})
}

func guardedSectors(
	t *testing.T, p *guardedOperands, s *kcrypto.Skcipher, plain []byte, size int, iv kcrypto.SectorIV,
) {
	t.Helper()
	want := make([]byte, len(plain))
	if err := s.EncryptSectorsIV(want, plain, size, iv); err != nil {
		t.Fatal(err)
	}
	what := fmt.Sprintf("%d sectors of %d bytes, %+v", len(plain)/size, size, iv)
	inGuardedOperands(t, p, what, func() string {
		out := p.out.writable(len(plain))
		return errorOrDifference(s.EncryptSectorsIV(out, p.in.readOnly(plain), size, iv), out, want)
	})
	inGuardedOperands(t, p, what+", back", func() string {
		out := p.out.writable(len(plain))
		return errorOrDifference(s.DecryptSectorsIV(out, p.in.readOnly(want), size, iv), out, plain)
	})
}

// TestGuardedStreams starts inside blocks of a keystream.
func TestGuardedStreams(t *testing.T) {
	needGuard(t)
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		p, f := newGuardedOperands(t), newStreamCase(t, d, m, 2000)
		s := f.stream(t)
		for at := range 200 {
			end := at + f.upTo(600)
			plain, cipher := f.plain[at:end], f.cipher[at:end]
			inGuardedOperands(t, p, fmt.Sprintf("%d bytes at offset %d", end-at, at), func() string {
				out, in := p.out.writable(end-at), p.in.readOnly(plain)
				err := f.s.XORKeyStreamAt(out, in, p.nonce.readOnly(f.iv), uint64(at))
				if what := errorOrDifference(err, out, cipher); what != "" {
					return "XORKeyStreamAt: " + what
				}
				if err := s.Seek(uint64(at)); err != nil {
					return err.Error()
				}
				out = p.out.writable(end - at)
				s.XORKeyStream(out, in)
				if !bytes.Equal(out, cipher) {
					return "XORKeyStream: " + difference(out, cipher)
				}
				return ""
			})
		}
	})
}
