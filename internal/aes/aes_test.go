package aes

import (
	"bytes"
	stdaes "crypto/aes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"sync"
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

// random returns n bytes that depend on the seed alone.
func random(seed byte, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

// TestFIPS197 checks the examples of FIPS 197 appendix B and C.
func TestFIPS197(t *testing.T) {
	const pt = "00112233445566778899aabbccddeeff"
	for _, v := range []struct{ key, pt, ct string }{
		{"2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
		{"000102030405060708090a0b0c0d0e0f", pt, "69c4e0d86a7b0430d8cdb78070b4c55a"},
		{"000102030405060708090a0b0c0d0e0f1011121314151617", pt, "dda97ca4864cdfe06eaf70a0ec0d7191"},
		{"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", pt, "8ea2b7ca516745bfeafc49904b496089"},
	} {
		var c Cipher
		c.SetKey(unhex(t, v.key))
		got := make([]byte, BlockSize)
		c.EncryptBlocks(got, unhex(t, v.pt))
		if hex.EncodeToString(got) != v.ct {
			t.Errorf("%s under %s encrypts to %x, want %s", v.pt, v.key, got, v.ct)
		}
		c.DecryptBlocks(got, got)
		if hex.EncodeToString(got) != v.pt {
			t.Errorf("%s under %s decrypts to %x, want %s", v.ct, v.key, got, v.pt)
		}
	}
}

// TestAgainstGo compares with crypto/aes for random keys and every number of blocks up to some states, into another
// buffer at every alignment and in place, and looks behind the output.
func TestAgainstGo(t *testing.T) {
	for _, keyLen := range []int{16, 24, 32} {
		var c Cipher
		for n := range 4*lanes + 3 {
			key := random(byte(n), keyLen)
			src := random(byte(n)+100, n+n*BlockSize)[n:]
			c.SetKey(key)
			std, err := stdaes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, len(src))
			for i := 0; i < len(src); i += BlockSize {
				std.Encrypt(want[i:], src[i:])
			}
			check := func(name string, crypt func(dst, src []byte), in, want []byte) {
				t.Helper()
				buf := bytes.Repeat([]byte{0xa5}, n%9+len(in)+BlockSize)
				dst, rest := buf[n%9:n%9+len(in)], buf[n%9+len(in):]
				crypt(dst, in)
				if !bytes.Equal(dst, want) {
					t.Errorf("key %x: %s of %x is %x, want %x", key, name, in, dst, want)
				}
				copy(dst, in)
				crypt(buf[n%9:], dst) // dst may be longer
				if !bytes.Equal(dst, want) {
					t.Errorf("key %x: %s of %x in place is %x, want %x", key, name, in, dst, want)
				}
				if !bytes.Equal(rest, bytes.Repeat([]byte{0xa5}, BlockSize)) {
					t.Errorf("key %x: %s of %d blocks wrote %x behind them", key, name, n, rest)
				}
			}
			check("encryption", c.EncryptBlocks, src, want)
			check("decryption", c.DecryptBlocks, want, src)
		}
	}
}

// TestRekey sets keys of falling length, after which nothing of the earlier ones may be left.
func TestRekey(t *testing.T) {
	var used, fresh Cipher
	for _, keyLen := range []int{32, 24, 16} {
		key := random(byte(keyLen), keyLen)
		used.SetKey(key)
		fresh = Cipher{}
		fresh.SetKey(key)
		if used != fresh {
			t.Errorf("after a longer key, one of %d bytes leaves other contents than in a new Cipher", keyLen)
		}
	}
	if used.Wipe(); used != (Cipher{}) {
		t.Error("Wipe left something")
	}
}

// TestShared has goroutines share one Cipher; it is for the race detector.
func TestShared(t *testing.T) {
	var c Cipher
	c.SetKey(random(1, 32))
	src := random(2, 5*stateBytes/2)
	want := make([]byte, len(src))
	c.EncryptBlocks(want, src)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			buf := bytes.Clone(src)
			c.EncryptBlocks(buf, buf)
			if !bytes.Equal(buf, want) {
				t.Error("encryption beside others went wrong")
			}
			c.DecryptBlocks(buf, buf)
			if !bytes.Equal(buf, src) {
				t.Error("decryption beside others went wrong")
			}
		})
	}
	wg.Wait()
}

func TestAllocations(t *testing.T) {
	var c Cipher
	var buf [3 * BlockSize]byte
	key := random(1, 32)
	if n := testing.AllocsPerRun(10, func() {
		c.SetKey(key)
		c.EncryptBlocks(buf[:], buf[:])
		c.DecryptBlocks(buf[:], buf[:])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCipher(b *testing.B) {
	var c Cipher
	c.SetKey(random(1, 16))
	for _, size := range []int{BlockSize, stateBytes, 4096} {
		buf := make([]byte, size)
		for _, f := range []struct {
			name  string
			crypt func(dst, src []byte)
		}{{"Encrypt", c.EncryptBlocks}, {"Decrypt", c.DecryptBlocks}} {
			b.Run(fmt.Sprintf("%s/%d", f.name, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					f.crypt(buf, buf)
				}
			})
		}
	}
	key := random(1, 32)
	b.Run("SetKey/256", func(b *testing.B) {
		for b.Loop() {
			c.SetKey(key)
		}
	})
}
