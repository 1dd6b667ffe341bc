package aes

// A state is several blocks, bitsliced with each row of them in words of its own: word 8*r+i has bit i of every byte
// in row r. From its lowest bit on, a word has one bit for each block's column 0, then as many for column 1, 2 and 3.
// So ShiftRows is a rotation of whole words, MixColumns consists of XORs of whole words, and SubBytes is a Boolean
// circuit on the 8 words of a row.
//
// The usual form for 64-bit words has all of four blocks in 8 words and shifts and masks within the words for ShiftRows
// and MixColumns. Fixslicing (Adomnicai and Peyrin, "Fixslicing AES-like Ciphers", TCHES 2021) does without most of
// ShiftRows, and still the rounds of AES-128 took 13.5 cycles a byte on Zen 4, where these take 8.8. The price is that
// one block costs as much as a full state: 0.8 us, where fixslicing needs 0.3 us for its four blocks.
type state [32]word

const (
	lanes      = wordBits / 4 // blocks side by side in a state
	stateBytes = lanes * BlockSize

	ones        = 1<<wordBits - 1
	everyColumn = ones / (1<<lanes - 1) // the bit of block 0 in each column
)

// load sets s to the blocks of src.
func (s *state) load(src *[stateBytes]byte) {
	s.gather(src)
	s.transpose()
}

// store writes the blocks of s to dst and leaves s in disorder.
func (s *state) store(dst *[stateBytes]byte) {
	s.transpose()
	s.scatter(dst)
}

// transpose exchanges the number of a word with the number of a bit in each half of 32 bits, one bit of those two
// numbers at a time (Hacker's Delight, section 7-3). So it takes the bits of columns, as gather lays them out, to where
// the rounds need them, and back.
func (s *state) transpose() {
	for i := range 8 {
		a, b, c, d := s[i], s[8+i], s[16+i], s[24+i]
		a, c = swap(a, c, 16)
		b, d = swap(b, d, 16)
		a, b = swap(a, b, 8)
		c, d = swap(c, d, 8)
		s[i], s[8+i], s[16+i], s[24+i] = a, b, c, d
	}
	for r := 0; r < len(s); r += 8 {
		s := (*[8]word)(s[r:])
		a, b, c, d, e, f, g, h := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
		a, b = swap(a, b, 1)
		c, d = swap(c, d, 1)
		e, f = swap(e, f, 1)
		g, h = swap(g, h, 1)
		a, c = swap(a, c, 2)
		b, d = swap(b, d, 2)
		e, g = swap(e, g, 2)
		f, h = swap(f, h, 2)
		a, e = swap(a, e, 4)
		b, f = swap(b, f, 4)
		c, g = swap(c, g, 4)
		d, h = swap(d, h, 4)
		s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7] = a, b, c, d, e, f, g, h
	}
}

// swap exchanges the bits of a whose numbers have bit n set with those of b whose numbers do not; n is a power of 2.
func swap(a, b word, n int) (word, word) {
	t := (a>>n ^ b) & word(ones/(1<<n+1))
	return a ^ t<<n, b ^ t
}
