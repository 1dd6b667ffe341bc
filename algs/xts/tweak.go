package xts

import "encoding/binary"

// A tweak is an element of GF(2^128): the coefficient of x^i is bit i of hi:lo.
type tweak struct{ lo, hi uint64 }

func load(b []byte) tweak {
	return tweak{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

func (t tweak) put(b []byte) {
	binary.LittleEndian.PutUint64(b, t.lo)
	binary.LittleEndian.PutUint64(b[8:], t.hi)
}

// next returns t times x modulo x^128 + x^7 + x^2 + x + 1: the tweak of the next block.
func (t tweak) next() tweak {
	return tweak{t.lo<<1 ^ 0x87&-(t.hi>>63), t.hi<<1 | t.lo>>63}
}
