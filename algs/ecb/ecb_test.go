package ecb

import (
	"bytes"
	"crypto/aes"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// random returns n bytes that depend on the seed alone.
func random(seed byte, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

// drivers lists the drivers that this CPU can run; it says which it cannot, and fails if KCRYPTO_REQUIRE names one.
func drivers(t *testing.T) (usable []registry.Driver) {
	t.Helper()
	for _, d := range Drivers() {
		missing := cpu.Host().Missing(d.Needs)
		switch {
		case missing == nil:
			usable = append(usable, d)
		case strings.Contains(","+os.Getenv("KCRYPTO_REQUIRE")+",", ","+d.Name+","):
			t.Errorf("KCRYPTO_REQUIRE wants %s here, and the CPU lacks %v", d.Name, missing)
		default:
			t.Logf("NOT RUN HERE: %s, the CPU lacks %v", d.Name, missing)
		}
	}
	return usable
}

func keyed(t *testing.T, d registry.Driver, key []byte) registry.Skcipher {
	t.Helper()
	c := d.NewSkcipher(registry.Config{Chunk: 100})
	if err := c.SetKey(key); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestVectors(t *testing.T) {
	const in = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" +
		"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
	for _, v := range []struct{ source, key, out string }{
		{"NIST SP 800-38A F.1.1", "2b7e151628aed2a6abf7158809cf4f3c",
			"3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf" +
				"43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"},
		{"NIST SP 800-38A F.1.3", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
			"bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef" +
				"ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e"},
		{"NIST SP 800-38A F.1.5", "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
			"f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870" +
				"b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7"},
	} {
		for _, d := range drivers(t) {
			c := keyed(t, d, unhex(t, v.key))
			buf := unhex(t, in)
			if c.Encrypt(buf, buf, nil); hex.EncodeToString(buf) != v.out {
				t.Errorf("%s, %s: encrypts to %x, want %s", d.Name, v.source, buf, v.out)
			}
			if c.Decrypt(buf, buf, nil); hex.EncodeToString(buf) != in {
				t.Errorf("%s, %s: decrypts to %x, want %s", d.Name, v.source, buf, in)
			}
		}
	}
}

// TestAgainstGo compares every number of blocks up to 70 with crypto/aes, in place and out of place, while keys of all
// sizes follow each other in one object.
func TestAgainstGo(t *testing.T) {
	for _, d := range drivers(t) {
		c := d.NewSkcipher(registry.Config{Chunk: 100})
		for n := range 70 {
			key, src := random(byte(n), d.KeySizes[n%len(d.KeySizes)]), random(byte(n)+100, n*blockSize)
			std, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, len(src))
			for i := 0; i < len(src); i += blockSize {
				std.Encrypt(want[i:], src[i:])
			}
			if err := c.SetKey(key); err != nil {
				t.Fatal(err)
			}
			for _, x := range []struct {
				name     string
				crypt    func(dst, src, iv []byte)
				in, want []byte
			}{{"encryption", c.Encrypt, src, want}, {"decryption", c.Decrypt, want, src}} {
				dst, in := make([]byte, len(src)), bytes.Clone(x.in)
				if x.crypt(dst, in, nil); !bytes.Equal(dst, x.want) || !bytes.Equal(in, x.in) {
					t.Errorf("%s: %s of %d blocks is %x, want %x", d.Name, x.name, n, dst, x.want)
				}
				if x.crypt(in, in, nil); !bytes.Equal(in, x.want) {
					t.Errorf("%s: %s of %d blocks in place is %x, want %x", d.Name, x.name, n, in, x.want)
				}
			}
		}
	}
}

func TestWipe(t *testing.T) {
	for _, d := range drivers(t) {
		c, fresh := keyed(t, d, random(1, 32)), d.NewSkcipher(registry.Config{Chunk: 100})
		if c.Wipe(); !reflect.DeepEqual(c, fresh) {
			t.Errorf("%s: Wipe left something: %x, and %x when fresh", d.Name, c, fresh)
		}
	}
}

func TestAllocations(t *testing.T) {
	for _, d := range drivers(t) {
		c, buf := keyed(t, d, random(1, 32)), make([]byte, 1600)
		if n := testing.AllocsPerRun(20, func() { c.Encrypt(buf, buf, nil); c.Decrypt(buf, buf, nil) }); n > 0 {
			t.Errorf("%s: %v allocations", d.Name, n)
		}
	}
}
