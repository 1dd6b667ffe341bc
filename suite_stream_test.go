package kcrypto_test

import (
	"bytes"
	"fmt"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// eachStream runs f for every driver of every stream cipher.
func eachStream(t *testing.T, f func(t *testing.T, d registry.Info, m *skModel)) {
	for _, algorithm := range algorithms(registry.TypeSkcipher) {
		model := skModelOf(t, algorithm)
		if model.keystream == nil {
			continue
		}
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) { f(t, d, &model) })
	}
}

// streamCase is a stream under test with the text that goes through it.
type streamCase struct {
	*random
	key, iv, plain, cipher []byte
	s                      *kcrypto.Skcipher
}

func newStreamCase(t *testing.T, d registry.Info, m *skModel, n int) *streamCase {
	t.Helper()
	rng := newRandom(t.Name())
	f := &streamCase{random: rng, key: rng.bytes(m.keySizes[rng.IntN(len(m.keySizes))]), plain: rng.bytes(n)}
	f.iv = (&unitMaker{random: rng, model: *m}).iv()
	f.cipher = m.encrypt(f.key, f.iv, f.plain)
	f.s = newSkcipher(t, d, f.key)
	return f
}

func (f *streamCase) stream(t *testing.T) *kcrypto.Stream {
	t.Helper()
	s, err := f.s.Stream(f.iv)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestStreamPieces cuts one message in pieces of each size, and of random sizes; the result must be that of one call.
func TestStreamPieces(t *testing.T) {
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		f := newStreamCase(t, d, m, 3*widest+5)
		for _, size := range []int{
			1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 1000, 1024, 1025, 5000,
		} {
			f.pieces(t, fmt.Sprintf("pieces of %d", size), func() int { return size })
		}
		for range 20 {
			widest := 1 + f.upTo(700)
			f.pieces(t, "random pieces", func() int { return f.upTo(widest) })
		}
	})
}

// pieces sends the text through a new stream in pieces, every other one in place.
func (f *streamCase) pieces(t *testing.T, what string, size func() int) {
	t.Helper()
	s := f.stream(t)
	got := bytes.Clone(f.plain)
	src := bytes.Clone(f.plain)
	for at, inPlace := 0, false; at < len(got); inPlace = !inPlace {
		end := min(at+size(), len(got))
		if inPlace {
			s.XORKeyStream(got[at:end], got[at:end])
		} else {
			s.XORKeyStream(got[at:end], src[at:end])
		}
		at = end
	}
	if diff := difference(got, f.cipher); diff != "" {
		t.Fatalf("%s: %s", what, diff)
	}
}

// TestStreamEverySplit splits a short message at every byte.
func TestStreamEverySplit(t *testing.T) {
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		f := newStreamCase(t, d, m, 300)
		got := make([]byte, len(f.plain))
		for at := range got {
			s := f.stream(t)
			s.XORKeyStream(got[:at], f.plain[:at])
			s.XORKeyStream(got[at:], f.plain[at:])
			if diff := difference(got, f.cipher); diff != "" {
				t.Fatalf("split at %d: %s", at, diff)
			}
		}
	})
}

// TestSeek goes to every offset, forwards and backwards, and expects the same bytes as without Seek.
func TestSeek(t *testing.T) {
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		f := newStreamCase(t, d, m, 2*widest)
		s, got := f.stream(t), make([]byte, 0, len(f.plain))
		for i := range 600 {
			at, n := f.IntN(len(f.plain)), f.upTo(200)
			if i < 300 {
				at = i // every offset at least near the beginning
			}
			end := min(at+n, len(f.plain))
			if err := s.Seek(uint64(at)); err != nil {
				t.Fatal(err)
			}
			got = got[:end-at]
			s.XORKeyStream(got, f.plain[at:end])
			if diff := difference(got, f.cipher[at:end]); diff != "" {
				t.Fatalf("%d bytes after Seek(%d): %s", end-at, at, diff)
			}
		}
	})
}

// TestXORKeyStreamAt starts at every offset of the keystream, without a Stream.
func TestXORKeyStreamAt(t *testing.T) {
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		f := newStreamCase(t, d, m, 2*widest)
		var out canaryBuffer
		for at := range 700 {
			end := min(at+f.upTo(700), len(f.plain))
			got := out.prepare(end-at, 0)
			err := f.s.XORKeyStreamAt(got, f.plain[at:end], f.iv, uint64(at))
			if what := difference(got, f.cipher[at:end]) + out.writtenOutside(len(got)); err != nil || what != "" {
				t.Fatalf("%d bytes at offset %d: %s (%v)", end-at, at, what, err)
			}
			err = f.s.XORKeyStreamAt(got, got, f.iv, uint64(at)) // back, in place
			if what := difference(got, f.plain[at:end]) + out.writtenOutside(len(got)); err != nil || what != "" {
				t.Fatalf("%d bytes at offset %d, in place: %s (%v)", end-at, at, what, err)
			}
		}
	})
}

