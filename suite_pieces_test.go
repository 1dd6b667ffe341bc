package kcrypto_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"kcrypto"
	"kcrypto/algs/gcm"
	"kcrypto/registry"
)

// takesPieces reports whether messages of an algorithm may come in pieces.
func takesPieces(algorithm string) bool {
	return !strings.HasPrefix(algorithm, "rfc4543") && !strings.Contains(algorithm, "ccm")
}

// eachInPieces runs f for every driver of every algorithm with messages in pieces.
func eachInPieces(t *testing.T, f func(t *testing.T, d registry.Info)) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		if takesPieces(algorithm) {
			eachDriver(t, algorithm, f)
		}
	})
}

// inPieces cuts p into pieces of sizes that are chosen from some.
func inPieces(rng *random, p []byte, some []int) (pieces [][]byte) {
	for len(p) > 0 {
		n := min(some[rng.IntN(len(some))], len(p))
		pieces = append(pieces, p[:n:n])
		p = p[n:]
	}
	return append(pieces, nil)
}

// cuts are the sizes of pieces in bytes: short ones, with or without blocks that are cut, long ones, and all kinds.
var cuts = [][]int{
	{1}, {16}, {64, 0}, {7, 20, 100}, {512}, {1023, 1025}, {1024}, {4096, 5000}, {1 << 20},
	{0, 1, 13, 16, 63, 64, 65, 128, 500, 512, 1000, 1024, 1025, 2047, 3000, 8192},
}

// TestPieces has every message in pieces of all kinds, in every way that there is.
func TestPieces(t *testing.T) {
	eachInPieces(t, func(t *testing.T, d registry.Info) {
		rng := newRandom(t.Name())
		m := aeadModelOf(t, d.Algorithm)
		for _, l := range makeMessages(rng, m, func(s *messageMaker) {
			for i, n := range []int{
				0, 1, 15, 16, 17, 63, 64, 100, 511, 512, 513, 1023, 1024, 1025, 1420, 2048, 4097, 20_000,
			} {
				s.add(n, i*9%40)
			}
			s.add(100, 5000)
			for _, tag := range m.tags {
				s.begin(s.now.key, m.nonce, tag)
				s.add(77, 20)
			}
			if n := m.another(); n > 0 {
				s.begin(s.now.key, n, 16)
				s.add(1200, 20)
			}
		}) {
			for _, settings := range []string{"", smallestChunks} {
				a := newAEAD(t, d, l, inForm(t, d, settings))
				for i := range l.messages {
					for _, sizes := range cuts {
						if sizes[0] > 1 || len(l.messages[i].text) < 2000 {
							checkPieces(t, rng, a, &l.messages[i], sizes)
						}
					}
				}
			}
		}
	})
}

