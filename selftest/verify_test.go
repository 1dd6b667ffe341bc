package selftest

import (
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"strings"
	"testing"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/xts"
)

// TestVectorsAgainstReference verifies every vector, both ways, with code that shares nothing with the drivers.
func TestVectorsAgainstReference(t *testing.T) {
	everyAlgorithm(t, func(t *testing.T, algorithm string) {
		for i, v := range known[algorithm].vectors {
			m := message{
				key: bytesOf(v.key), iv: bytesOf(v.iv), aad: bytesOf(v.aad),
				in: bytesOf(v.in), out: bytesOf(v.out), offset: v.offset,
			}
			out, back := reference(t, algorithm, &m)
			if !bytes.Equal(out, m.out) {
				t.Errorf("vector %d (%s): %s", i, v.source, difference(m.out, out))
			}
			if !bytes.Equal(back, m.in) {
				t.Errorf("vector %d (%s), backwards: %s", i, v.source, difference(m.in, back))
			}
		}
	})
}

// reference returns what m encrypts to, and what m.out decrypts to.
func reference(t *testing.T, algorithm string, m *message) (out, back []byte) {
	n := len(m.in)
	if seal := seals[algorithm]; seal != nil {
		tag := len(m.out) - n
		out = seal(m.key, m.iv, m.in, m.aad, tag)[:len(m.out)]
		return out, seal(m.key, m.iv, m.out[:n], m.aad, tag)[:n]
	}
	out, back = make([]byte, n), make([]byte, n)
	if xor := xors[algorithm]; xor != nil {
		size := describe(algorithm).ChunkSize
		xor.xorAt(m.key, m.iv, out, m.in, m.offset, size)
		xor.xorAt(m.key, m.iv, back, m.out, m.offset, size)
		return out, back
	}
	crypt := blockModes[algorithm]
	if crypt == nil {
		t.Fatalf("no reference for %s", algorithm)
	}
	crypt(m.key, m.iv, out, m.in, false)
	crypt(m.key, m.iv, back, m.out, true)
	return out, back
}

func TestEnoughVectors(t *testing.T) {
	want := []string{
		"ctr(aes)", "xctr(aes)", "rfc3686(ctr(aes))", "cbc(aes)", "cts(cbc(aes))", "essiv(cbc(aes),sha256)",
		"ecb(aes)", "xts(aes)", "gcm(aes)",
		"rfc4106(gcm(aes))", "rfc4543(gcm(aes))", "chacha20", "xchacha20", "xchacha12", "rfc7539(chacha20,poly1305)",
		"rfc7539esp(chacha20,poly1305)", "xchacha20poly1305", "ccm(aes)", "rfc4309(ccm(aes))",
	}
	for _, name := range want {
		if !Known(name) || VectorCount(name) < 10 {
			t.Errorf("%s has %d vectors, want at least 10", name, VectorCount(name))
		}
	}
	if len(known) != len(want) {
		t.Errorf("%d algorithms have vectors, this test knows %d", len(known), len(want))
	}
	if Known("rot13") || VectorCount("rot13") != 0 {
		t.Error("an unknown algorithm has vectors")
	}
}

// TestVectorsAreDistinct: every vector names its source, and none is there twice.
func TestVectorsAreDistinct(t *testing.T) {
	everyAlgorithm(t, func(t *testing.T, algorithm string) {
		seen := map[vector]string{}
		for i, v := range known[algorithm].vectors {
			source := v.source
			if v.source = ""; source == "" {
				t.Errorf("vector %d names no source", i)
			}
			if twin := seen[v]; twin != "" {
				t.Errorf("%q and %q are the same", source, twin)
			}
			seen[v] = source
		}
	})
}

