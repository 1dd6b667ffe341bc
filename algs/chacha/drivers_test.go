package chacha

import (
	"errors"
	"slices"
	"testing"

	"kcrypto/registry"
)

// TestDescriptors looks for what the registry cannot know: that the sizes are those of the standards.
func TestDescriptors(t *testing.T) {
	iv := map[string]int{
		"chacha20": 16, "xchacha20": 32, "xchacha12": 32,
		aeadAlgorithm: 12, "xchacha20poly1305": 24, espAlgorithm: 8,
	}
	names := map[string]bool{}
	for _, d := range allDrivers() {
		if names[d.Name] {
			t.Errorf("%s: two drivers of this name", d.Name)
		}
		names[d.Name] = true
		keySize := 32
		if d.Algorithm == espAlgorithm {
			keySize = 36
			if !slices.Equal(d.AADSizes, []int{8, 12}) {
				t.Errorf("%s: additional data of %d bytes, want 8 or 12", d.Name, d.AADSizes)
			}
		}
		if d.IVSize != iv[d.Algorithm] || !slices.Equal(d.KeySizes, []int{keySize}) || d.BlockSize != 1 || d.ChunkSize != 64 {
			t.Errorf("%s: IV %d, keys %d, block %d, chunk %d", d.Name, d.IVSize, d.KeySizes, d.BlockSize, d.ChunkSize)
		}
		if d.Type == registry.TypeAEAD && (!slices.Equal(d.AuthSizes, []int{16}) || d.MaxSize != 1<<38-64) {
			t.Errorf("%s: tags %d, longest message %d", d.Name, d.AuthSizes, d.MaxSize)
		}
	}
	for _, name := range []string{"chacha20-generic", "xchacha20-generic", "xchacha12-generic",
		"chacha20poly1305-generic", "chacha20poly1305-stdlib", "xchacha20poly1305-generic", "xchacha20poly1305-stdlib",
		"rfc7539esp(chacha20poly1305-generic)", "rfc7539esp(chacha20poly1305-stdlib)"} {
		if !names[name] {
			t.Errorf("there is no driver %s", name)
		}
	}
}

func TestESPNames(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"chacha20", "poly1305"}, aeadAlgorithm},
		{[]string{"chacha20poly1305-avx512"}, "chacha20poly1305-avx512"},
		{[]string{"poly1305", "chacha20"}, ""},
		{[]string{"chacha20", "poly1305", "x"}, ""},
		{nil, ""},
	} {
		if got, err := espInner(c.args); got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q: got %q, %v, want %q", c.args, got, err, c.want)
		}
	}
	for _, d := range Drivers() {
		want := d.Algorithm == aeadAlgorithm
		if err := espAccepts(&d); (err == nil) != want || err != nil && !errors.Is(err, registry.ErrType) {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// TestUnavailable holds the stdlib drivers' reason against what x/crypto does with a key. Run it with
// GODEBUG=fips140=only too.
func TestUnavailable(t *testing.T) {
	for _, d := range allDrivers() {
		if d.Impl != "stdlib" {
			continue
		}
		err := d.NewAEAD(registry.Config{Chunk: 64}).SetKey(make([]byte, d.KeySizes[0]))
		if why := d.Unavailable(); (why != "") != (err != nil) {
			t.Errorf("%s: unavailable because %q, but SetKey says %v", d.Name, why, err)
		}
	}
}
