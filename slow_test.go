package kcrypto_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
)

// Definitions of what Go's own crypto lacks, written from the standards for clarity and not for speed. They work on one
// block and one bit at a time, and share no shortcut with a driver.

func blockOf(key []byte) cipher.Block {
	b, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	return b
}

// element is a member of GCM's field GF(2^128): bit 0 of SP 800-38D is the top bit of hi.
type element struct{ hi, lo uint64 }

func elementOf(b []byte) element {
	return element{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

func (x element) bytes() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, x.hi), x.lo)
}

func (x element) add(y element) element { return element{x.hi ^ y.hi, x.lo ^ y.lo} }

// mul is algorithm 1 of SP 800-38D.
func (x element) mul(y element) (z element) {
	for i := range 128 {
		word := x.hi
		if i >= 64 {
			word = x.lo
		}
		if word>>(63-i%64)&1 == 1 {
			z = z.add(y)
		}
		carry := y.lo & 1
		y = element{y.hi >> 1, y.lo>>1 | y.hi<<63}
		if carry == 1 {
			y.hi ^= 0xe1 << 56
		}
	}
	return z
}

// inverse is x^(2^128-2), Fermat's inverse.
func (x element) inverse() element {
	power, square := element{hi: 1 << 63}, x
	for range 127 {
		square = square.mul(square)
		power = power.mul(square)
	}
	return power
}

// ghash is GHASH over parts, each padded with zeros to whole blocks.
func ghash(h element, parts ...[]byte) element {
	var y element
	for _, part := range parts {
		for len(part) > 0 {
			var block [16]byte
			part = part[copy(block[:], part):]
			y = y.add(elementOf(block[:])).mul(h)
		}
	}
	return y
}

// lengthBlock is GHASH's last block: two lengths in bits.
func lengthBlock(a, c int) []byte {
	b := binary.BigEndian.AppendUint64(nil, 8*uint64(a))
	return binary.BigEndian.AppendUint64(b, 8*uint64(c))
}

func hashKey(b cipher.Block) element {
	var h [16]byte
	b.Encrypt(h[:], h[:])
	return elementOf(h[:])
}

// slowGCM is GCM's authenticated encryption, SP 800-38D section 7.1, for any nonce and tag size.
func slowGCM(key, nonce, text, aad []byte, tagSize int) []byte {
	b := blockOf(key)
	h := hashKey(b)
	j0 := append(append([]byte{}, nonce...), 0, 0, 0, 1)
	if len(nonce) != 12 {
		j0 = ghash(h, nonce, lengthBlock(0, len(nonce))).bytes()
	}
	counter := func(i int) []byte { // inc32 i times, and encrypt
		c := append([]byte{}, j0...)
		binary.BigEndian.PutUint32(c[12:], binary.BigEndian.Uint32(c[12:])+uint32(i))
		b.Encrypt(c, c)
		return c
	}
	out := make([]byte, len(text), len(text)+tagSize)
	for i := 0; 16*i < len(text); i++ {
		subtle.XORBytes(out[16*i:], text[16*i:], counter(i+1))
	}
	tag := ghash(h, aad, out, lengthBlock(len(aad), len(out))).bytes()
	subtle.XORBytes(tag, tag, counter(0))
	return append(out, tag[:tagSize]...)
}

// nonceFor computes the 16-byte nonce from which GCM under key derives the first counter block j0, by inverting H:
// j0 = ((nonce*H) + length)*H.
func nonceFor(key, j0 []byte) []byte {
	inverse := hashKey(blockOf(key)).inverse()
	return elementOf(j0).mul(inverse).add(elementOf(lengthBlock(0, 16))).mul(inverse).bytes()
}

// double multiplies a tweak by x in XTS's field, IEEE 1619 section 5.2: little-endian, unlike GCM's.
func double(t []byte) {
	lo, hi := binary.LittleEndian.Uint64(t), binary.LittleEndian.Uint64(t[8:])
	binary.LittleEndian.PutUint64(t, lo<<1^hi>>63*0x87)
	binary.LittleEndian.PutUint64(t[8:], hi<<1|lo>>63)
}

// slowXTS is XTS-AES, IEEE 1619 sections 5.3 and 5.4, with ciphertext stealing.
func slowXTS(key, iv, in []byte, decrypt bool) []byte {
	crypt := blockOf(key[:len(key)/2]).Encrypt
	if decrypt {
		crypt = blockOf(key[:len(key)/2]).Decrypt
	}
	tweak := make([]byte, 16)
	blockOf(key[len(key)/2:]).Encrypt(tweak, iv)
	one := func(block, tweak []byte) []byte {
		out := make([]byte, 16)
		subtle.XORBytes(out, block, tweak)
		crypt(out, out)
		subtle.XORBytes(out, out, tweak)
		return out
	}
	var out []byte
	whole := len(in) / 16
	if len(in)%16 != 0 {
		whole-- // the last whole block is stolen from
	}
	for i := range whole {
		out = append(out, one(in[16*i:16*i+16], tweak)...)
		double(tweak)
	}
	tail := in[16*whole:]
	if len(tail) == 0 {
		return out
	}
	first, second := append([]byte{}, tweak...), append([]byte{}, tweak...)
	double(second)
	if decrypt {
		first, second = second, first
	}
	stolen := one(tail[:16], first)
	last := append(append([]byte{}, tail[16:]...), stolen[len(tail)-16:]...)
	return append(append(out, one(last, second)...), stolen[:len(tail)-16]...)
}

