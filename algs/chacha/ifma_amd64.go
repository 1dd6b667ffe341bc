//go:build !purego

package chacha

import "unsafe"

const (
	bulkSize = 1024           // bytes of a pass of bulkIFMA
	lastSize = 128            // bytes that it leaves for the end, and at least one more
	widest   = 23 * BlockSize // text that xorAVX512 does with the key block in one pass
	worthIt  = 320            // bytes from which on a sum in vector registers takes less time
)

// ending is how a sum ends: with the lengths, and in a tag. Without a tag it goes on.
type ending struct {
	tag             *byte
	aadLen, textLen int
}

// bulk is bulkIFMA without the addresses.
//
//go:noinline
func bulk(st *state, dst, src []byte, m *poly1305, aad, text []byte, e ending) {
	bulkIFMA(st, unsafe.SliceData(dst), unsafe.SliceData(src), len(src), m, unsafe.SliceData(aad), len(aad),
		unsafe.SliceData(text), len(text), e.tag, e.aadLen, e.textLen)
}

// addIFMA adds text to m, with zeros up to the next multiple of 16 bytes.
func addIFMA(m *poly1305, aad, text []byte, e ending) {
	var none state // as in addPadded
	bulk(&none, nil, nil, m, aad, text, e)
}

// ifmaChunk is how much text bulk gets at a time.
func (c *core) ifmaChunk() int { return max(c.chunk&^(bulkSize-1), 2*bulkSize) }

// beginIFMA does the first pass, and of the additional data what text does not hide. It returns the rest of that.
func (c *core) beginIFMA(st *state, m *poly1305, iv *[16]byte, dst, src, aad []byte) []byte {
	var key [BlockSize]byte
	c.input(st, iv[:])
	c.run(st, dst, src, &key, mac{})
	m.init(key[:32])
	clear(key[:])
	for chunk := c.ifmaChunk(); len(aad) > worthIt; {
		n := min(len(aad), chunk)
		if n == len(aad) && len(src) == 0 {
			break
		}
		addIFMA(m, nil, aad[:n], ending{})
		aad = aad[n:]
	}
	return aad
}

// followIFMA does a text and computes its tag from sum, which is out, or in if that is not overwritten. Of each chunk the
// beginning is done first and what is no multiple of a pass next, so that bulk can add all of the chunk to the sum: in
// each pass what the one before it has written.
func (c *core) followIFMA(tag []byte, out []byte, iv *[16]byte, in, sum, aad []byte) {
	var st state
	var m poly1305
	var e ending
	aadLen := len(aad)
	for at, n := 0, len(in); at < n || at == 0; {
		end := min(at+c.ifmaChunk(), n)
		head := min(at+bulkSize, end)
		if at == 0 {
			if n <= widest {
				head = n
			}
			aad = c.beginIFMA(&st, &m, iv, out[:head], in[:head], aad)
		} else {
			c.run(&st, out[at:head], in[at:head], nil, mac{})
		}
		if end == n {
			e = ending{unsafe.SliceData(tag), aadLen, n}
		}
		tail := head + (end-head)&^(bulkSize-1)
		rest := st
		rest[12] += uint32((tail - head) / BlockSize)
		if tail < end {
			c.run(&rest, out[tail:end], in[tail:end], nil, mac{})
		}
		if n == 0 {
			sum, aad = aad, nil
			end = len(sum)
		}
		bulk(&st, out[head:tail], in[head:tail], &m, aad, sum[at:end], e)
		st, aad = rest, nil
		if at = end; n == 0 {
			break
		}
	}
	st, m = state{}, poly1305{}
}

// openIFMAInPlace decrypts text and computes its tag. head has the beginning of the ciphertext.
func (c *core) openIFMAInPlace(tag []byte, text []byte, iv *[16]byte, aad, head []byte) {
	var st state
	var m poly1305
	at, n := len(head), len(text)
	e := ending{unsafe.SliceData(tag), len(aad), n}
	aad = c.beginIFMA(&st, &m, iv, text[:at], text[:at], aad)
	switch {
	case n == 0:
		addIFMA(&m, nil, aad, e)
	case at == n:
		addIFMA(&m, aad, head, e)
	default:
		addIFMA(&m, aad, head, ending{})
	}
	for at < n {
		end := min(at+c.ifmaChunk(), n)
		tail := at + max(end-at-lastSize-1, 0)&^(bulkSize-1)
		var last ending
		if end == n {
			last = e
		}
		bulk(&st, text[at:tail], text[at:tail], &m, nil, text[at:end], last)
		c.run(&st, text[tail:end], text[tail:end], nil, mac{})
		at = end
	}
	st, m = state{}, poly1305{}
}
