// Package aes is the block cipher of FIPS 197 in portable Go and in constant time: no branch and no memory address
// depends on a key or on data. It has what the modes of this module need and nothing else: key schedules for
// themselves and for AES instructions, and the encryption and decryption of whole blocks.
package aes

// BlockSize is the size of an AES block in bytes.
const BlockSize = 16

// leastRounds and maxRounds are the numbers of rounds with a 16-byte and a 32-byte key.
const leastRounds, maxRounds = 10, 14

// roundsFor returns the number of rounds for a key of keyLen bytes: 10, 12 or 14 for 16, 24 or 32.
func roundsFor(keyLen int) int { return keyLen/4 + 6 }

// Cipher is an AES key ready for use. SetKey must come first. After it any number of goroutines may encrypt and
// decrypt at once; SetKey and Wipe may not run beside other calls. A Cipher holds no pointers and may be copied.
type Cipher struct {
	rounds int
	keys   [maxRounds + 1]state // round keys, each the same for every block of a state
}

// SetKey expands key, which is 16, 24 or 32 bytes long, and replaces any earlier key. It returns no error.
func (c *Cipher) SetKey(key []byte) error {
	c.Wipe()
	var enc [240]byte
	c.rounds = expandKey(&enc, key)
	for i := BlockSize; i < len(enc); i++ {
		enc[i] ^= sboxConstant // what subBytes leaves out
	}
	for r := 0; r <= c.rounds; r += lanes {
		c.spread(enc[BlockSize*r:], c.keys[r:min(r+lanes, c.rounds+1)])
	}
	clear(enc[:])
	return nil
}

// spread bitslices round keys as if they were the blocks of one state, and then gives each of them, block by block, a
// state of its own in which all blocks are that one.
func (c *Cipher) spread(enc []byte, keys []state) {
	var buf [stateBytes]byte
	var s state
	copy(buf[:], enc)
	s.load(&buf)
	for b := range keys {
		k := &keys[b]
		for i := range s {
			bit := s[i] & everyColumn
			k[i] = bit<<lanes - bit // each bit becomes as many as there are blocks
			s[i] >>= 1
		}
	}
	clear(buf[:])
	clear(s[:])
}

// Wipe overwrites the key.
func (c *Cipher) Wipe() { *c = Cipher{} }

// EncryptBlocks encrypts the blocks of src into dst. len(src) is a multiple of 16, and dst is at least as long; the
// two start at the same byte or do not overlap. A call takes as long as for a multiple of 16 blocks (8 on 32-bit
// machines), so it pays to collect blocks.
func (c *Cipher) EncryptBlocks(dst, src []byte) { c.crypt(dst, src, false) }

// DecryptBlocks is the inverse of EncryptBlocks, under the same conditions.
func (c *Cipher) DecryptBlocks(dst, src []byte) { c.crypt(dst, src, true) }

func (c *Cipher) crypt(dst, src []byte, inverse bool) {
	for ; len(src) >= stateBytes; dst, src = dst[stateBytes:], src[stateBytes:] {
		c.cryptState((*[stateBytes]byte)(dst), (*[stateBytes]byte)(src), inverse)
	}
	if len(src) > 0 {
		var buf [stateBytes]byte
		copy(buf[:], src)
		c.cryptState(&buf, &buf, inverse)
		copy(dst[:len(src)], buf[:])
	}
}

func (c *Cipher) cryptState(dst, src *[stateBytes]byte, inverse bool) {
	var s state
	s.load(src)
	if keys := c.keys[:c.rounds+1]; inverse {
		s.decrypt(keys)
	} else {
		s.encrypt(keys)
	}
	s.store(dst)
}
