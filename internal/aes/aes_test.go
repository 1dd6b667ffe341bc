package aes

import (
	"bytes"
	stdaes "crypto/aes"
	"encoding/hex"
	"math/rand/v2"
	"testing"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestFIPS197 checks the examples of FIPS 197 appendix B and C.
func TestFIPS197(t *testing.T) {
	for _, v := range []struct{ key, pt, ct string }{
		{"2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
		{"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"},
		{"000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff", "dda97ca4864cdfe06eaf70a0ec0d7191"},
		{"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089"},
	} {
		var c Cipher
		c.SetKey(unhex(t, v.key))
		got := make([]byte, 16)
		c.EncryptBlocks(got, unhex(t, v.pt))
		if hex.EncodeToString(got) != v.ct {
			t.Errorf("encrypt %s under %s: got %x, want %s", v.pt, v.key, got, v.ct)
		}
		c.DecryptBlocks(got, got)
		if hex.EncodeToString(got) != v.pt {
			t.Errorf("decrypt %s under %s: got %x, want %s", v.ct, v.key, got, v.pt)
		}
	}
}

// TestAgainstStd compares with crypto/aes for random keys and every number of blocks in and around a batch, into a
// second buffer and in place.
func TestAgainstStd(t *testing.T) {
	rng := rand.NewChaCha8([32]byte{1})
	for _, keyLen := range []int{16, 24, 32} {
		for n := range 70 {
			key, src := make([]byte, keyLen), make([]byte, 16*n)
			rng.Read(key)
			rng.Read(src)
			std, err := stdaes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, len(src))
			for i := 0; i < len(src); i += 16 {
				std.Encrypt(want[i:], src[i:])
			}
			var c Cipher
			c.SetKey(key)
			dst := bytes.Repeat([]byte{0xa5}, len(src)+1)
			c.EncryptBlocks(dst, src)
			if !bytes.Equal(dst[:len(src)], want) || dst[len(src)] != 0xa5 {
				t.Fatalf("key %x: %d blocks encrypt to %x, want %x", key, n, dst, want)
			}
			c.DecryptBlocks(dst[:len(src)], dst[:len(src)])
			if !bytes.Equal(dst[:len(src)], src) {
				t.Fatalf("key %x: %d blocks decrypt in place to %x, want %x", key, n, dst, src)
			}
			c.EncryptBlocks(dst[:len(src)], dst[:len(src)])
			if !bytes.Equal(dst[:len(src)], want) {
				t.Fatalf("key %x: %d blocks encrypt in place to %x, want %x", key, n, dst, want)
			}
		}
	}
}
