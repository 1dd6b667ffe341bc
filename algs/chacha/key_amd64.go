//go:build !purego

package chacha

import "unsafe"

// Every call of assembly is made in a function of its own that may grow the stack: that is where a goroutine can be
// stopped, since neither assembly nor a loop around it is.

// mac is what a call does for Poly1305 beside the text. With a key, it leaves the first block of the keystream there,
// or the half that Poly1305 takes, and begins the text with the second. With m, it adds n bytes of text, whole
// blocks, to a sum. Afterwards it holds what is left to do, which is nothing without a lag.
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

// xor XORs src, at least one byte, with the keystream from a block on under iv, 16 bytes, which may lie in dst. The
// counter is as with xorGeneric.
func (c *core) xor(dst, src, iv []byte, block uint64) {
	if c.scalar && len(src) <= BlockSize {
		c.xorBlock(dst, src, unsafe.SliceData(iv), block)
	} else {
		c.call(dst, src, unsafe.SliceData(iv), block, nil)
	}
}

//go:noinline
func (c *core) xorBlock(dst, src []byte, iv *byte, block uint64) {
	xorBlock(c, unsafe.SliceData(dst), unsafe.SliceData(src), len(src), iv, block)
}

// call is xor, and does what mc says. If there is no text, mc must say something.
//
// mc is not copied: words that were just stored, read by pairs, would have to wait.
//
//go:noinline
func (c *core) call(dst, src []byte, iv *byte, block uint64, mc *mac) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch c.impl {
	case avx512, avx512IFMA:
		xorAVX512(c, d, s, n, iv, block, mc)
	case avx2:
		xorAVX2(c, d, s, n, iv, block, mc)
	case ssse3:
		xorSSSE3(c, d, s, n, iv, block, mc)
	default: // a stream's: the portable AEADs call no assembly
		c.xorPortable(dst, src, unsafe.Slice(iv, 16), block)
	}
}

// ending is how a sum ends: with the lengths, and in a tag. Without a tag it goes on.
type ending struct {
	tag             *byte
	aadLen, textLen int
}

// add adds additional data and text to m, each with zeros up to the next multiple of 16 bytes, and ends the sum as e
// says.
//
//go:noinline
func (c *core) add(m *poly1305, aad, text []byte, e ending) {
	if c.impl == ssse3 {
		c.addPadded(m, aad)
		if e.tag == nil {
			c.addPadded(m, text)
		} else {
			tag := (*[tagSize]byte)(unsafe.Pointer(e.tag))
			macRest(tag, m, unsafe.SliceData(text), len(text), e.aadLen, e.textLen)
		}
		return
	}
	if len(text) == 0 {
		aad, text = nil, aad // which is the same to the sum
	}
	a, t := unsafe.SliceData(aad), unsafe.SliceData(text)
	if c.impl == avx512IFMA && len(text) >= worthIt {
		sumIFMA(m, a, len(aad), t, len(text), e.tag, e.aadLen, e.textLen)
	} else {
		sumAVX2(m, a, len(aad), t, len(text), e.tag, e.aadLen, e.textLen)
	}
}

// addPadded adds p, with zeros up to the next multiple of 16 bytes, in general registers.
func (c *core) addPadded(m *poly1305, p []byte) {
	if n := len(p) &^ (polySize - 1); n > 0 {
		var none [16]byte
		mc := beside(m, p[:n], noLag)
		c.call(nil, nil, &none[0], 0, &mc)
		p = p[n:]
	}
	if len(p) > 0 {
		m.padded(p)
	}
}
