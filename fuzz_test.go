package kcrypto_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// Fuzz targets. `go test` runs their seeds; `go test -fuzz FuzzAEAD` searches beyond them.

// working lists the drivers of one type that can run here.
func working(kind registry.Type) []registry.Info {
	var list []registry.Info
	for _, d := range kcrypto.Drivers() {
		if d.Type == kind && d.SelfTest != registry.Unavailable {
			list = append(list, d)
		}
	}
	return list
}

// expandSeed makes n bytes of a seed, so that the fuzzer finds keys of every size.
func expandSeed(seed []byte, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		if len(seed) > 0 {
			out[i] = seed[i%len(seed)] + byte(i/len(seed))
		}
	}
	return out
}

// FuzzAEAD compares every AEAD driver with its algorithm's model, in place and not, and changes one bit.
func FuzzAEAD(f *testing.F) {
	for i, n := range []int{0, 1, 16, 17, 63, 64, 255, 256, 1000, 1420, 4097} {
		f.Add(expandSeed([]byte("key"), i), expandSeed([]byte("nonce"), 7+i), expandSeed([]byte("aad"), 3*i),
			expandSeed([]byte("text"), n), uint8(i), uint16(n))
	}
	drivers := working(registry.TypeAEAD)
	f.Fuzz(func(t *testing.T, seed, nonce, aad, text []byte, pick uint8, bit uint16) {
		want := map[string]message{} // by algorithm
		for _, d := range drivers {
			model := aeadModelOf(t, d.Algorithm)
			l := keyedMessages{
				key:       expandSeed(seed, model.keySizes[int(pick)%len(model.keySizes)]),
				nonceSize: model.nonce, tagSize: model.tags[int(pick)%len(model.tags)],
			}
			m, made := want[d.Algorithm]
			if !made {
				if model.takes(len(nonce)) {
					l.nonceSize = len(nonce)
				}
				m = message{nonce: expandSeed(nonce, l.nonceSize), aad: aad, text: text}
				if model.aadSizes != nil {
					m.aad = expandSeed(aad, model.aadSizes[int(pick)%2])
				}
				m.sealed = model.seal(l.key, m.nonce, m.text, m.aad, l.tagSize)
				want[d.Algorithm] = m
			}
			l.nonceSize = len(m.nonce)
			a := newAEAD(t, d, l)
			r := aeadChecker{t: t, a: a, key: l.key}
			r.check(&m)
			changed := bytes.Clone(m.sealed)
			changed[int(bit/8)%len(changed)] ^= 1 << (bit % 8)
			_, err := a.Open(nil, m.nonce, changed, m.aad)
			wantError(t, d.Driver+": a changed message", err, registry.ErrAuth)
			a.Close()
		}
	})
}

// FuzzSkcipher compares every other driver with its model, and streams that are split in two.
func FuzzSkcipher(f *testing.F) {
	for i, n := range []int{0, 1, 16, 17, 31, 63, 64, 255, 256, 1000, 1024, 4097} {
		f.Add(expandSeed([]byte("key"), i), expandSeed([]byte{0xff, 0xfe}, 5*i), expandSeed([]byte("text"), n), uint8(i),
			uint16(n/2))
	}
	drivers := working(registry.TypeSkcipher)
	f.Fuzz(func(t *testing.T, seed, ivSeed, text []byte, pick uint8, cut uint16) {
		answers := map[string]*unit{} // by algorithm
		for _, d := range drivers {
			model := skModelOf(t, d.Algorithm)
			if !model.fits(len(text)) {
				continue
			}
			key := expandSeed(seed, model.keySizes[int(pick)%len(model.keySizes)])
			u := answers[d.Algorithm]
			if u == nil {
				u = &unit{iv: expandSeed(ivSeed, model.iv), plain: text}
				if model.blocks != nil && model.blocks(u.iv) < uint64(len(text)/64+1) {
					clear(u.iv)
				}
				u.cipher = model.encrypt(key, u.iv, text)
				answers[d.Algorithm] = u
			}
			s := newSkcipher(t, d, key)
			r := unitChecker{t: t, s: s, key: key}
			r.check(u)
			if model.keystream != nil {
				at := int(cut) % (len(text) + 1)
				fl := &streamCase{key: key, iv: u.iv, plain: text, cipher: u.cipher, s: s}
				fl.cutAt(t, at)
			}
			s.Close()
		}
	})
}

