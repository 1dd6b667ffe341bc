package aes

// encrypt runs all rounds on s. keys has the round keys, each spread over all blocks.
func (s *state) encrypt(keys []state) {
	last := len(keys) - 1
	s.addKey(&keys[0])
	for r := 1; r < last; r++ {
		s.subBytes()
		s.mixColumns(&keys[r])
	}
	s.subBytes()
	s.shiftRows(lanes)
	s.addKey(&keys[last])
}

// decrypt undoes encrypt, step by step and with the same keys.
func (s *state) decrypt(keys []state) {
	last := len(keys) - 1
	s.addKey(&keys[last])
	for r := last - 1; r > 0; r-- {
		s.invSubBytes()
		s.invMixColumns(&keys[r])
	}
	s.invSubBytes()
	s.shiftRows(-lanes)
	s.addKey(&keys[0])
}

func (s *state) addKey(key *state) {
	for i := range 8 {
		s[i] ^= key[i]
		s[8+i] ^= key[8+i]
		s[16+i] ^= key[16+i]
		s[24+i] ^= key[24+i]
	}
}

// shiftRows is ShiftRows with column = lanes and InvShiftRows with column = -lanes.
func (s *state) shiftRows(column int) {
	for i := range 8 {
		s[8+i] = rotateRight(s[8+i], column)
		s[16+i] = rotateRight(s[16+i], 2*lanes)
		s[24+i] = rotateRight(s[24+i], -column)
	}
}

// mixColumns is ShiftRows, MixColumns and AddRoundKey in one.
//
// Row r becomes 2*(a[r] + a[r+1]) + a[r+1] + (a[r+2] + a[r+3]), with row numbers modulo 4. That is done bit by bit from
// the lowest, unrolled because a loop takes a fifth longer. Of each bit, a0 to a3 are first the rows and then the sums
// in brackets. p0 to p3 are what doubling moves up to it: the sums of the bit below, and for bits 0, 1, 3 and 4, since
// x^8 = x^4 + x^3 + x + 1, those of bit 7, h0 to h3.
func (s *state) mixColumns(key *state) {
	a0, a1, a2, a3 := s[7], rotateRight(s[15], lanes), rotateRight(s[23], 2*lanes), rotateRight(s[31], 3*lanes)
	p0, p1, p2, p3 := a0^a1, a1^a2, a2^a3, a3^a0
	h0, h1, h2, h3 := p0, p1, p2, p3

	a0, a1, a2, a3 = s[0], rotateRight(s[8], lanes), rotateRight(s[16], 2*lanes), rotateRight(s[24], 3*lanes)
	p0, p1, p2, p3 = p0^a3^key[0], p1^a0^key[8], p2^a1^key[16], p3^a2^key[24]
	a0, a1, a2, a3 = a0^a1, a1^a2, a2^a3, a3^a0
	s[0], s[8], s[16], s[24] = p0^a1, p1^a2, p2^a3, p3^a0
	p0, p1, p2, p3 = a0, a1, a2, a3

	a0, a1, a2, a3 = s[1], rotateRight(s[9], lanes), rotateRight(s[17], 2*lanes), rotateRight(s[25], 3*lanes)
	p0, p1, p2, p3 = p0^a3^key[1]^h0, p1^a0^key[9]^h1, p2^a1^key[17]^h2, p3^a2^key[25]^h3
	a0, a1, a2, a3 = a0^a1, a1^a2, a2^a3, a3^a0
	s[1], s[9], s[17], s[25] = p0^a1, p1^a2, p2^a3, p3^a0
	p0, p1, p2, p3 = a0, a1, a2, a3

	a0, a1, a2, a3 = s[2], rotateRight(s[10], lanes), rotateRight(s[18], 2*lanes), rotateRight(s[26], 3*lanes)
	p0, p1, p2, p3 = p0^a3^key[2], p1^a0^key[10], p2^a1^key[18], p3^a2^key[26]
	a0, a1, a2, a3 = a0^a1, a1^a2, a2^a3, a3^a0
	s[2], s[10], s[18], s[26] = p0^a1, p1^a2, p2^a3, p3^a0
	p0, p1, p2, p3 = a0, a1, a2, a3

	a0, a1, a2, a3 = s[3], rotateRight(s[11], lanes), rotateRight(s[19], 2*lanes), rotateRight(s[27], 3*lanes)
	p0, p1, p2, p3 = p0^a3^key[3]^h0, p1^a0^key[11]^h1, p2^a1^key[19]^h2, p3^a2^key[27]^h3
	a0, a1, a2, a3 = a0^a1, a1^a2, a2^a3, a3^a0
	s[3], s[11], s[19], s[27] = p0^a1, p1^a2, p2^a3, p3^a0
	p0, p1, p2, p3 = a0, a1, a2, a3

	a0, a1, a2, a3 = s[4], rotateRight(s[12], lanes), rotateRight(s[20], 2*lanes), rotateRight(s[28], 3*lanes)
	p0, p1, p2, p3 = p0^a3^key[4]^h0, p1^a0^key[12]^h1, p2^a1^key[20]^h2, p3^a2^key[28]^h3
	a0, a1, a2, a3 = a0^a1, a1^a2, a2^a3, a3^a0
	s[4], s[12], s[20], s[28] = p0^a1, p1^a2, p2^a3, p3^a0
	p0, p1, p2, p3 = a0, a1, a2, a3

	a0, a1, a2, a3 = s[5], rotateRight(s[13], lanes), rotateRight(s[21], 2*lanes), rotateRight(s[29], 3*lanes)
	p0, p1, p2, p3 = p0^a3^key[5], p1^a0^key[13], p2^a1^key[21], p3^a2^key[29]
	a0, a1, a2, a3 = a0^a1, a1^a2, a2^a3, a3^a0
	s[5], s[13], s[21], s[29] = p0^a1, p1^a2, p2^a3, p3^a0
	p0, p1, p2, p3 = a0, a1, a2, a3

	a0, a1, a2, a3 = s[6], rotateRight(s[14], lanes), rotateRight(s[22], 2*lanes), rotateRight(s[30], 3*lanes)
	p0, p1, p2, p3 = p0^a3^key[6], p1^a0^key[14], p2^a1^key[22], p3^a2^key[30]
	a0, a1, a2, a3 = a0^a1, a1^a2, a2^a3, a3^a0
	s[6], s[14], s[22], s[30] = p0^a1, p1^a2, p2^a3, p3^a0
	p0, p1, p2, p3 = a0, a1, a2, a3

	a0, a1, a2, a3 = s[7], rotateRight(s[15], lanes), rotateRight(s[23], 2*lanes), rotateRight(s[31], 3*lanes)
	p0, p1, p2, p3 = p0^a3^key[7], p1^a0^key[15], p2^a1^key[23], p3^a2^key[31]
	a0, a1, a2, a3 = a0^a1, a1^a2, a2^a3, a3^a0
	s[7], s[15], s[23], s[31] = p0^a1, p1^a2, p2^a3, p3^a0
}

