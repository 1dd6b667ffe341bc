package aes

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// The parts of AES straight from the definitions in FIPS 197, slow and plain.

// mul multiplies in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (section 4.2).
func mul(a, b byte) (p byte) {
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			p ^= a
		}
		if a < 0x80 {
			a <<= 1
		} else {
			a = a<<1 ^ 0x1b
		}
	}
	return p
}

// subByte is the S-box (section 5.1.1): the inverse in GF(2^8), or 0 for 0, and an affine map.
func subByte(x byte) byte {
	var y byte
	for i := 1; i < 256 && mul(x, y) != 1; i++ {
		y = byte(i)
	}
	if x == 0 {
		y = 0
	}
	s := byte(0x63)
	for range 5 {
		s ^= y
		y = y<<1 | y>>7
	}
	return s
}

// expand is KeyExpansion (section 5.2) on words of bytes.
func expand(key []byte) []byte {
	w := bytes.Clone(key)
	rcon := byte(1)
	for len(w) < BlockSize*(len(key)/4+7) {
		t := bytes.Clone(w[len(w)-4:])
		switch {
		case len(w)%len(key) == 0:
			t = []byte{subByte(t[1]) ^ rcon, subByte(t[2]), subByte(t[3]), subByte(t[0])}
			rcon = mul(rcon, 2)
		case len(key) == 32 && len(w)%len(key) == 16:
			t = []byte{subByte(t[0]), subByte(t[1]), subByte(t[2]), subByte(t[3])}
		}
		for _, b := range t {
			w = append(w, w[len(w)-len(key)]^b)
		}
	}
	return w
}

// invert is the key schedule of the equivalent inverse cipher (section 5.3.5), in the order of use.
func invert(w []byte) (dec []byte) {
	for end := len(w); end > 0; end -= BlockSize {
		k := w[end-BlockSize : end]
		if 0 < len(dec) && BlockSize < end {
			k = invMixColumns(k)
		}
		dec = append(dec, k...)
	}
	return dec
}

// invMixColumns is InvMixColumns (section 5.3.3).
func invMixColumns(a []byte) (b []byte) {
	for i := range a {
		column, row := a[i&^3:], i%4
		b = append(b, mul(14, column[row])^mul(11, column[(row+1)%4])^mul(13, column[(row+2)%4])^mul(9, column[(row+3)%4]))
	}
	return b
}

// TestSbox checks both circuits on all bytes, as many at a time as there are bits in a word.
func TestSbox(t *testing.T) {
	for first := 0; first < 256; first += wordBits {
		var in, s [8]word
		for b := range wordBits {
			for i := range in {
				in[i] |= word(first+b) >> i & 1 << b
			}
		}
		s = in
		sbox(&s)
		for b := range wordBits {
			var y byte
			for i := range s {
				y |= byte(s[i]>>b&1) << i
			}
			if x := byte(first + b); y^sboxConstant != subByte(x) {
				t.Errorf("S-box of %#02x is %#02x, want %#02x", x, y^sboxConstant, subByte(x))
			}
		}
		if invSbox(&s); s != in {
			t.Errorf("the inverse S-box does not undo the S-box for bytes from %#02x", first)
		}
	}
}

// TestExpandKey checks the last words of FIPS 197 appendix A, and random keys against the definition.
func TestExpandKey(t *testing.T) {
	for _, v := range []struct{ key, last string }{
		{"2b7e151628aed2a6abf7158809cf4f3c", "b6630ca6"},
		{"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "01002202"},
		{"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "706c631e"},
	} {
		var enc [240]byte
		end := BlockSize * (expandKey(&enc, unhex(t, v.key)) + 1)
		if got := hex.EncodeToString(enc[end-4 : end]); got != v.last {
			t.Errorf("key %s expands to a last word of %s, want %s", v.key, got, v.last)
		}
	}
	for _, keyLen := range []int{16, 24, 32} {
		for seed := range 40 {
			key := random(byte(seed), keyLen)
			want := expand(key)
			enc := [240]byte(bytes.Repeat([]byte{0xa5}, 240))
			rounds := expandKey(&enc, key)
			if rounds != roundsFor(keyLen) || len(want) != BlockSize*(rounds+1) {
				t.Fatalf("%d rounds for a key of %d bytes", rounds, keyLen)
			}
			if !bytes.Equal(enc[:len(want)], want) {
				t.Errorf("key %x expands to %x, want %x", key, enc[:len(want)], want)
			}
			if rest := enc[len(want):]; !bytes.Equal(rest, bytes.Repeat([]byte{0xa5}, len(rest))) {
				t.Errorf("expandKey wrote %x behind the round keys", rest)
			}
		}
	}
}