// checkPieces seals and opens m in every way, cut into pieces.
func checkPieces(t *testing.T, rng *random, a *kcrypto.AEAD, m *message, sizes []int) {
	t.Helper()
	text := m.sealed[:len(m.text)]
	tag := m.sealed[len(m.text):]
	for _, inPlace := range []bool{false, true} {
		sealed, err := sealPieces(a, m, inPieces(rng, bytes.Clone(m.text), sizes), inPlace)
		if diff := difference(sealed, m.sealed); err != nil || diff != "" {
			t.Fatalf("Sealer, %d bytes, pieces of %v, in place %v: %s (%v)", len(text), sizes, inPlace, diff, err)
		}
		opened, err := openPieces(a, m, inPieces(rng, bytes.Clone(text), sizes), tag, inPlace)
		if diff := difference(opened, m.text); err != nil || diff != "" {
			t.Fatalf("UnverifiedOpener, %d bytes, pieces of %v, in place %v: %s (%v)", len(text), sizes, inPlace, diff, err)
		}
	}
	out := make([]byte, len(m.sealed))
	if err := a.SealParts(inPieces(rng, out, sizes), m.nonce, inPieces(rng, m.text, sizes), m.aad); err != nil {
		t.Fatal(err)
	}
	if diff := difference(out, m.sealed); diff != "" {
		t.Fatalf("SealParts, %d bytes, parts of %v: %s", len(text), sizes, diff)
	}
	if err := a.OpenParts(inPieces(rng, out[:len(text)], sizes), m.nonce, inPieces(rng, out, sizes), m.aad); err != nil {
		t.Fatal(err) // in place, cut at other places
	}
	if diff := difference(out[:len(text)], m.text); diff != "" {
		t.Fatalf("OpenParts, %d bytes, parts of %v: %s", len(text), sizes, diff)
	}
	if len(text) > 0 {
		forged := bytes.Clone(m.sealed)
		forged[rng.IntN(len(forged))] ^= 1 << rng.IntN(8)
		err := a.OpenParts(inPieces(rng, out[:len(text)], sizes), m.nonce, inPieces(rng, forged, sizes), m.aad)
		if !errors.Is(err, registry.ErrAuth) {
			t.Fatalf("OpenParts, %d bytes forged, parts of %v: %v", len(text), sizes, err)
		}
		if !bytes.Equal(out[:len(text)], make([]byte, len(text))) {
			t.Fatalf("OpenParts, %d bytes forged, parts of %v: it leaves %x", len(text), sizes, out[:len(text)])
		}
		if _, err := openPieces(a, m, inPieces(rng, forged[:len(text)], sizes), forged[len(text):], false); !errors.Is(
			err, registry.ErrAuth) {
			t.Fatalf("UnverifiedOpener, %d bytes forged, pieces of %v: %v", len(text), sizes, err)
		}
	}
}

// sealPieces seals the pieces of m's text, and returns what comes out.
func sealPieces(a *kcrypto.AEAD, m *message, pieces [][]byte, inPlace bool) (sealed []byte, err error) {
	s, err := a.Sealer(m.nonce, m.aad)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for _, p := range pieces {
		if inPlace {
			sealed = append(sealed, s.Seal(p[:0], p)...)
		} else {
			sealed = s.Seal(sealed, p)
		}
	}
	return s.Final(sealed), nil
}

// openPieces opens the pieces of m's ciphertext.
func openPieces(a *kcrypto.AEAD, m *message, pieces [][]byte, tag []byte, inPlace bool) (opened []byte, err error) {
	o, err := a.UnverifiedOpener(m.nonce, m.aad)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	for _, p := range pieces {
		if inPlace {
			p, err = o.Open(p[:0], p)
			opened = append(opened, p...)
		} else {
			opened, err = o.Open(opened, p)
		}
		if err != nil {
			return nil, err
		}
	}
	return opened, o.Final(tag)
}

// TestReadMessages: Verify, OpenSeeker and OpenTo of messages that are, and are not, authentic.
func TestReadMessages(t *testing.T) {
	eachInPieces(t, func(t *testing.T, d registry.Info) {
		m := aeadModelOf(t, d.Algorithm)
		for _, l := range makeMessages(newRandom(t.Name()), m, func(s *messageMaker) {
			for _, n := range []int{0, 1, 1000, 64 << 10, 64<<10 + 1, 200_000} {
				s.add(n, 20)
			}
		}) {
			a := newAEAD(t, d, l)
			for i := range l.messages {
				readMessage(t, a, &l.messages[i])
			}
		}
	})
}

