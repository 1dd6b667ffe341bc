package gostd

import (
	"bytes"
	"crypto/aes"
	"crypto/fips140"
	"testing"
)

// TestNewGCM asks for every pair of sizes near those that crypto/cipher has.
func TestNewGCM(t *testing.T) {
	if fips140.Enforced() {
		t.Skip("NOT RUN HERE: GODEBUG=fips140=only refuses all of them")
	}
	block, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	for nonce := 1; nonce <= 17; nonce++ {
		for tag := 1; tag <= 16; tag++ {
			want := tag == 16 || nonce == 12 && tag >= 12
			switch a, err := NewGCM(block, nonce, tag); {
			case (err == nil) != want:
				t.Errorf("nonce of %d, tag of %d bytes: %v", nonce, tag, err)
			case want && (a.NonceSize() != nonce || a.Overhead() != tag):
				t.Errorf("nonce of %d, tag of %d bytes: got one of %d and %d", nonce, tag, a.NonceSize(), a.Overhead())
			}
		}
	}
}

// TestJoined holds it to the right bytes, and to no copy where the tag follows.
func TestJoined(t *testing.T) {
	memory := []byte("ciphertext, tag, more")
	for n := range 12 {
		apart := bytes.Clone(memory[n : n+4])
		if got := Joined(memory[:n:n], apart); !bytes.Equal(got, memory[:n+4]) {
			t.Errorf("%d bytes with the tag apart: %q", n, got)
		}
		if got := Joined(memory[:n], memory[n:n+4]); len(got) != n+4 || &got[0] != &memory[0] {
			t.Errorf("%d bytes with the tag behind: %q, a copy", n, got)
		}
		if got := Joined(memory[:n], apart); !bytes.Equal(got, memory[:n+4]) || n > 0 && &got[0] == &memory[0] {
			t.Errorf("%d bytes with room for a tag, and the tag elsewhere: %q, in the room", n, got)
		}
	}
}
