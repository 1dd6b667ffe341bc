package kcrypto_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"kcrypto/registry"
)

// Counters that wrap. A driver's main loop counts in lanes of one width and its tail in others; the carry must be right
// in every lane.

// wrapPositions lists how many blocks before its end a counter starts: every block of two passes of the widest loop.
func wrapPositions() []int {
	var list []int
	for k := range 2*widest/16 + 4 {
		if !testing.Short() || k < 20 || k%16 < 2 {
			list = append(list, k)
		}
	}
	return list
}

// wrapLengths lists lengths that reach every path, and some that end shortly after k blocks.
func wrapLengths(k int) []int {
	if testing.Short() {
		return []int{16*k + 40, 2*widest + 49}
	}
	return []int{16, 48, 64, 128, 200, 256, 16*k + 1, 16*k + 16, 16*k + 40, 16*k + 300, 16*k + 560, 512 + 3, widest + 16,
		2*widest + 49}
}

// TestGCMCounterWraps computes nonces whose first counter block is about to wrap in its 32-bit word. The bits above are
// all ones, so that a carry into them is seen.
func TestGCMCounterWraps(t *testing.T) {
	// The other GCM algorithms have nonces of 96 bits, whose counter starts at 1: a message ends before that does.
	checkAEADOf(t, "gcm(aes)", gcmCounterWraps)
}

func gcmCounterWraps(s *messageMaker) {
	key := s.now.key
	s.begin(key, 16, 16)
	j0 := bytes.Repeat([]byte{0xff}, 16)
	for _, k := range wrapPositions() {
		binary.BigEndian.PutUint32(j0[12:], math.MaxUint32-uint32(k))
		nonce := nonceFor(key, j0)
		for i, n := range wrapLengths(k) {
			s.addWith(nonce, n, i%4*7)
		}
	}
}

// TestCTRCarries starts with the low 8 to 128 bits all ones but for the last few blocks.
func TestCTRCarries(t *testing.T) {
	// xctr has no carry in its IV. The same IVs find a driver that adds where it must XOR.
	for _, algorithm := range []string{"ctr(aes)", "xctr(aes)"} {
		checkUnitsOf(t, algorithm, ctrCarries)
	}
}

func ctrCarries(s *unitMaker) {
	for _, ones := range []int{1, 2, 3, 4, 5, 8, 12, 16} {
		for _, k := range wrapPositions() {
			iv := s.bytes(16)
			for i := 16 - ones; i < 16; i++ {
				iv[i] = 0xff
			}
			iv[15] -= byte(k)
			for _, n := range wrapLengths(k) {
				s.addWith(iv, n)
			}
		}
	}
}

// TestCTRCarriesInStreams splits a stream at the block where the carry falls, and one byte beside it.
func TestCTRCarriesInStreams(t *testing.T) {
	eachDriver(t, "ctr(aes)", func(t *testing.T, d registry.Info) {
		rng := newRandom(t.Name())
		key, plain := rng.bytes(32), rng.bytes(3*widest)
		s := newSkcipher(t, d, key)
		for _, ones := range []int{4, 8, 12, 16} {
			for _, k := range []int{0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 63, 64, 65} {
				iv := rng.bytes(16 - ones)
				iv = append(iv, bytes.Repeat([]byte{0xff}, ones-1)...)
				iv = append(iv, byte(0xff-k))
				f := &streamCase{random: rng, key: key, iv: iv, plain: plain, s: s}
				f.cipher = join(streamCTR(key, iv, 0, len(plain)))
				for i := range f.cipher {
					f.cipher[i] ^= plain[i]
				}
				what := fmt.Sprintf("%d bits of ones, carry after %d blocks", 8*ones, k+1)
				f.pieces(t, what, func() int { return max(16*(k+1)+f.IntN(3)-1, 1) })
				f.pieces(t, what, func() int { return 1 + f.upTo(300) })
			}
		}
	})
}

// TestCounterEnd: the last block before a counter would wrap is legal, and the next is refused before any output. The
// IV makes the counter start near its end; where the IV has no counter, as in rfc3686, only an offset does.
func TestCounterEnd(t *testing.T) {
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		if m.blocks == nil {
			t.Skip("no end: this counter wraps, see TestCTRCarries")
		}
		rng := newRandom(t.Name())
		key := rng.bytes(m.keySizes[0])
		s := newSkcipher(t, d, key)
		for _, left := range []uint64{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33} {
			iv := rng.bytes(m.iv)
			switch m.iv {
			case 16: // chacha20: 32 bits in front
				binary.LittleEndian.PutUint32(iv, uint32(-left))
			case 32: // xchacha: 64 bits behind
				binary.LittleEndian.PutUint64(iv[24:], -left)
			}
			end := m.blocks(iv)
			n := m.chunk * int(left)
			f := &streamCase{random: rng, key: key, iv: iv, plain: rng.bytes(n + 64), s: s}
			f.endAt(t, m, n, (end-left)*uint64(m.chunk))
			if end == left {
				f.cipher = m.encrypt(key, iv, f.plain[:n])
				f.lastBlockIsLegal(t, n)
				f.nextIsRefused(t, n)
			}
		}
	})
}