func readMessage(t *testing.T, a *kcrypto.AEAD, m *message) {
	t.Helper()
	forged := bytes.Clone(m.sealed)
	forged[len(forged)/2] ^= 4
	name := filepath.Join(t.TempDir(), "opened")
	for _, c := range []struct {
		what   string
		sealed []byte
		ok     bool
	}{
		{"authentic", m.sealed, true}, {"forged", forged, false}, {"cut", m.sealed[:len(m.sealed)-1], false},
		{"shorter than a tag", m.sealed[:a.Overhead()-1], false}, {"empty", nil, false},
		{"longer", append(bytes.Clone(m.sealed), 0), false},
	} {
		err := a.Verify(iotest.HalfReader(bytes.NewReader(c.sealed)), m.nonce, m.aad)
		if c.ok != (err == nil) || !c.ok && !errors.Is(err, registry.ErrAuth) {
			t.Fatalf("Verify, %d bytes, %s: %v", len(m.text), c.what, err)
		}
		var out bytes.Buffer
		r := bytes.NewReader(append([]byte("before"), c.sealed...))
		r.Seek(6, io.SeekStart)
		n, err := a.OpenSeeker(&out, r, m.nonce, m.aad)
		if c.ok != (err == nil) || !c.ok && !errors.Is(err, registry.ErrAuth) || n != int64(out.Len()) {
			t.Fatalf("OpenSeeker, %d bytes, %s: %d bytes, %v", len(m.text), c.what, n, err)
		}
		if c.ok && !bytes.Equal(out.Bytes(), m.text) || !c.ok && out.Len() > 0 {
			t.Fatalf("OpenSeeker, %d bytes, %s: it writes %d bytes", len(m.text), c.what, out.Len())
		}
		err = a.OpenTo(name, iotest.OneByteReader(io.LimitReader(bytes.NewReader(c.sealed), 300)), m.nonce, m.aad)
		if len(c.sealed) > 300 {
			err = a.OpenTo(name, bytes.NewReader(c.sealed), m.nonce, m.aad)
		}
		if c.ok != (err == nil) || !c.ok && !errors.Is(err, registry.ErrAuth) {
			t.Fatalf("OpenTo, %d bytes, %s: %v", len(m.text), c.what, err)
		}
		if got, err := os.ReadFile(name); c.ok && !bytes.Equal(got, m.text) || err != nil {
			t.Fatalf("OpenTo, %d bytes, %s: the file has %d bytes (%v)", len(m.text), c.what, len(got), err)
		}
	}
	if files, _ := os.ReadDir(filepath.Dir(name)); len(files) != 1 {
		t.Fatalf("OpenTo leaves %v", files)
	}
}

// changing is a file that somebody changes after it was read once.
type changing struct{ *bytes.Reader }

func (c *changing) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		c.Reader.Reset(append(make([]byte, c.Size()-1), 1))
	}
	return c.Reader.Seek(offset, whence)
}

// brokenReader fails with errBroken after some bytes.
func brokenReader() io.Reader {
	return io.MultiReader(strings.NewReader(strings.Repeat("x", 100)), iotest.ErrReader(errBroken))
}

var errBroken = errors.New("broken")

func TestReadMessagesErrors(t *testing.T) {
	a, nonce := must(kcrypto.NewAEAD("gcm(aes)", make([]byte, 16))), make([]byte, 12)
	defer a.Close()
	sealed := a.Seal(nil, nonce, make([]byte, 100), nil)
	_, err := a.OpenSeeker(io.Discard, &changing{bytes.NewReader(sealed)}, nonce, nil)
	wantError(t, "OpenSeeker of a file that changes", err, registry.ErrAuth)
	wantError(t, "Verify of a broken file", a.Verify(brokenReader(), nonce, nil), errBroken)
	dir := t.TempDir()
	wantError(t, "OpenTo of a broken file", a.OpenTo(filepath.Join(dir, "f"), brokenReader(), nonce, nil), errBroken)
	err = a.OpenTo(filepath.Join(dir, "none", "f"), bytes.NewReader(sealed), nonce, nil)
	wantError(t, "OpenTo into no folder", err, os.ErrNotExist)
	wantError(t, "a short nonce", a.Verify(bytes.NewReader(sealed), nonce[1:], nil), registry.ErrNonceSize)
	r, w := io.Pipe()
	r.CloseWithError(errBroken)
	_, err = a.OpenSeeker(w, bytes.NewReader(sealed), nonce, nil)
	wantError(t, "OpenSeeker to a broken writer", err, errBroken)
}

// TestGuardedPieces has every piece next to unmapped pages.
func TestGuardedPieces(t *testing.T) {
	needGuard(t)
	eachInPieces(t, func(t *testing.T, d registry.Info) {
		rng, p := newRandom(t.Name()), newGuardedOperands(t)
		for _, l := range makeMessages(rng, aeadModelOf(t, d.Algorithm), func(s *messageMaker) { s.add(6000, 20) }) {
			a, m := newAEAD(t, d, l), &l.messages[0]
			for _, sizes := range cuts {
				inGuardedOperands(t, p, "pieces", func() string { return guardedPieces(rng, p, a, m, sizes) })
			}
		}
	})
}

