package gcm

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"kcrypto/registry"
)

func TestESPDescriptor(t *testing.T) {
	for _, template := range Templates() {
		inner := driver("some", newGeneric)
		inner.KeySizes, inner.AuthSizes, inner.Priority, inner.Needs = []int{16, 32}, []int{12, 16}, 7, []string{"avx2"}
		if err := template.Accepts(&inner); err != nil {
			t.Error(err)
		}
		d := template.Build(&inner)
		if d.Algorithm != template.Name+"(gcm(aes))" || d.Name != template.Name+"(gcm-aes-some)" || d.Impl != "some" ||
			d.Type != template.Type || d.IVSize != 8 || d.AnyNonce || d.Module != inner.Module || d.Priority != 7 ||
			!slices.Equal(d.KeySizes, []int{20, 36}) || !slices.Equal(d.AADSizes, []int{8, 12}) ||
			!slices.Equal(d.Needs, inner.Needs) {
			t.Errorf("%s over %+v is %+v", template.Name, inner, d)
		}
		wantTags, wantMax := []int{12, 16}, inner.MaxSize
		if template.Name == "rfc4543" {
			wantTags, wantMax = []int{16}, 1<<61-1-20
		}
		if !slices.Equal(d.AuthSizes, wantTags) || d.MaxSize != wantMax {
			t.Errorf("%s has tags of %v and at most %d bytes, want %v and %d",
				template.Name, d.AuthSizes, d.MaxSize, wantTags, wantMax)
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

// TestRFC4543OverOthers compares what is done over a driver that has Seal and Open and nothing more, as other modules'
// have, with what is done over the generic driver, which the suite of the root package holds to the standard.
func TestRFC4543OverOthers(t *testing.T) {
	template := rfc4543Template()
	made := func(build func(registry.Config) registry.AEAD) registry.AEAD {
		inner := driver("some", build)
		d := template.Build(&inner)
		a := d.NewAEAD(registry.Config{Chunk: registry.DefaultChunk})
		if err := a.SetKey([]byte("a key of 16 bytessalt")[:20]); err != nil {
			t.Fatal(err)
		}
		return a
	}
	ours := made(newGeneric)
	other := made(func(registry.Config) registry.AEAD { return struct{ registry.AEAD }{new(generic)} })
	iv, aad, text := []byte("explicit"), []byte("SPI and SN, "), bytes.Repeat([]byte("text"), 80)
	for n := range text {
		want, got, opened := make([]byte, n+tagSize), make([]byte, n+tagSize), make([]byte, n)
		ours.Seal(want, iv, text[:n], aad)
		if other.Seal(got, iv, text[:n], aad); !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: sealed to %x, want %x", n, got, want)
		}
		if !other.Open(opened, iv, want[:n], want[n:], aad) || !bytes.Equal(opened, text[:n]) {
			t.Fatalf("%d bytes: does not open", n)
		}
		want[n] ^= 1
		if other.Open(opened, iv, want[:n], want[n:], aad) {
			t.Fatalf("%d bytes: opens with another tag", n)
		}
	}
}
