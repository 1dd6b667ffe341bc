package ccm

import (
	"bytes"
	"encoding/hex"
	"testing"

	"kcrypto/registry"
)

// seal is the generic driver's answer.
func seal(key, nonce, text, aad []byte, tag int) string {
	g := newGeneric(registry.Config{Chunk: registry.DefaultChunk})
	if err := g.SetKey(key); err != nil {
		panic(err)
	}
	out := make([]byte, len(text)+tag)
	g.Seal(out, nonce, text, aad)
	return hex.EncodeToString(out)
}

func from(first byte, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = first + byte(i)
	}
	return b
}

// TestLongAAD: where the length of additional data changes its form. The tags are OpenSSL 3's, and the last one is
// example 4 of SP 800-38C, appendix C.
func TestLongAAD(t *testing.T) {
	for n, want := range map[int]string{
		65279: "7e07afff767af56adf3eec948745f3bb", 65280: "b9d8815e7cfb3f48c76efa60423afe8c",
		65281: "6bc42495c2009b0b07c80a4d861974a6", 65536: "9e68c9f220d62e05ee72e0a693c5005d",
	} {
		if got := seal(from(0, 16), from(0, 13), nil, bytes.Repeat([]byte("a"), n), 16); got != want {
			t.Errorf("%d bytes of additional data: tag %s, want %s", n, got, want)
		}
	}
	const want = "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72b4ac6bec93e8598e7f0dadbcea5b"
	if got := seal(from(0x40, 16), from(0x10, 13), from(0x20, 32), from(0, 65536), 14); got != want {
		t.Errorf("example 4: %s, want %s", got, want)
	}
}

// TestFirstAAD looks at the block itself: RFC 3610 section 2.2.
func TestFirstAAD(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string // the beginning
		rest int
	}{
		{1, "0001", 0}, {14, "000e", 0}, {15, "000f", 1}, {0xfeff, "feff", 0xfeff - 14},
		{0xff00, "fffe0000ff00", 0xff00 - 10},
	} {
		block, rest := firstAAD(make([]byte, c.n))
		if got := hex.EncodeToString(block[:len(c.want)/2]); got != c.want || len(rest) != c.rest {
			t.Errorf("%d bytes begin with %s and leave %d, want %s and %d", c.n, got, len(rest), c.want, c.rest)
		}
	}
}

// TestNonces: the longest text is what is left of 15 bytes to count it.
func TestNonces(t *testing.T) {
	d := driver("generic", newGeneric)
	for size, want := range map[int]uint64{7: 0, 8: 1<<56 - 1, 11: 1<<32 - 1, 12: 1<<24 - 1, 13: 1<<16 - 1} {
		if got := d.Longest(size); !d.TakesNonce(size) || got != want {
			t.Errorf("a nonce of %d bytes: at most %d, want %d", size, got, want)
		}
	}
	if d.TakesNonce(6) || d.TakesNonce(14) {
		t.Error("takes nonces of 6 or 14 bytes")
	}
}

func TestRFC4309Descriptor(t *testing.T) {
	inner := driver("some", newGeneric)
	template := rfc4309Template()
	d := template.Build(&inner)
	if d.Name != "rfc4309(ccm-aes-some)" || d.IVSize != 8 || d.Nonces != nil || d.MaxSize != 1<<32-1 ||
		d.KeySizes[0] != 19 || len(d.AuthSizes) != 3 {
		t.Errorf("built %+v", d)
	}
	for _, change := range []func(*registry.Driver){
		func(d *registry.Driver) { d.Algorithm = "gcm(aes)" },
		func(d *registry.Driver) { d.Nonces = nil },
		func(d *registry.Driver) { d.AuthSizes = []int{4, 6} },
	} {
		wrong := driver("some", newGeneric)
		if change(&wrong); template.Accepts(&wrong) == nil {
			t.Errorf("stands on %+v", wrong)
		}
	}
	if _, err := template.Algorithm([]string{"ccm(aes)", "x"}); err == nil {
		t.Error("takes two arguments")
	}
}