func guardedPieces(rng *random, p *guardedOperands, a *kcrypto.AEAD, m *message, sizes []int) string {
	s := must(a.Sealer(p.nonce.readOnly(m.nonce), p.aad.readOnly(m.aad)))
	o := must(a.UnverifiedOpener(p.nonce.readOnly(m.nonce), p.aad.readOnly(m.aad)))
	var sealed, opened []byte
	for _, piece := range inPieces(rng, m.text, sizes) {
		out := p.out.writable(len(piece))
		sealed = append(sealed, s.Seal(out[:0], p.in.readOnly(piece))...)
	}
	sealed = s.Final(sealed)
	for _, piece := range inPieces(rng, sealed[:len(m.text)], sizes) {
		out := p.out.writable(len(piece))
		opened = append(opened, must(o.Open(out[:0], p.in.readOnly(piece)))...)
	}
	if err := o.Final(sealed[len(m.text):]); err != nil {
		return err.Error()
	}
	return difference(sealed, m.sealed) + difference(opened, m.text)
}

// TestPiecesAllocations: none a piece, none for a message after the first, and none for a call with parts.
func TestPiecesAllocations(t *testing.T) {
	needNoRace(t)
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		if takesPieces(algorithm) {
			eachDriverInTurn(t, algorithm, piecesAllocations)
		}
	})
}

func piecesAllocations(t *testing.T, d registry.Info) {
	for _, l := range makeMessages(newRandom(t.Name()), aeadModelOf(t, d.Algorithm), func(s *messageMaker) {
		s.add(3000, 20)
	}) {
		a, m := newAEAD(t, d, l), &l.messages[0]
		s, o := must(a.Sealer(m.nonce, m.aad)), must(a.UnverifiedOpener(m.nonce, m.aad))
		out, tag := make([]byte, 3100), make([]byte, 0, 16)
		parts := [][]byte{out[:20], out[20:1440], out[1440 : 1440+l.tagSize]}
		in := [][]byte{m.text[:7], m.text[7:1440]}
		n := allocations(func() {
			var nonce, aad [32]byte
			iv, extra := nonce[:copy(nonce[:], m.nonce)], aad[:copy(aad[:], m.aad)]
			if s.Reset(iv, extra) != nil || o.Reset(iv, extra) != nil {
				panic("Reset fails")
			}
			c := s.Seal(out[:0], m.text[:10])
			c = s.Seal(c, m.text[10:1900])
			o.Open(out[:0], c)
			o.Final(s.Final(tag))
			if a.SealParts(parts, iv, in, extra) != nil || a.OpenParts(parts[:2], iv, parts, extra) != nil {
				panic("SealParts or OpenParts fails")
			}
		})
		if n > 0 {
			t.Errorf("%v allocations", n)
		}
		everyDepth(t, func() error { return partsOnStack(a, m) })
	}
}

// partsOnStack seals and opens m in parts, with all that may be on the stack there.
func partsOnStack(a *kcrypto.AEAD, m *message) error {
	var nonce, aad [32]byte
	iv, extra := nonce[:copy(nonce[:], m.nonce)], aad[:copy(aad[:], m.aad)]
	out := make([]byte, len(m.sealed))
	err := a.SealParts([][]byte{out[:100], out[100:]}, iv, [][]byte{m.text[:1500], m.text[1500:]}, extra)
	if err != nil || !bytes.Equal(out, m.sealed) {
		return errors.Join(errors.New("SealParts: "+difference(out, m.sealed)), err)
	}
	return a.OpenParts([][]byte{out[:99], out[99:len(m.text)]}, iv, [][]byte{out}, extra)
}

