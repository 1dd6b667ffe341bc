//go:build !purego

package chacha

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"kcrypto/registry"
)

const sumLanes = 8 // sums side by side

// sums are Poly1305 of up to eight messages, a lane each; _asm/poly1305/ifma.go has what a limb is.
type sums struct {
	h [3][sumLanes]uint64
	r [5][sumLanes]uint64 // three limbs, and 20 times the upper two
	//lint:ignore U1000 only the assembly uses it
	rr [5][sumLanes]uint64 // the square of r
}

// squareEight makes s.rr of s.r.
//
//go:noescape
func squareEight(s *sums)

// addEight adds pairs of blocks, at least one, from each address in text on.
//
//go:noescape
func addEight(s *sums, text *[sumLanes]*byte, pairs int)

// eight is the sums of up to eight messages. A message is additional data of up to a block, text, and the block of
// their lengths. What the next message does not hide is taken in pairs of blocks, the last of which, of the end of
// the text and the lengths, is put together in tail.
type eight struct {
	sums
	kept            [3][sumLanes]uint64 // h while some lanes only are added to
	opening, failed bool
	used            int
	waiting         bool   // the next lane has begun, with sum to come
	sum             []byte // what is left of its text
	packet          [sumLanes]*registry.Packet
	m               [sumLanes]poly1305
	text            [sumLanes]*byte // the pairs of text
	pairs           [sumLanes]int
	tail            [sumLanes][2 * polySize]byte
	key             [BlockSize]byte
}

// limbs are the number of three words, below 2^131.
func limbs(x0, x1, x2 uint64) (l0, l1, l2 uint64) {
	const mask = 1<<44 - 1
	return x0 & mask, (x0>>44 | x1<<20) & mask, x1>>24 | x2<<40
}

// begin starts the sum of the next lane with the key that e.key begins with.
func (e *eight) begin(p *registry.Packet, sum []byte) {
	l := e.used % sumLanes
	e.packet[l], e.sum, e.waiting = p, sum, true
	e.m[l].init(e.key[:32])
}

// front takes from the sum that waits what is to be added in general registers: most blocks, or one less, so that an
// even number of blocks is left, the lengths included. Additional data it adds itself.
func (e *eight) front(most int) (m *poly1305, text []byte) {
	l := e.used % sumLanes
	m = &e.m[l]
	if aad := e.packet[l].AAD; len(aad) > 0 {
		var block [polySize]byte
		low, high := words(aad)
		binary.LittleEndian.PutUint64(block[:], low)
		binary.LittleEndian.PutUint64(block[8:], high)
		m.blocks(block[:])
	}
	blocks := (len(e.sum) + polySize - 1) / polySize
	n := min(most, blocks-1)
	if (n+blocks)%2 == 0 {
		n--
	}
	text, e.sum = e.sum[:n*polySize], e.sum[n*polySize:]
	return m, text
}

// words are p, up to 16 bytes, with zeros behind it. Copies of odd sizes are slow to read as words.
func words(p []byte) (low, high uint64) {
	switch n := len(p); {
	case n == polySize:
		return binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
	case n >= 8:
		return binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[n-8:]) >> (8 * (polySize - n))
	default:
		for i, x := range p {
			low |= uint64(x) << (8 * i)
		}
		return low, 0
	}
}

// lay lays out what the next lane's sum goes over.
func (e *eight) lay() {
	l := e.used % sumLanes
	p, m, tail := e.packet[l], &e.m[l], &e.tail[l]
	e.h[0][l], e.h[1][l], e.h[2][l] = limbs(m.h[0], m.h[1], m.h[2])
	r0, r1, r2 := limbs(m.r[0], m.r[1], 0)
	e.r[0][l], e.r[1][l], e.r[2][l], e.r[3][l], e.r[4][l] = r0, r1, r2, 20*r1, 20*r2
	binary.LittleEndian.PutUint64(tail[polySize:], uint64(len(p.AAD)))
	binary.LittleEndian.PutUint64(tail[polySize+8:], uint64(e.textSize(p)))
	n := (len(e.sum) - 1) / (2 * polySize)
	e.pairs[l], e.text[l] = n, unsafe.SliceData(e.sum)
	low, high := words(e.sum[n*2*polySize:])
	binary.LittleEndian.PutUint64(tail[:], low)
	binary.LittleEndian.PutUint64(tail[8:], high)
	e.waiting = false
	if e.used++; e.used == sumLanes {
		e.finish()
	}
}

// textSize is how long a packet's text is.
func (e *eight) textSize(p *registry.Packet) int {
	if e.opening {
		return len(p.Src) - tagSize
	}
	return len(p.Src)
}

// finish computes the sums and writes the tags, and makes the lanes free.
func (e *eight) finish() {
	if e.used == 0 {
		return
	}
	squareEight(&e.sums)
	e.addText()
	var at [sumLanes]*byte
	for l := range e.used {
		at[l] = &e.tail[l][0]
	}
	e.add(&at, 1, 1<<e.used-1)
	for l := range e.used {
		e.result(l)
	}
	e.used = 0
}

// addText adds the pairs of text, of which each lane has its own number.
func (e *eight) addText() {
	for {
		var lanes uint
		least := 0
		for l := range e.used {
			if n := e.pairs[l]; n > 0 {
				lanes |= 1 << l
				if least == 0 || n < least {
					least = n
				}
			}
		}
		if lanes == 0 {
			return
		}
		e.add(&e.text, least, lanes)
		for l := range e.used {
			if e.pairs[l] > 0 {
				e.pairs[l] -= least
				e.text[l] = (*byte)(unsafe.Add(unsafe.Pointer(e.text[l]), least*2*polySize))
			}
		}
	}
}

// add adds pairs of blocks from at on to the sums of some lanes, and nothing to the others.
func (e *eight) add(at *[sumLanes]*byte, pairs int, lanes uint) {
	from := *at
	some := from[bits.TrailingZeros(lanes)]
	for l := range from {
		if lanes>>l&1 == 0 {
			from[l] = some // may be read
		}
	}
	if lanes == 1<<e.used-1 {
		e.addAll(&from, pairs)
		return
	}
	e.kept = e.h
	e.addAll(&from, pairs)
	for l := range e.used {
		if lanes>>l&1 == 0 {
			for i := range e.h {
				e.h[i][l] = e.kept[i][l]
			}
		}
	}
}

// addAll calls the assembly, in a function of its own as core.call does.
//
//go:noinline
func (e *eight) addAll(at *[sumLanes]*byte, pairs int) {
	addEight(&e.sums, at, pairs)
}

// result makes the tag of a lane. With l0 + l1*2^44 + l2*2^88, what of l2 lies above 2^130 comes back as 5 times that.
func (e *eight) result(l int) {
	m, l0, l1, l2 := &e.m[l], e.h[0][l], e.h[1][l], e.h[2][l]
	l0 += 5 * (l2 >> 42)
	l2 &= 1<<42 - 1
	var c uint64
	m.h[0], c = bits.Add64(l0, l1<<44, 0)
	m.h[1], c = bits.Add64(l1>>20, l2<<24, c)
	m.h[2] = l2>>40 + c
	low, high := m.words()
	e.deliver(l, low, high)
}

// forget clears what could tell a key.
func (e *eight) forget() {
	e.sums, e.kept = sums{}, [3][sumLanes]uint64{}
	e.m, e.key = [sumLanes]poly1305{}, [BlockSize]byte{}
}
