package names

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"gcm(aes)", "xts(aes)", "ctr(aes)", "chacha20", "xchacha20", "rfc7539(chacha20,poly1305)",
		"rfc7539esp(chacha20,poly1305)", "gcm-aes-generic", "gcm-aes-stdlib", "xts-aes-generic", "chacha20-generic"}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"aes-gcm", []string{"gcm(aes)", "gcm-aes-generic", "gcm-aes-stdlib"}},
		{"AES_XTS", []string{"xts(aes)", "xts-aes-generic"}},
		{"gcm(aes", []string{"gcm(aes)", "gcm-aes-stdlib", "gcm-aes-generic"}},
		{"chaha20", []string{"chacha20", "xchacha20"}},
		{"gcm-aes-generc", []string{"gcm-aes-generic", "xts-aes-generic"}},
		{"chacha20-poly1305", []string{"rfc7539(chacha20,poly1305)", "rfc7539esp(chacha20,poly1305)"}},
		{"twofish", nil},
	} {
		if got := Nearest(c.word, names); !slices.Equal(got, c.want) {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"ab", "ba", 2},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