// TestPiecesEnd: what may follow on what.
func TestPiecesEnd(t *testing.T) {
	a, nonce := must(kcrypto.NewAEAD("gcm(aes)", make([]byte, 16))), make([]byte, 12)
	s, o := must(a.Sealer(nonce, nil)), must(a.UnverifiedOpener(nonce, nil))
	sealed := s.Seal(nil, []byte("text"))
	tag := s.Final(nil)
	mustPanic(t, "Seal after Final", "Reset begins another", func() { s.Seal(nil, nil) })
	mustPanic(t, "Final after Final", "Reset begins another", func() { s.Final(nil) })
	must(o.Open(nil, sealed))
	wantError(t, "a short tag", o.Final(tag[:15]), registry.ErrAuth)
	wantError(t, "Final after Final", o.Final(tag), registry.ErrClosed)
	_, err := o.Open(nil, sealed)
	wantError(t, "Open after Final", err, registry.ErrClosed)

	for _, gone := range []struct {
		how  string
		do   func()
		want error
	}{
		{"SetKey", func() { a.SetKey(make([]byte, 16)) }, registry.ErrNoKey},
		{"a SetKey that fails", func() { a.SetKey(nil) }, registry.ErrNoKey},
		{"Close", func() { a.Close() }, registry.ErrClosed},
	} {
		if err := errors.Join(s.Reset(nonce, nil), o.Reset(nonce, nil)); err != nil {
			t.Fatal(err)
		}
		gone.do()
		mustPanic(t, "Seal after "+gone.how, "kcrypto: ", func() { s.Seal(nil, nil) })
		_, err := o.Open(nil, sealed)
		wantError(t, "Open after "+gone.how, err, gone.want)
		wantError(t, "Final after "+gone.how, o.Final(tag), gone.want)
		if gone.want == registry.ErrNoKey {
			a.SetKey(make([]byte, 16))
		}
	}
	wantError(t, "Reset after Close", s.Reset(nonce, nil), registry.ErrClosed)

	b := must(kcrypto.NewAEAD("gcm(aes)", make([]byte, 16)))
	s = must(b.Sealer(nonce, nil))
	b.SetAuthSize(8)
	if tag := s.Final(nil); len(tag) != 16 {
		t.Errorf("SetAuthSize made the tag of a message that has begun %d bytes", len(tag))
	}
	closeTwice(t, s)
	closeTwice(t, o)
}

// TestPiecesRefused: what has no way for pieces, and what parts do not fit.
func TestPiecesRefused(t *testing.T) {
	gmac := must(kcrypto.NewAEAD("rfc4543(gcm(aes))", make([]byte, 20)))
	_, err := gmac.Sealer(make([]byte, 8), make([]byte, 8))
	wantError(t, "a Sealer of rfc4543", err, registry.ErrType)
	ccm := must(kcrypto.NewAEAD("ccm(aes)", make([]byte, 16)))
	_, err = ccm.Sealer(make([]byte, 12), nil)
	wantError(t, "a Sealer of ccm", err, registry.ErrType)
	r := newRegistry(t, "")
	if err := r.Register([]registry.Driver{foreignGCMDriver("gcm-aes-foreign", 900, noFlaw)}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gcm-aes-foreign", "rfc4106(gcm-aes-foreign)"} {
		a := must(kcrypto.AllocAEAD(name, kcrypto.WithRegistry(r)))
		a.SetKey(make([]byte, a.Info().KeySizes[0]))
		_, err := a.UnverifiedOpener(make([]byte, a.NonceSize()), make([]byte, 8))
		wantError(t, "an opener of "+name, err, registry.ErrType)
	}

	a, nonce, aad := must(kcrypto.NewAEAD("gcm(aes)", make([]byte, 16))), make([]byte, 12), make([]byte, 20)
	mem := make([]byte, 200)
	five := [][]byte{aad, aad, aad, aad, aad}
	for what, c := range map[string]struct {
		dst, src [][]byte
		want     error
	}{
		"dst too short":              {[][]byte{mem[:115]}, [][]byte{mem[:50], mem[50:100]}, registry.ErrLength},
		"dst too long":               {[][]byte{mem[:117]}, [][]byte{mem[:50], mem[50:100]}, registry.ErrLength},
		"another place":              {[][]byte{mem[:116]}, [][]byte{mem[50:100], mem[50:100]}, registry.ErrOverlap},
		"another place in the tag":   {[][]byte{mem[:116]}, [][]byte{mem[100:200]}, registry.ErrOverlap},
		"dst with itself":            {[][]byte{mem[:60], mem[50:106]}, five, registry.ErrOverlap},
		"dst with additional data":   {[][]byte{aad, mem[:96]}, [][]byte{mem[100:200]}, registry.ErrOverlap},
		"in place":                   {[][]byte{mem[:60], mem[60:116]}, [][]byte{mem[:30], mem[30:100]}, nil},
		"one part again":             {[][]byte{mem[:60], mem[60:116]}, [][]byte{mem[150:200], mem[150:200]}, nil},
		"in place but for one part":  {[][]byte{mem[:50], mem[150:200], mem[100:116]}, [][]byte{mem[:100]}, nil},
		"nothing but a tag":          {[][]byte{nil, mem[:10], nil, mem[10:16]}, nil, nil},
		"in place, one byte further": {[][]byte{mem[1:117]}, [][]byte{mem[:100]}, registry.ErrOverlap},
	} {
		if err := a.SealParts(c.dst, nonce, c.src, aad); !errors.Is(err, c.want) {
			t.Errorf("SealParts, %s: %v, want %v", what, err, c.want)
		}
	}
	wantError(t, "OpenParts of less than a tag", a.OpenParts(nil, nonce, [][]byte{mem[:15]}, aad), registry.ErrAuth)
	err = a.OpenParts([][]byte{mem[:9]}, nonce, [][]byte{mem[:26]}, aad)
	wantError(t, "OpenParts, dst too short", err, registry.ErrLength)
}

