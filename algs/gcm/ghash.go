package gcm

import (
	"encoding/binary"
	"math/bits"
)

// GHASH is a polynomial in H = AES(0) over GF(2^128): X1·H^n + X2·H^(n-1) + ... + Xn·H. What follows multiplies
// without tables and without branches, so its time depends on the length of the data alone (given a multiplier that
// takes the same time for all operands, which every processor with a 64-bit one has).
//
// Multiplying without carries. Keep every fourth bit of two integers and clear the three bits between, the holes.
// Every fourth bit of the integer product then begins a count of the pairs of ones that meet there. The lowest bit of a
// count is the sum without carry; the others stay in the holes as long as the count is below 16. A 64-bit word has 16
// such bits, so 16 pairs can meet in one place, one too many: therefore the factor, which is a power of H and known
// beforehand, gives up its lowest four bits. Those need no holes: a piece of a word, which has one bit in four, times a
// number below 16 is a sum of copies that do not touch.
//
// Pieces. A word is a + b·t + c·t² + d·t³, where a, b, c and d are polynomials in t⁴: every fourth bit from bit 0,
// from bit 1, 2 and 3 on. A product of two words is therefore a product of polynomials in t of degree 3, and
// Karatsuba's rule (u + v·t)(U + V·t) = uU + [(u+v)(U+V) - uU - vV]·t + vV·t², used on pairs of pieces and then on
// pieces, makes it of 9 products of pieces or sums of pieces. The same rule once more makes a product of 128 bits of 3
// products of words.
//
// Adding up. All of this but the integer products is linear. So the products of up to 8 blocks with H^8 to H are added
// up as they come out of the multiplier, and put together and reduced once.
//
// Order of bits. GCM's coefficient of x^i is bit 127-i of a block read as a big-endian integer. The product of two
// such integers has the coefficient of x^i at bit 254-i; with a factor of H/x in place of H it comes to stand at bit
// 255-i, so that the high half is the low coefficients, in the order of an element.

// An element of GF(2^128): the coefficient of x^i is bit 127-i of hi:lo.
type element struct{ hi, lo uint64 }

