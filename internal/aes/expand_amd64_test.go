//go:build !purego

package aes

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"

	"kcrypto/internal/cpu"
	"kcrypto/internal/guard"
)

// needAESNI skips a test where the assembly cannot run.
func needAESNI(t testing.TB) {
	if !cpu.Host().Has("aesni") {
		t.Skipf("NOT RUN HERE: key expansion with AES instructions; missing %v", cpu.Host().Missing([]string{"aesni"}))
	}
}

// TestExpandAESNIFIPS197 checks the last round keys of the schedules in FIPS 197, appendix A.
func TestExpandAESNIFIPS197(t *testing.T) {
	needAESNI(t)
	for _, v := range []struct{ key, last string }{
		{"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6"},
		{"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202"},
		{"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "fe4890d1e6188d0b046df344706c631e"},
	} {
		var enc [240]byte
		n := expandAESNI(&enc, unhex(t, v.key))
		if got := hex.EncodeToString(enc[16*n : 16*n+16]); n != roundsFor(len(v.key)/2) || got != v.last {
			t.Errorf("key %s: %d rounds, last round key %s, want %s", v.key, n, got, v.last)
		}
	}
}

// TestExpandAESNI compares with the definition, with the key and the schedules between unmapped pages.
func TestExpandAESNI(t *testing.T) {
	needAESNI(t)
	if !guard.Available {
		t.Log("NOT RUN HERE: reads and writes outside the arrays are not noticed on this system")
	}
	var arena [3]*guard.Arena
	for i := range arena {
		a, err := guard.New(240)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Free()
		arena[i] = a
	}
	rng := rand.NewChaCha8([32]byte{2})
	for i := range 600 {
		size := []int{16, 24, 32}[i%3]
		place := (*guard.Arena).After
		if i%2 == 0 {
			place = (*guard.Arena).Before
		}
		key, enc, dec := place(arena[0], size), (*[240]byte)(place(arena[1], 240)), (*[240]byte)(place(arena[2], 240))
		rng.Read(key)
		*enc = [240]byte(bytes.Repeat([]byte{0xa5}, 240))
		*dec = *enc
		wantEnc, wantDec := *enc, *dec
		rounds := roundsFor(size)
		copy(wantEnc[:], expand(key))
		copy(wantDec[:], invert(expand(key)))
		if err := guard.Run(func() {
			if got := expandAESNI(enc, key); got != rounds {
				t.Errorf("%d-byte key: %d rounds", size, got)
			}
			invertAESNI(dec, enc, rounds)
		}); err != nil {
			t.Fatalf("%d-byte key: %v", size, err)
		}
		if *enc != wantEnc {
			t.Fatalf("key %x expands to %x, want %x", key, *enc, wantEnc)
		}
		if *dec != wantDec {
			t.Fatalf("the decryption keys of %x are %x, want %x", key, *dec, wantDec)
		}
	}
}

func BenchmarkExpandAESNI(b *testing.B) {
	needAESNI(b)
	for _, size := range []int{16, 24, 32} {
		var enc, dec [240]byte
		key := make([]byte, size)
		b.Run(fmt.Sprintf("AES-%d", 8*size), func(b *testing.B) {
			for b.Loop() {
				expandAESNI(&enc, key)
			}
		})
		b.Run(fmt.Sprintf("AES-%d/invert", 8*size), func(b *testing.B) {
			for b.Loop() {
				invertAESNI(&dec, &enc, roundsFor(size))
			}
		})
	}
}