// TestFarOffsets starts around 2^8, 2^16, 2^32 and 2^40 blocks, with Seek and with XORKeyStreamAt.
func TestFarOffsets(t *testing.T) {
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		f := newStreamCase(t, d, m, 40*m.chunk)
		s := f.stream(t)
		for _, border := range []uint64{1 << 8, 1 << 16, 1 << 24, 1 << 31, 1 << 32, 1 << 40, 1 << 57} {
			for i := range 24 {
				block := border - uint64(i)
				if m.blocks != nil && block+42 > m.blocks(f.iv) {
					continue // a counter of 32 bits does not go there: TestCounterEnd goes to its end
				}
				f.compareAt(t, m, s, block*uint64(m.chunk)+uint64(f.IntN(m.chunk)))
			}
		}
	})
}

func (f *streamCase) compareAt(t *testing.T, m *skModel, s *kcrypto.Stream, offset uint64) {
	t.Helper()
	in := f.plain[:1+f.IntN(len(f.plain)-1)]
	want, got := m.xorAt(f.key, f.iv, in, offset), make([]byte, len(in))
	err := f.s.XORKeyStreamAt(got, in, f.iv, offset)
	if diff := difference(got, want); err != nil || diff != "" {
		t.Fatalf("XORKeyStreamAt(%d), %d bytes: %s (%v)", offset, len(in), diff, err)
	}
	clear(got)
	if err := s.Seek(offset); err != nil {
		t.Fatal(err)
	}
	s.XORKeyStream(got, in)
	if diff := difference(got, want); diff != "" {
		t.Fatalf("Seek(%d), %d bytes: %s", offset, len(in), diff)
	}
}

// TestStreamsAndSectorsOnly asks ciphers without a keystream for a stream, and those without sectors for sectors.
func TestStreamsAndSectorsOnly(t *testing.T) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			s, iv, buf := newSkcipher(t, d, make([]byte, model.keySizes[0])), make([]byte, model.iv), make([]byte, 512)
			if model.keystream == nil {
				_, err := s.Stream(iv)
				wantError(t, "Stream", err, registry.ErrType)
				wantError(t, "XORKeyStreamAt", s.XORKeyStreamAt(buf, buf, iv, 0), registry.ErrType)
			}
			if !hasSectors(algorithm) {
				wantError(t, "EncryptSectors", s.EncryptSectors(buf, buf, 512, 0), registry.ErrType)
				wantError(t, "DecryptSectors", s.DecryptSectors(buf, buf, 512, 0), registry.ErrType)
				steps := kcrypto.SectorIV{Step: 8}
				wantError(t, "EncryptSectorsIV", s.EncryptSectorsIV(buf, buf, 512, steps), registry.ErrType)
				wantError(t, "DecryptSectorsIV", s.DecryptSectorsIV(buf, buf, 512, steps), registry.ErrType)
			}
		})
	})
}

// TestStreamMisuse: panics as crypto/cipher's do, before any output.
func TestStreamMisuse(t *testing.T) {
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		f := newStreamCase(t, d, m, 200)
		s := f.stream(t)
		buf := bytes.Clone(f.plain)
		mustPanic(t, "a short output", "output smaller than input", func() { s.XORKeyStream(buf[:10], f.plain[:11]) })
		mustPanic(t, "an overlap", "overlap", func() { s.XORKeyStream(buf[1:101], buf[:100]) })
		mustPanic(t, "an overlap", "overlap", func() { s.XORKeyStream(buf[:100], buf[1:101]) })
		wantError(t, "an overlap", f.s.XORKeyStreamAt(buf[1:101], buf[:100], f.iv, 3), registry.ErrOverlap)
		wantError(t, "a short output", f.s.XORKeyStreamAt(buf[:10], f.plain[:11], f.iv, 3), registry.ErrLength)
		if diff := difference(buf, f.plain); diff != "" {
			t.Fatalf("a refused call wrote: %s", diff)
		}
		s.XORKeyStream(buf, buf) // the refused calls have not moved the stream
		if diff := difference(buf, f.cipher); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestStreamLives: a stream has a key of its own, and only its own Close ends it.
func TestStreamLives(t *testing.T) {
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		f := newStreamCase(t, d, m, 700)
		s, iv := f.stream(t), bytes.Clone(f.iv)
		got := make([]byte, len(f.plain))
		s.XORKeyStream(got[:100], f.plain[:100])
		if err := f.s.SetKey(make([]byte, len(f.key))); err != nil {
			t.Fatal(err)
		}
		s.XORKeyStream(got[100:333], f.plain[100:333])
		f.s.Close()
		clear(f.iv) // the caller's IV is not the stream's
		s.XORKeyStream(got[333:], f.plain[333:])
		if err := s.Seek(64); err != nil {
			t.Fatal(err)
		}
		s.XORKeyStream(got[64:99], f.plain[64:99])
		if diff := difference(got, f.cipher); diff != "" {
			t.Fatalf("IV % x: %s", iv, diff)
		}
		closeTwice(t, s)
		wantError(t, "Seek after Close", s.Seek(0), registry.ErrClosed)
		mustPanic(t, "XORKeyStream after Close", "closed", func() { s.XORKeyStream(got, got) })
	})
}