// endAt starts n bytes before the end of the keystream.
func (f *streamCase) endAt(t *testing.T, m *skModel, n int, offset uint64) {
	t.Helper()
	in, got, s := f.plain[:n], make([]byte, n+1), f.stream(t)
	want := m.xorAt(f.key, f.iv, in, offset)
	wantError(t, "a byte past the end", f.s.XORKeyStreamAt(got, f.plain[:n+1], f.iv, offset), registry.ErrLength)
	wantError(t, "Seek past the end", s.Seek(offset+uint64(n)+1), registry.ErrLength)
	if err := s.Seek(offset); err != nil {
		t.Fatal(err)
	}
	mustPanic(t, "a byte past the end", "run over", func() { s.XORKeyStream(got, f.plain[:n+1]) })
	if !bytes.Equal(got, make([]byte, n+1)) {
		t.Fatal("refused after output")
	}
	s.XORKeyStream(got, in)
	if diff := difference(got[:n], want); diff != "" {
		t.Fatalf("the last %d bytes, as a stream: %s", n, diff)
	}
	err := f.s.XORKeyStreamAt(got, in, f.iv, offset)
	if diff := difference(got[:n], want); err != nil || diff != "" {
		t.Fatalf("the last %d bytes: %s (%v)", n, diff, err)
	}
}

func (f *streamCase) lastBlockIsLegal(t *testing.T, n int) {
	t.Helper()
	got := make([]byte, n)
	err := f.s.Encrypt(got, f.plain[:n], f.iv)
	if diff := difference(got, f.cipher); err != nil || diff != "" {
		t.Fatalf("the last %d bytes there are: %s (%v)", n, diff, err)
	}
	at := f.IntN(n)
	err = f.s.XORKeyStreamAt(got[at:], f.plain[at:n], f.iv, uint64(at))
	if diff := difference(got, f.cipher); err != nil || diff != "" {
		t.Fatalf("the last %d bytes there are, from %d: %s (%v)", n, at, diff, err)
	}
	s := f.stream(t)
	for i := 0; i < n; i += 40 {
		end := min(i+40, n)
		s.XORKeyStream(got[i:end], f.plain[i:end])
	}
	if diff := difference(got, f.cipher); diff != "" {
		t.Fatalf("the last %d bytes there are, as a stream: %s", n, diff)
	}
	wantError(t, "Seek past the end", s.Seek(uint64(n)+1), registry.ErrLength)
	if err := s.Seek(uint64(n)); err != nil {
		t.Errorf("Seek to the end: %v", err)
	}
	s.XORKeyStream(nil, nil) // nothing is always legal
	mustPanic(t, "a byte past the end", "run over", func() { s.XORKeyStream(got[:1], f.plain[:1]) })
}

func (f *streamCase) nextIsRefused(t *testing.T, n int) {
	t.Helper()
	var out canaryBuffer
	for _, over := range []int{1, 16, 64} {
		got, in := out.prepare(n+over, 0), f.plain[:n+over]
		wantError(t, "Encrypt past the counter's end", f.s.Encrypt(got, in, f.iv), registry.ErrLength)
		wantError(t, "Decrypt past the counter's end", f.s.Decrypt(got, in, f.iv), registry.ErrLength)
		wantError(t, "XORKeyStreamAt past the end", f.s.XORKeyStreamAt(got, in, f.iv, 0), registry.ErrLength)
		wantError(t, "XORKeyStreamAt past the end", f.s.XORKeyStreamAt(got[:1], in[:1], f.iv, uint64(n)), registry.ErrLength)
		wantError(t, "XORKeyStreamAt past 2^64", f.s.XORKeyStreamAt(got, in, f.iv, math.MaxUint64), registry.ErrLength)
		mustPanic(t, "XORKeyStream past the end", "run over", func() { f.stream(t).XORKeyStream(got, in) })
		if what := out.writtenOutside(0); what != "" {
			t.Fatalf("refused after output: %s", what)
		}
	}
}

// TestXChaChaPositionCarries passes 2^32 blocks, where one word of the state carries into the next.
func TestXChaChaPositionCarries(t *testing.T) {
	for _, algorithm := range []string{"xchacha20", "xchacha12"} {
		checkUnitsOf(t, algorithm, func(s *unitMaker) {
			for k := range 40 {
				iv := s.bytes(32)
				binary.LittleEndian.PutUint64(iv[24:], uint64(1+s.IntN(1<<20))<<32-uint64(k))
				s.addWith(iv, 64*k+1)
				s.addWith(iv, 2*widest+65)
			}
		})
	}
}

// TestChaChaManyStates encrypts 8 to 16 blocks from many random states, some with counters near the end. Other
// libraries have shipped code that was wrong in one bit for one state.
func TestChaChaManyStates(t *testing.T) {
	states := 4000
	if testing.Short() {
		states = 200
	}
	for _, algorithm := range []string{"chacha20", "xchacha20", "xchacha12"} {
		model := skModelOf(t, algorithm)
		all := newRandom(t.Name() + algorithm)
		maker := &unitMaker{random: all, model: model, now: units{key: all.bytes(32)}}
		for range states {
			iv := maker.iv()
			if model.iv == 16 && all.IntN(2) == 0 {
				binary.LittleEndian.PutUint32(iv, -uint32(17+all.IntN(40)))
			}
			maker.addWith(iv, 64*(8+all.IntN(9)))
		}
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			s, out := newSkcipher(t, d, maker.now.key), make([]byte, 64*17)
			for _, u := range maker.now.list {
				got := out[:len(u.plain)]
				if err := s.Encrypt(got, u.plain, u.iv); err != nil || !bytes.Equal(got, u.cipher) {
					t.Fatalf("%d bytes: %s (%v)\nkey % x\niv % x", len(got), difference(got, u.cipher), err, maker.now.key, u.iv)
				}
			}
		})
	}
}