// load reads a block.
func load(b []byte) element {
	return element{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// next takes a block off data, padded with zeros if there is less.
func next(data []byte) (element, []byte) {
	if len(data) >= blockSize {
		return load(data), data[blockSize:]
	}
	var last [blockSize]byte
	copy(last[:], data)
	return load(last[:]), nil
}

func (x element) bytes() (b [blockSize]byte) {
	binary.BigEndian.PutUint64(b[:], x.hi)
	binary.BigEndian.PutUint64(b[8:], x.lo)
	return b
}

func (x element) add(y element) element { return element{x.hi ^ y.hi, x.lo ^ y.lo} }

// divideByX shifts the coefficients down by one. The constant one, which falls out, comes back as
// 1/x = x^127 + x^6 + x + 1.
func (x element) divideByX() element {
	one := -(x.hi >> 63)
	return element{x.hi<<1 | x.lo>>63 ^ 0xc2<<56&one, x.lo<<1 ^ 1&one}
}

// group is the number of blocks that are added up before one reduction.
const group = 8

// powers has the factors for H to H^group.
type powers [group]factor

// A factor is an element divided by x, ready for multiplication: its high word, its low word and their sum.
type factor [3]wordFactor

type wordFactor struct {
	pieces [9]uint64 // of the word without its lowest four bits: a, b, a+b, c, d, c+d, a+c, b+d, a+b+c+d
	low    uint64    // the lowest four bits
}

// A sum is one of products with factors: high words, low words, sums of the two.
type sum [3]wordSum

type wordSum struct {
	hi, lo [9]uint64 // integer products of pieces: the right bits with filled holes between
	low    [4]uint64 // products of a, b, c and d with the lowest four bits of the factor
}

// every4th is what stays between the holes.
const every4th = 0x1111111111111111

// set makes the factors for h to h^group.
func (p *powers) set(h element) {
	power := h
	for i := range p {
		p[i].set(power)
		power = p[0].times(power)
	}
}

// hash takes GHASH from y over data, whose last block is padded with zeros.
func (p *powers) hash(y element, data []byte) element {
	for len(data) > 0 {
		var s sum
		for i := min((len(data)+blockSize-1)/blockSize, group) - 1; i >= 0; i-- {
			var x element
			x, data = next(data)
			s.add(&p[i], x.add(y))
			y = element{}
		}
		y = s.reduce()
	}
	return y
}

func (f *factor) set(x element) {
	x = x.divideByX()
	for i, w := range [3]uint64{x.hi, x.lo, x.hi ^ x.lo} {
		a, b, c, d := split(w &^ 15)
		f[i] = wordFactor{[9]uint64{a, b, a ^ b, c, d, c ^ d, a ^ c, b ^ d, a ^ b ^ c ^ d}, w & 15}
	}
}

// times returns the product of x and f's element.
func (f *factor) times(x element) element {
	var s sum
	s.add(f, x)
	return s.reduce()
}

// split takes a word apart.
func split(w uint64) (a, b, c, d uint64) {
	return w & every4th, w >> 1 & every4th, w >> 2 & every4th, w >> 3 & every4th
}

// add adds the product of f and x.
func (s *sum) add(f *factor, x element) {
	s[0].add(&f[0], x.hi)
	s[1].add(&f[1], x.lo)
	s[2].add(&f[2], x.hi^x.lo)
}

func (s *wordSum) add(f *wordFactor, w uint64) {
	multiply := func(i int, piece uint64) {
		hi, lo := bits.Mul64(piece, f.pieces[i])
		s.hi[i] ^= hi
		s.lo[i] ^= lo
	}
	a, b, c, d := split(w)
	s.low[0] ^= a * f.low
	s.low[1] ^= b * f.low
	s.low[2] ^= c * f.low
	s.low[3] ^= d * f.low
	multiply(0, a)
	multiply(1, b)
	multiply(2, a^b)
	multiply(3, c)
	multiply(4, d)
	multiply(5, c^d)
	multiply(6, a^c)
	multiply(7, b^d)
	multiply(8, a^b^c^d)
}

// reduce puts the products together to 255 bits, z3 to z0 from the top, and takes them modulo
// x^128 + x^7 + x^2 + x + 1.
func (s *sum) reduce() element {
	z3, z2 := s[0].join()
	z1, z0 := s[1].join()
	hi, lo := s[2].join()
	hi, lo = hi^z3^z1, lo^z2^z0
	z2 ^= hi
	z1 ^= lo

	// x^128 = 1 + x + x^2 + x^7, and a shift to the right multiplies by x: z0 goes two words up, then z1.
	z2 ^= z0 ^ z0>>1 ^ z0>>2 ^ z0>>7
	z1 ^= z0<<63 ^ z0<<62 ^ z0<<57
	z3 ^= z1 ^ z1>>1 ^ z1>>2 ^ z1>>7
	z2 ^= z1<<63 ^ z1<<62 ^ z1<<57
	return element{z3, z2}
}

// join puts the products of pieces together to a product of words.
func (s *wordSum) join() (hi, lo uint64) {
	h0, h1, h2, h3, h4, h5, h6 := karatsuba(&s.hi)
	l0, l1, l2, l3, l4, l5, l6 := karatsuba(&s.lo)
	hi = (h0^h4<<4^l4>>60)&every4th | (h1^h5<<4^l5>>60)&every4th<<1 | (h2^h6<<4^l6>>60)&every4th<<2 | h3&every4th<<3
	lo = (l0^l4<<4)&every4th | (l1^l5<<4)&every4th<<1 | (l2^l6<<4)&every4th<<2 | l3&every4th<<3
	hi ^= s.low[1]>>63 ^ s.low[2]>>62 ^ s.low[3]>>61
	lo ^= s.low[0] ^ s.low[1]<<1 ^ s.low[2]<<2 ^ s.low[3]<<3
	return hi, lo
}

// karatsuba returns the coefficients of 1, t, ... t^6 in the product of two words (of its low or its high half).
func karatsuba(p *[9]uint64) (c0, c1, c2, c3, c4, c5, c6 uint64) {
	ab1 := p[2] ^ p[0] ^ p[1] // (a + bt)(A + Bt) = p0 + ab1·t + p1·t²
	cd1 := p[5] ^ p[3] ^ p[4] // (c + dt)(C + Dt) = p3 + cd1·t + p4·t²
	mid0 := p[6] ^ p[0] ^ p[3]
	mid1 := p[8] ^ p[6] ^ p[7] ^ ab1 ^ cd1
	mid2 := p[7] ^ p[1] ^ p[4]
	return p[0], ab1, p[1] ^ mid0, mid1, p[3] ^ mid2, cd1, p[4]
}