// invMixColumns is InvShiftRows, AddRoundKey and InvMixColumns in one. The matrix of InvMixColumns is that of
// MixColumns times one that makes of row r a[r] + 4*(a[r] + a[r+2]). ShiftRows, which mixColumns begins with, is undone
// beforehand.
func (s *state) invMixColumns(key *state) {
	var even, odd [8]word
	for i := range 8 {
		s[i] ^= key[i]
		s[8+i] = rotateRight(s[8+i], -lanes) ^ key[8+i]
		s[16+i] = rotateRight(s[16+i], 2*lanes) ^ key[16+i]
		s[24+i] = rotateRight(s[24+i], lanes) ^ key[24+i]
		even[i], odd[i] = s[i]^s[16+i], s[8+i]^s[24+i]
	}
	quadruple(&even)
	quadruple(&odd)
	for i := range 8 {
		s[i] ^= even[i]
		s[8+i] = rotateRight(s[8+i]^odd[i], -lanes)
		s[16+i] = rotateRight(s[16+i]^even[i], 2*lanes)
		s[24+i] = rotateRight(s[24+i]^odd[i], lanes)
	}
	s.mixColumns(&noKey)
}

var noKey state

// quadruple multiplies by x^2 in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1.
func quadruple(a *[8]word) {
	h := a[6] ^ a[7]
	a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7] = a[6], h, a[0]^a[7], a[1]^a[6], a[2]^h, a[3]^a[7], a[4], a[5]
}