// cutAt encrypts the text with a stream in two pieces, and then the second piece alone, from its offset on.
func (f *streamCase) cutAt(t *testing.T, at int) {
	t.Helper()
	s, got := f.stream(t), make([]byte, len(f.plain))
	s.XORKeyStream(got[:at], f.plain[:at])
	s.XORKeyStream(got[at:], f.plain[at:])
	if diff := difference(got, f.cipher); diff != "" {
		t.Fatalf("cut at %d: %s", at, diff)
	}
	clear(got[at:])
	if err := f.s.XORKeyStreamAt(got[at:], f.plain[at:], f.iv, uint64(at)); err != nil {
		t.Fatal(err)
	}
	if diff := difference(got, f.cipher); diff != "" {
		t.Fatalf("entered at %d: %s", at, diff)
	}
	s.Close()
}

// classes are all errors that an allocation may return.
var classes = []error{
	registry.ErrNotFound, registry.ErrType, registry.ErrUnavailable, registry.ErrSelfTest,
	registry.ErrNonceSize, registry.ErrAuthSize, registry.ErrConfig,
}

func isClass(err error) bool {
	for _, c := range classes {
		if errors.Is(err, c) {
			return true
		}
	}
	return false
}

// FuzzNames: every string is a name or an error of a known class. There is no panic, and no driver of another
// algorithm.
func FuzzNames(f *testing.F) {
	for _, d := range kcrypto.Drivers() {
		f.Add(d.Driver)
		f.Add(d.Algorithm)
	}
	for _, name := range []string{
		"", "(", ")", "a(", "rfc4106", "rfc4106()", "rfc4106(gcm(aes)", "rfc4106(gcm(aes)))", "rfc4106(gcm(aes),x)",
		"rfc4106(rfc4106(gcm(aes)))", "gcm(aes),", ",", strings.Repeat("rfc4106(", 50), "chacha20poly1305",
		"gcm_base(ctr(aes),ghash)", "\x00", "é(ü)",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		driver, err := served(nil, name)
		if err != nil {
			if !isClass(err) {
				t.Errorf("%q: %v", name, err)
			}
			return
		}
		if again, err := served(nil, driver); err != nil || again != driver {
			t.Errorf("%q is served by %s, and that name by %q (%v)", name, driver, again, err)
		}
		e, err := kcrypto.Explain(name)
		if err != nil || e.Winner != driver {
			t.Errorf("%q is served by %s, and explained by %q (%v)", name, driver, e.Winner, err)
		}
	})
}

// FuzzSettings: every text is settings or ErrConfig, and never a panic. With accepted settings the registry works.
func FuzzSettings(f *testing.F) {
	for _, bad := range badSettings {
		f.Add(bad.text)
	}
	for _, good := range []string{
		"", "chunk=4096,strict=on", "disable=gcm-aes-stdlib;ctr*", "cpu.all=off", "a(b,c)=d", "))((,,",
		"prefer.rfc7539(chacha20,poly1305)=chacha20poly1305-generic",
	} {
		f.Add(good)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "eager") {
			return // it runs every self-test: too slow for a fuzzer, and tested elsewhere
		}
		r, err := kcrypto.NewRegistry(text)
		if r == nil {
			t.Fatalf("%q: no registry", text)
		}
		if err != nil {
			wantError(t, text, err, registry.ErrConfig)
			return
		}
		if len(r.List()) == 0 {
			t.Errorf("%q: an empty registry", text)
		}
		if err := r.Test(context.Background(), "no such driver"); !errors.Is(err, registry.ErrNotFound) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
