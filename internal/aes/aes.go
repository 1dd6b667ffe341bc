// Package aes is the block cipher of FIPS 197 in portable Go and in constant time: no branch and no memory address
// depends on a key or on data. It has what the modes of this module need and nothing else: key schedules for
// themselves and for AES instructions, and the encryption and decryption of whole blocks.
package aes

// BlockSize is the size of an AES block in bytes.
const BlockSize = 16

// maxRounds is the number of rounds with a 32-byte key.
const maxRounds = 14

// Rounds returns the number of rounds for a key of keyLen bytes: 10, 12 or 14 for 16, 24 or 32.
func Rounds(keyLen int) int { return keyLen/4 + 6 }

// Cipher is an AES key ready for use. SetKey must come first. After it any number of goroutines may encrypt and
// decrypt at once; SetKey and Wipe may not run beside other calls. A Cipher holds no pointers and may be copied.
type Cipher struct {
	rounds int
	enc    [16 * (maxRounds + 1)]byte
}

// SetKey expands key, which is 16, 24 or 32 bytes long, and replaces any earlier key.
func (c *Cipher) SetKey(key []byte) {
	c.Wipe()
	c.rounds = ExpandKey(&c.enc, key)
}

// Wipe overwrites the key.
func (c *Cipher) Wipe() { *c = Cipher{} }

// EncryptBlocks encrypts the blocks of src into dst. len(src) is a multiple of 16, and dst is at least as long; the
// two start at the same byte or do not overlap.
func (c *Cipher) EncryptBlocks(dst, src []byte) {
	for i := 0; i < len(src); i += BlockSize {
		s := [16]byte(src[i:])
		xor(&s, c.enc[:])
		for r := 1; r <= c.rounds; r++ {
			for j := range s {
				s[j] = subByte(s[j])
			}
			s = shiftRows(s)
			if r < c.rounds {
				s = mixColumns(s, [4]byte{2, 3, 1, 1})
			}
			xor(&s, c.enc[16*r:])
		}
		copy(dst[i:], s[:])
	}
}

// DecryptBlocks is the inverse of EncryptBlocks, under the same conditions.
func (c *Cipher) DecryptBlocks(dst, src []byte) {
	for i := 0; i < len(src); i += BlockSize {
		s := [16]byte(src[i:])
		for r := c.rounds; r > 0; r-- {
			xor(&s, c.enc[16*r:])
			if r < c.rounds {
				s = mixColumns(s, [4]byte{14, 11, 13, 9})
			}
			s = shiftRows(shiftRows(shiftRows(s)))
			for j := range s {
				s[j] = invSubByte(s[j])
			}
		}
		xor(&s, c.enc[:])
		copy(dst[i:], s[:])
	}
}

func xor(s *[16]byte, k []byte) {
	for i := range s {
		s[i] ^= k[i]
	}
}

// shiftRows is ShiftRows of FIPS 197 section 5.1.2: byte r+4c comes from column c+r of row r.
func shiftRows(s [16]byte) (t [16]byte) {
	for i := range t {
		t[i] = s[(i+4*(i%4))%16]
	}
	return t
}

// mixColumns multiplies each column by the circulant matrix whose first row is m (FIPS 197 section 5.1.3).
func mixColumns(s [16]byte, m [4]byte) (t [16]byte) {
	for i := range t {
		for j := range m {
			t[i] ^= mul(s[i&^3+(i+j)%4], m[j])
		}
	}
	return t
}

// mul multiplies in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
func mul(a, b byte) (p byte) {
	for range 8 {
		p ^= a & -(b & 1)
		a = a<<1 ^ 0x1b&-(a>>7)
		b >>= 1
	}
	return p
}

// invert returns x^254, which is 1/x, or 0 for 0.
func invert(x byte) byte {
	y := x
	for range 6 {
		y = mul(mul(y, y), x)
	}
	return mul(y, y)
}

// subByte is the S-box of FIPS 197 section 5.1.1.
func subByte(x byte) byte {
	y := invert(x)
	return y ^ rotl(y, 1) ^ rotl(y, 2) ^ rotl(y, 3) ^ rotl(y, 4) ^ 0x63
}

func invSubByte(y byte) byte {
	return invert(rotl(y, 1) ^ rotl(y, 3) ^ rotl(y, 6) ^ 0x05)
}

func rotl(x byte, n uint) byte { return x<<n | x>>(8-n) }