// genericGCM makes key objects of this module's generic driver.
func genericGCM(c registry.Config) registry.AEAD {
	drivers := gcm.Drivers()
	i := slices.IndexFunc(drivers, func(d registry.Driver) bool { return d.Impl == "generic" })
	return drivers[i].NewAEAD(c)
}

// foreignPieces is a foreign driver that is this module's own generic one, but for its name and its limit.
func foreignPieces(t *testing.T, limit uint64) *registry.Registry {
	t.Helper()
	r := newRegistry(t, "")
	d := foreignGCMDriver("gcm-aes-pieces", 900, noFlaw)
	d.MaxSize = limit
	d.NewAEAD = genericGCM
	if err := r.Register([]registry.Driver{d}); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestForeignPieces: a foreign driver's way is taken, with the limit that it has.
func TestForeignPieces(t *testing.T) {
	const limit = 1 << 20
	r := foreignPieces(t, limit)
	rng := newRandom(t.Name())
	for _, algorithm := range []string{"gcm(aes)", "rfc4106(gcm(aes))"} {
		l := makeMessages(rng, aeadModelOf(t, algorithm), func(s *messageMaker) { s.add(5000, 20) })[0]
		name := strings.Replace(algorithm, "gcm(aes)", "gcm-aes-pieces", 1)
		a := must(kcrypto.NewAEAD(name, l.key, kcrypto.WithRegistry(r), kcrypto.WithAuthSize(l.tagSize)))
		for _, sizes := range cuts {
			checkPieces(t, rng, a, &l.messages[0], sizes)
		}
		everyDepth(t, func() error { return partsOnStack(a, &l.messages[0]) })

		nonce, aad := l.messages[0].nonce, l.messages[0].aad
		s, o := must(a.Sealer(nonce, aad)), must(a.UnverifiedOpener(nonce, aad))
		piece := make([]byte, limit-1)
		s.Seal(nil, piece)
		must(o.Open(nil, piece))
		mustPanic(t, "Seal past the limit", "at most 1048576", func() { s.Seal(nil, piece[:2]) })
		_, err := o.Open(nil, piece[:2])
		wantError(t, "Open past the limit", err, registry.ErrLength)
		s.Seal(nil, piece[:1])
		must(o.Open(nil, piece[:1]))
		s.Final(nil)
		wantError(t, "Final of a forged message at the limit", o.Final(make([]byte, l.tagSize)), registry.ErrAuth)
		err = a.Verify(bytes.NewReader(make([]byte, limit+17)), nonce, aad)
		wantError(t, "Verify past the limit", err, registry.ErrLength)
		err = a.SealParts([][]byte{make([]byte, limit+17)}, nonce, [][]byte{piece, piece[:2]}, aad)
		wantError(t, "SealParts past the limit", err, registry.ErrLength)
	}
}

// flawedPieces is a way for pieces with a fault in one call.
type flawedPieces struct {
	registry.Pieces
	in string
}

func (f flawedPieces) Begin(st *registry.PieceState, nonce, aad []byte) {
	if f.in == "Begin" {
		aad = nil
	}
	f.Pieces.Begin(st, nonce, aad)
}

func (f flawedPieces) Seal(st *registry.PieceState, dst, src []byte) {
	if f.Pieces.Seal(st, dst, src); f.in == "Seal" {
		dst[len(dst)-1] ^= 1
	}
}

func (f flawedPieces) Open(st *registry.PieceState, dst, src []byte) {
	if f.Pieces.Open(st, dst, src); f.in == "Open" {
		dst[0] ^= 1
	}
}

func (f flawedPieces) Keystream(st *registry.PieceState, dst []byte) {
	if f.Pieces.Keystream(st, dst); f.in == "Keystream" {
		f.Pieces.Keystream(st, make([]byte, 16))
	}
}

func (f flawedPieces) Hash(st *registry.PieceState, ciphertext []byte) {
	if f.in == "Hash" {
		ciphertext = ciphertext[:len(ciphertext)&^15]
	}
	f.Pieces.Hash(st, ciphertext)
}

func (f flawedPieces) End(st *registry.PieceState, tag []byte) {
	if f.Pieces.End(st, tag); f.in == "End" {
		tag[0] = 0
	}
}

// flawed is a driver whose way for pieces has a fault, and that is right otherwise.
type flawed struct {
	registry.PieceAEAD
	in string
}

func (f flawed) Pieces() (registry.Pieces, []byte) {
	p, salt := f.PieceAEAD.Pieces()
	return flawedPieces{p, f.in}, salt
}

// TestFlawedPieces: the self-test finds a fault in any of the calls for pieces.
func TestFlawedPieces(t *testing.T) {
	for _, in := range []string{"", "Begin", "Seal", "Open", "Keystream", "Hash", "End"} {
		r := newRegistry(t, "")
		d := foreignGCMDriver("gcm-aes-flawed", 900, noFlaw)
		d.NewAEAD = func(c registry.Config) registry.AEAD { return flawed{genericGCM(c).(registry.PieceAEAD), in} }
		if err := r.Register([]registry.Driver{d}); err != nil {
			t.Fatal(err)
		}
		_, err := kcrypto.AllocAEAD("gcm-aes-flawed", kcrypto.WithRegistry(r))
		found := errors.Is(err, registry.ErrSelfTest) && strings.Contains(err.Error(), "in parts")
		if in == "" && err != nil || in != "" && !found {
			t.Errorf("a fault in %q: %v", in, err)
		}
	}
}

// TestPiecesConcurrently: several messages of one transform are under way at once, in several goroutines.
func TestPiecesConcurrently(t *testing.T) {
	eachInPieces(t, func(t *testing.T, d registry.Info) {
		l := makeMessages(newRandom(t.Name()), aeadModelOf(t, d.Algorithm), func(s *messageMaker) {
			for range 4 {
				s.add(3000, 20)
			}
		})[0]
		a := newAEAD(t, d, l)
		var all sync.WaitGroup
		for i := range l.messages {
			all.Go(func() {
				m, rng := &l.messages[i], newRandom(t.Name())
				for range 10 {
					sealed, err := sealPieces(a, m, inPieces(rng, m.text, cuts[i]), false)
					if err != nil || !bytes.Equal(sealed, m.sealed) {
						t.Errorf("message %d: %s (%v)", i, difference(sealed, m.sealed), err)
					}
				}
			})
		}
		all.Wait()
	})
}
