package gcm

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kcrypto/algs/internal/esp"
	"kcrypto/registry"
)

// eachInner runs test on the template over every driver of gcm(aes), and over one that has Seal and Open and nothing more.
func eachInner(t *testing.T, template registry.Template, test func(t *testing.T, d *registry.Driver)) {
	eachDriver(t, func(t *testing.T, inner *registry.Driver) {
		d := template.Build(inner)
		test(t, &d)
	})
	t.Run("plain", func(t *testing.T) {
		inner := driver("plain", func(registry.Config) registry.AEAD { return struct{ registry.AEAD }{new(generic)} })
		d := template.Build(&inner)
		test(t, &d)
	})
}

func TestRFC4106(t *testing.T) {
	eachInner(t, rfc4106Template(), func(t *testing.T, d *registry.Driver) {
		for _, v := range espVectors {
			a := open(t, d, unhex(v.key))
			for _, size := range d.AuthSizes {
				want := append(unhex(v.cipher), unhex(v.tag)[:size]...)
				check(t, a, unhex(v.nonce), unhex(v.text), unhex(v.aad), want, fmt.Sprintf("%s, tag of %d bytes", v.name, size))
			}
		}
	})
}

func TestRFC4543(t *testing.T) {
	eachInner(t, rfc4543Template(), func(t *testing.T, d *registry.Driver) {
		v := gmacVector
		a := open(t, d, unhex(v.key))
		check(t, a, unhex(v.nonce), unhex(v.text), unhex(v.aad), unhex(v.cipher+v.tag), v.name)

		rng := rand.NewChaCha8([32]byte{1})
		for n := range 300 {
			key, iv, text, aad := randomBytes(rng, d.KeySizes[n%3]), randomBytes(rng, 8), randomBytes(rng, n), randomBytes(rng, d.AADSizes[n%2])
			if err := a.SetKey(key); err != nil {
				t.Fatal(err)
			}
			salt := len(key) - esp.SaltSize
			tag := slowSeal(key[:salt], slices.Concat(key[salt:], iv), nil, slices.Concat(aad, iv, text))
			check(t, a, iv, text, aad, slices.Concat(text, tag), fmt.Sprintf("text of %d, aad of %d bytes", n, len(aad)))
		}
	})
}

// TestGMACPieces cuts the same data everywhere.
func TestGMACPieces(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{2})
		key := randomBytes(rng, 16)
		k, ok := open(t, d, key).(gmac)
		if !ok {
			t.Skip("this driver takes additional data in one piece")
		}
		nonce, data := randomBytes(rng, 12), randomBytes(rng, 67)
		want := slowSeal(key, nonce, nil, data)
		for i := range 13 {
			for j := i; j <= i+12; j++ {
				if got := k.gmac(nonce, data[:i], data[i:j], data[j:]); !bytes.Equal(got[:], want) {
					t.Fatalf("cut at %d and %d: %x, want %x", i, j, got, want)
				}
			}
		}
	})
}

func TestESPDescriptor(t *testing.T) {
	for _, template := range Templates() {
		inner := driver("some", newGeneric)
		inner.KeySizes, inner.AuthSizes, inner.Priority, inner.Needs = []int{16, 32}, []int{12, 16}, 7, []string{"avx2"}
		if err := template.Accepts(&inner); err != nil {
			t.Error(err)
		}
		d := template.Build(&inner)
		if d.Algorithm != template.Name+"(gcm(aes))" || d.Name != template.Name+"(gcm-aes-some)" || d.Impl != "some" ||
			d.Type != template.Type || d.IVSize != 8 || d.AnyNonce || d.Module != module || d.Priority != 7 ||
			!slices.Equal(d.KeySizes, []int{20, 36}) || !slices.Equal(d.AADSizes, []int{8, 12}) || !slices.Equal(d.Needs, inner.Needs) {
			t.Errorf("%s over %+v is %+v", template.Name, inner, d)
		}
		wantTags, wantMax := []int{12, 16}, inner.MaxSize
		if template.Name == "rfc4543" {
			wantTags, wantMax = []int{16}, 1<<61-1-20
		}
		if !slices.Equal(d.AuthSizes, wantTags) || d.MaxSize != wantMax {
			t.Errorf("%s has tags of %v and at most %d bytes, want %v and %d", template.Name, d.AuthSizes, d.MaxSize, wantTags, wantMax)
		}
		if !slices.Equal(inner.KeySizes, []int{16, 32}) {
			t.Errorf("%s changed the inner driver's key sizes to %v", template.Name, inner.KeySizes)
		}

		wrong := []registry.Driver{inner, inner, inner}
		wrong[0].Algorithm = "rfc7539(chacha20,poly1305)"
		wrong[1].IVSize = 16
		wrong[2].AuthSizes = []int{4, 13}
		for _, d := range wrong {
			if err := template.Accepts(&d); !errors.Is(err, registry.ErrType) {
				t.Errorf("%s over %+v: %v, want ErrType", template.Name, d, err)
			}
		}
		if got, err := template.Algorithm([]string{"gcm-aes-some"}); got != "gcm-aes-some" || err != nil {
			t.Errorf("%s(gcm-aes-some) stands on %q, %v", template.Name, got, err)
		}
		if got, err := template.Algorithm([]string{"gcm(aes)", "x"}); !errors.Is(err, registry.ErrNotFound) {
			t.Errorf("%s(gcm(aes),x) stands on %q, %v, want ErrNotFound", template.Name, got, err)
		}
	}
}

func TestESPWipe(t *testing.T) {
	inner := driver("generic", newGeneric)
	for _, template := range Templates() {
		d := template.Build(&inner)
		a := open(t, &d, bytes.Repeat([]byte{7}, 20))
		var e *esp.Salted
		switch a := a.(type) {
		case *esp.AEAD:
			e = &a.Salted
		case *rfc4543:
			e = &a.Salted
		}
		if e.Salt != [4]byte{7, 7, 7, 7} || *e.Inner.(*generic) == (generic{}) {
			t.Errorf("%s: the key was not set: this test sees nothing", d.Name)
		}
		a.Wipe()
		if e.Salt != [4]byte{} || *e.Inner.(*generic) != (generic{}) {
			t.Errorf("%s: a key is left after Wipe", d.Name)
		}
	}
}

// TestESPAllocs holds packets to no allocation.
func TestESPAllocs(t *testing.T) {
	eachDriver(t, func(t *testing.T, inner *registry.Driver) {
		for _, template := range Templates() {
			d := template.Build(inner)
			if d.Name == "rfc4543(gcm-aes-stdlib)" && raceDetector {
				t.Logf("NOT RUN HERE: %s lives on a sync.Pool, which the race detector changes", d.Name)
				continue
			}
			a := open(t, &d, make([]byte, 20))
			buf, iv, aad := make([]byte, 1436), make([]byte, 8), make([]byte, 12)
			seal := func() {
				a.Seal(buf, iv, buf[:1420], aad)
				if !a.Open(buf[:1420], iv, buf[:1420], buf[1420:], aad) {
					t.Fatal("does not open")
				}
			}
			if allocs := testing.AllocsPerRun(50, seal); allocs != 0 {
				t.Errorf("%s: %v allocations", d.Name, allocs)
			}
		}
	})
}