// slowCTS is CBC-CS3 by the addendum to SP 800-38A, block by block. The ciphertext of the last but one block, cut to
// what the message has of its last block, comes last.
func slowCTS(key, iv, in []byte, decrypt bool) []byte {
	b := blockOf(key)
	last := (len(in) - 1) / 16 // the number of the last block
	end := in[16*last:]
	var out []byte
	chain := iv
	for i := range last + 1 {
		block, x := in[16*i:min(16*i+16, len(in))], make([]byte, 16)
		switch {
		case decrypt && i == last-1: // the last block of CBC, and from it the rest of the one before
			b.Decrypt(x, block)
			before := append(append([]byte{}, end...), x[len(end):]...)
			text := make([]byte, 16)
			subtle.XORBytes(text, x, before)
			b.Decrypt(x, before)
			subtle.XORBytes(x, x, chain)
			return append(append(out, x...), text[:len(end)]...)
		case decrypt:
			b.Decrypt(x, block)
			subtle.XORBytes(x, x, chain)
			chain = block
		default:
			copy(x, block)
			subtle.XORBytes(x, x, chain)
			b.Encrypt(x, x)
			chain = x
		}
		out = append(out, x...)
	}
	if !decrypt && last > 0 {
		tail := out[16*last-16:]
		copy(tail, append(append([]byte{}, tail[16:]...), tail[:16]...))
	}
	return out[:len(in)]
}

// slowXCTR is the keystream of XCTR from block number block on ("Length-preserving encryption with HCTR2", section
// 2.2): AES of the IV XORed with a little-endian counter from 1.
func slowXCTR(key, iv []byte, block uint64, n int) []byte {
	b := blockOf(key)
	var out []byte
	for len(out) < n {
		block++
		in := append([]byte{}, iv...)
		binary.LittleEndian.PutUint64(in, binary.LittleEndian.Uint64(in)^block)
		b.Encrypt(in, in)
		out = append(out, in...)
	}
	return out[:n]
}

// chachaRounds is ChaCha's permutation, RFC 8439 section 2.3.
func chachaRounds(x *[16]uint32, rounds int) {
	quarter := func(a, b, c, d int) {
		x[a] += x[b]
		x[d] = bits.RotateLeft32(x[d]^x[a], 16)
		x[c] += x[d]
		x[b] = bits.RotateLeft32(x[b]^x[c], 12)
		x[a] += x[b]
		x[d] = bits.RotateLeft32(x[d]^x[a], 8)
		x[c] += x[d]
		x[b] = bits.RotateLeft32(x[b]^x[c], 7)
	}
	for range rounds / 2 {
		for i := range 4 {
			quarter(i, 4+i, 8+i, 12+i)
		}
		for i := range 4 {
			quarter(i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
		}
	}
}

func chachaState(key, last16 []byte) (x [16]uint32) {
	for i, b := range [][]byte{[]byte("expand 32-byte k"), key[:16], key[16:], last16} {
		for j := range 4 {
			x[4*i+j] = binary.LittleEndian.Uint32(b[4*j:])
		}
	}
	return x
}

// slowHChaCha derives XChaCha's subkey, draft-irtf-cfrg-xchacha-03 section 2.2.
func slowHChaCha(key, nonce []byte, rounds int) []byte {
	x := chachaState(key, nonce)
	chachaRounds(&x, rounds)
	var out []byte
	for _, i := range []int{0, 1, 2, 3, 12, 13, 14, 15} {
		out = binary.LittleEndian.AppendUint32(out, x[i])
	}
	return out
}

// slowChaCha is n bytes of ChaCha keystream; last16 is the counter and nonce of its first block.
func slowChaCha(key, last16 []byte, n, rounds int) []byte {
	first := chachaState(key, last16)
	var out []byte
	for len(out) < n {
		x := first
		chachaRounds(&x, rounds)
		for i := range x {
			out = binary.LittleEndian.AppendUint32(out, x[i]+first[i])
		}
		if first[12]++; first[12] == 0 {
			first[13]++ // XChaCha's position has 64 bits; ChaCha20 never comes here
		}
	}
	return out[:n]
}