// TestPublishedVectors: most vectors are printed by somebody else. Where few are, as for rfc4543, some still are.
func TestPublishedVectors(t *testing.T) {
	everyAlgorithm(t, func(t *testing.T, algorithm string) {
		published, n := 0, VectorCount(algorithm)
		for _, v := range known[algorithm].vectors {
			if !strings.HasPrefix(v.source, "computed from ") {
				published++
			}
		}
		if algorithm != "rfc4543(gcm(aes))" && published <= n/2 || published == 0 {
			t.Errorf("%d of %d vectors are published", published, n)
		}
	})
}

// TestVectorsReachEverySize: every key and tag size of every algorithm, and nonces of other sizes for gcm.
func TestVectorsReachEverySize(t *testing.T) {
	everyAlgorithm(t, func(t *testing.T, algorithm string) {
		d := describe(algorithm)
		keys, tags, nonces := map[int]bool{}, map[int]bool{}, map[int]bool{}
		for _, v := range known[algorithm].vectors {
			keys[len(bytesOf(v.key))] = true
			tags[len(bytesOf(v.out))-len(bytesOf(v.in))] = true
			nonces[len(bytesOf(v.iv))] = true
		}
		for _, n := range d.KeySizes {
			if !keys[n] {
				t.Errorf("no vector has a key of %d bytes", n)
			}
		}
		for _, n := range d.AuthSizes {
			if !tags[n] {
				t.Errorf("no vector has a tag of %d bytes", n)
			}
		}
		for _, n := range d.NonceSizes() {
			if !nonces[n] {
				t.Errorf("no vector has a nonce of %d bytes", n)
			}
		}
		if d.AnyNonce && len(nonces) < 5 || !nonces[d.IVSize] {
			t.Errorf("nonce sizes %v", nonces)
		}
	})
}

// TestReferences ties the definitions of reference_test.go to Go's own code where the two overlap.
func TestReferences(t *testing.T) {
	s := newSource(0)
	for n := 16; n <= 512; n += 16 {
		key, src, number := s.bytes(64), s.bytes(n), s.Uint64()
		tweak := binary.LittleEndian.AppendUint64(nil, number)
		got, want := make([]byte, n), make([]byte, n)
		cryptXTS(key, append(tweak, make([]byte, 8)...), got, src, false)
		must(xts.NewCipher(aes.NewCipher, key)).Encrypt(want, src, number)
		if !bytes.Equal(got, want) {
			t.Errorf("xts, %d bytes: %s", n, difference(want, got))
		}
	}
	for n := range 300 {
		key, nonce, src := s.bytes(32), s.bytes(24), s.bytes(n)
		got, want := make([]byte, n), make([]byte, n)
		xorXChaCha(20)(key, append(nonce[:24:24], 3, 0, 0, 0, 0, 0, 0, 0), got, src, 2)
		c := must(chacha20.NewUnauthenticatedCipher(key, nonce))
		c.SetCounter(5)
		c.XORKeyStream(want, src)
		if !bytes.Equal(got, want) {
			t.Errorf("xchacha20, %d bytes: %s", n, difference(want, got))
		}
	}
}

func TestNotation(t *testing.T) {
	for s, want := range map[string][]byte{
		"":               nil,
		"0a0B":           {10, 11},
		"00*3 ff":        {0, 0, 0, 255},
		"fd..ff 00..01":  {253, 254, 255, 0, 1},
		"0102*2":         {1, 2, 1, 2},
		" 01  02 ":       {1, 2},
		"ff*0 07..07":    {7},
		"00*2 0":         nil, // malformed: half a byte
		"0g":             nil,
		"00*x":           nil,
		"00..f 00*2":     nil,
		"f0f1 00*2 0..1": nil,
	} {
		got, panicked := func() (b []byte, p bool) {
			defer func() { p = recover() != nil }()
			return bytesOf(s), false
		}()
		if malformed := want == nil && s != ""; panicked != malformed || !bytes.Equal(got, want) {
			t.Errorf("%q: got %x, panicked %v", s, got, panicked)
		}
	}
}
