//go:build !purego

package chacha

import "unsafe"

//go:generate go -C ../../_asm run ./chacha

// mac is what a call does for Poly1305 beside the text. With a key, it leaves the first block of the keystream there, or the
// half that Poly1305 takes, and begins the text with the second. With m, it adds n bytes of text, whole blocks, to a sum.
// Afterwards it holds what is left to do, which is nothing without a lag.
type mac struct {
	key  *[BlockSize]byte
	m    *poly1305
	text *byte
	n    int
	lag  int
}

func beside(m *poly1305, text []byte, lag int) mac {
	return mac{nil, m, unsafe.SliceData(text), len(text), lag}
}

// Values of lag say how text lies to what a call reads and writes.
const (
	noLag  = iota // it is what is read, and may be overwritten; or nothing is read
	lagDst        // it begins at or before what is written, and ends at or before the end of that
	lagSrc        // it begins at or before what is read, and is not overwritten
)

// call XORs src with the keystream from a block on under iv, and does what mc says.
//
// mc is not copied: words that were just stored, read by pairs, would have to wait.
//
// Every call of assembly is made in a function of its own that may grow the stack: that is where a goroutine can be
// stopped, since neither assembly nor a loop around it is.
//
//go:noinline
func (c *core) call(dst, src []byte, iv *[16]byte, block int, mc *mac) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch c.impl {
	case ssse3:
		xorSSSE3(c, d, s, n, &iv[0], uint64(block), mc)
	case avx2:
		xorAVX2(c, d, s, n, &iv[0], uint64(block), mc)
	case avx512, avx512IFMA:
		xorAVX512(c, d, s, n, &iv[0], uint64(block), mc)
	}
}

// The functions below XOR n bytes of src with the keystream that c's key makes of iv, 16 bytes, from a block on, into dst, and
// do what mc says. iv may lie in dst. The counter is one of 32 bits: it must not run over before the last block. mc may be
// nil, but if n is 0 it must not.

//go:noescape
func xorSSSE3(c *core, dst, src *byte, n int, iv *byte, block uint64, mc *mac)

//go:noescape
func xorAVX2(c *core, dst, src *byte, n int, iv *byte, block uint64, mc *mac)

//go:noescape
func xorAVX512(c *core, dst, src *byte, n int, iv *byte, block uint64, mc *mac)

// macShort is all of Poly1305 for a short message under the one-time key that key begins with.
//
//go:noescape
func macShort(tag *[tagSize]byte, key *[BlockSize]byte, aad *byte, aadLen int, text *byte, textLen int)

// macRest ends a sum: it adds n bytes of text, with zeros up to a whole block, and the two lengths, and writes the tag.
//
//go:noescape
func macRest(tag *[tagSize]byte, m *poly1305, text *byte, n, aadLen, textLen int)

// sumAVX2 adds to m aadN and then textN bytes, each with zeros up to a whole block. With a tag, the two lengths are added, and
// the tag of the sum is what comes out; m stays as it was.
//
//go:noescape
func sumAVX2(m *poly1305, aad *byte, aadN int, text *byte, textN int, tag *byte, aadLen, textLen int)

// sumIFMA adds to m first aadN and then textN bytes, at least one, each with zeros up to a whole block. With a tag, the two
// lengths are added, and the tag of the sum is what comes out; m stays as it was.
//
//go:noescape
func sumIFMA(m *poly1305, aad *byte, aadN int, text *byte, textN int, tag *byte, aadLen, textLen int)
