package kernelmode

import (
	"slices"
	"testing"
)

// Facts about the kernel's modes, from its documentation and logs.
func TestModes(t *testing.T) {
	for _, c := range []struct {
		number int
		does   string
		of     []string
		rows   int // key sizes, directions and message sizes together
	}{
		{10, "test", []string{"ecb(aes)", "cbc(aes)", "lrw(aes)", "xts(aes)", "ctr(aes)", "rfc3686(ctr(aes))", "xctr(aes)"},
			0},
		{35, "test", []string{"gcm(aes)"}, 0},
		{38, "test", []string{"cts(cbc(aes))"}, 0},
		{200, "speed sync", []string{"ecb(aes)", "cbc(aes)", "lrw(aes)", "xts(aes)", "cts(cbc(aes))", "ctr(aes)"},
			7 * 2 * (5*3 + 2)},
		{211, "speed", []string{"rfc4106(gcm(aes))", "gcm(aes)"}, 8 * 2 * 2 * 3},
		{37, "test", []string{"ccm(aes)"}, 0},
		{212, "speed", []string{"rfc4309(ccm(aes))"}, 8 * 2},
		{214, "speed sync", []string{"chacha20"}, 7 * 2},
		{217, "speed multibuffer", []string{"rfc7539esp(chacha20,poly1305)"}, 8 * 2},
		{220, "speed async", []string{"essiv(cbc(aes),sha256)"}, 7 * 2 * 3},
		{500, "speed async", []string{"ecb(aes)", "cbc(aes)", "lrw(aes)", "xts(aes)", "cts(cbc(aes))", "ctr(aes)",
			"rfc3686(ctr(aes))"}, 7 * 2 * (6*3 + 2)},
	} {
		m, ok := Lookup(c.number)
		if !ok || m.Does() != c.does || !slices.Equal(m.Algorithms(), c.of) {
			t.Errorf("mode %d: %q of %q", c.number, m.Does(), m.Algorithms())
		}
		rows := 0
		for _, s := range m.Speeds {
			aead := c.number < 500 && c.number > 210 && c.number != 214 && c.number != 220
			rows += len(s.Keys) * len(Sizes(aead, 1))
		}
		if rows != c.rows {
			t.Errorf("mode %d has %d rows, want %d", c.number, rows, c.rows)
		}
	}
	for _, number := range []int{999, 300} { // the kernel has 300: for hashes, which are not here
		if _, ok := Lookup(number); ok {
			t.Errorf("there is a mode %d", number)
		}
	}
}

// Every number appears once, in order, for algorithms or for mode 0's all of them, and decryption is everywhere.
func TestModesAreWhole(t *testing.T) {
	for i, m := range Modes {
		if i > 0 && m.Number <= Modes[i-1].Number {
			t.Errorf("mode %d comes after %d", m.Number, Modes[i-1].Number)
		}
		if (m.Number == 0) != (m.Algorithms() == nil) || (m.Number == 0) != (m.About != "") {
			t.Errorf("mode %d: %+v", m.Number, m)
		}
		for _, s := range m.Speeds {
			other := s
			other.Decrypt = !s.Decrypt
			if !slices.ContainsFunc(m.Speeds, func(s Speed) bool {
				return s.Algorithm == other.Algorithm && s.Decrypt == other.Decrypt
			}) {
				t.Errorf("mode %d times %s in one direction only", m.Number, s.Algorithm)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	if got := Sizes(false, 16); !slices.Equal(got, []int{16, 64, 128, 256, 1024, 1424, 4096}) {
		t.Errorf("whole blocks of a skcipher: %v", got)
	}
	if got := Sizes(true, 1); !slices.Equal(got, []int{16, 64, 256, 512, 1024, 1420, 4096, 8192}) {
		t.Errorf("an AEAD: %v", got)
	}
}
