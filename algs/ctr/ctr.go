// Package ctr has the counter modes of AES: ctr(aes) of NIST SP 800-38A, whose counter is the IV as a 128-bit
// big-endian number that wraps; xctr(aes) of the HCTR2 paper (Crowley, Huckleberry and Biggers, 2021), which XORs a
// little-endian counter from 1 into the IV; and the template rfc3686, ctr as IPsec ESP uses it.
package ctr

import (
	"encoding/binary"
	"math/bits"
)

const blockSize = 16 // bytes

// number is the counter of ctr(aes): 128 bits in two halves.
type number struct{ hi, lo uint64 }

func parse(b []byte) number {
	return number{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// plus returns n + blocks modulo 2^128.
func (n number) plus(blocks uint64) number {
	lo, carry := bits.Add64(n.lo, blocks, 0)
	return number{n.hi + carry, lo}
}

func (n number) put(b []byte) {
	binary.BigEndian.PutUint64(b, n.hi)
	binary.BigEndian.PutUint64(b[8:], n.lo)
}
