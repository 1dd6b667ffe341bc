//go:build !purego

package chacha

import "unsafe"

const (
	widest  = 23 * BlockSize // text that xorAVX512 does with the key block in one pass
	behind  = 16 * BlockSize // bytes of text by which a sum follows the text
	worthIt = 320            // bytes from which on a sum in vector registers takes less time
)

// Blocks of Poly1305 that hide in general registers beside passes of xorAVX512 with 16 and with 24 blocks of text;
// _asm/chacha/masked.go.
const (
	hidden16 = 38
	hidden24 = 58
)

// hides is how many bytes of a sum hide beside n bytes of text, more than none. A text that fits in eight blocks hides
// nothing.
func (c *core) hides(n int) int {
	const last = 24 * BlockSize // bytes that a pass has at most
	pass, each := last, hidden24
	if c.sixteens {
		pass, each = 16*BlockSize, hidden16
	}
	before := (max(n, last) - last + pass - 1) / pass // passes before the last
	blocks := before * each
	switch rest := n - before*pass; {
	case rest > 16*BlockSize:
		blocks += hidden24
	case rest > 8*BlockSize:
		blocks += hidden16
	}
	return blocks * polySize
}

// ending is how a sum ends: with the lengths, and in a tag. Without a tag it goes on.
type ending struct {
	tag             *byte
	aadLen, textLen int
}

// addIFMA adds additional data and text to m, each with zeros up to the next multiple of 16 bytes. text is not empty.
//
//go:noinline
func addIFMA(m *poly1305, aad, text []byte, e ending) {
	sumIFMA(m, unsafe.SliceData(aad), len(aad), unsafe.SliceData(text), len(text), e.tag, e.aadLen, e.textLen)
}

// ifmaChunk is how much text a call gets at a time: so much that there is more than hides, and what stays behind.
func (c *core) ifmaChunk() int { return max(c.chunk, 2*behind) }

// beginIFMA does the first pass of a text of n bytes, and of the additional data what is too much for the calls that follow.
// It returns the rest of that, which is some if there is no text.
func (c *core) beginIFMA(m *poly1305, iv *[16]byte, dst, src, aad []byte, n int) []byte {
	c.keyed(m, dst, src, iv)
	for len(aad) > worthIt {
		part := min(len(aad), c.ifmaChunk())
		if part == len(aad) && n == 0 {
			break
		}
		addIFMA(m, nil, aad[:part], ending{})
		aad = aad[part:]
	}
	return aad
}

// followIFMA does a text and computes its tag from sum, which is out or in as lag says. Of each chunk as much of the sum
// as hides goes beside the text, in general registers, and the rest after it, in vector registers: that takes less time
// than both in vector registers at a time.
func (c *core) followIFMA(tag *[tagSize]byte, out []byte, iv *[16]byte, in, sum, aad []byte, lag int) {
	var m poly1305
	n := len(in)
	e := ending{&tag[0], len(aad), n}
	head := n
	if n > widest {
		head = behind
	}
	aad = c.beginIFMA(&m, iv, out[:head], in[:head], aad, n)
	if n == 0 {
		sum, aad = aad, nil
	}
	if head < n {
		c.addPadded(&m, aad)
		aad = nil
	}
	done := 0 // of the sum
	for todo := head; todo < n; {
		end := min(todo+c.ifmaChunk(), n)
		hidden := sum[done : done+c.hides(end-todo)]
		mc := beside(&m, hidden, lag)
		c.call(out[todo:end], in[todo:end], iv, 1+todo/BlockSize, &mc)
		todo, done = end, done+len(hidden)-mc.n
		if end < n {
			addIFMA(&m, nil, sum[done:end-behind], ending{})
			done = end - behind
		}
	}
	addIFMA(&m, aad, sum[done:], e)
	m = poly1305{}
}

// openIFMAInPlace decrypts a text that is more than a first pass takes, and computes its tag. The key is made first, and of
// each chunk what does not hide is added before.
func (c *core) openIFMAInPlace(tag *[tagSize]byte, text []byte, iv *[16]byte, aad []byte) {
	var m poly1305
	var rest [polySize]byte
	n, aadLen := len(text), len(aad)
	copy(rest[:], text[n&^15:])
	c.addPadded(&m, c.beginIFMA(&m, iv, nil, nil, aad, n))
	for at := 0; at < n; {
		end := min(at+c.ifmaChunk(), n)
		to := end &^ 15
		from := max(to-c.hides(end-at), at)
		if from > at {
			addIFMA(&m, nil, text[at:from], ending{})
		}
		mc := beside(&m, text[from:to], noLag)
		c.call(text[at:end], text[at:end], iv, 1+at/BlockSize, &mc)
		at = end
	}
	c.finish(tag, &m, rest[:n%16], aadLen, n)
}
