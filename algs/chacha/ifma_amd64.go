//go:build !purego

package chacha

import "unsafe"

const (
	bulkSize = 1024           // bytes of a pass of bulkIFMA
	lastSize = 128            // bytes that its sum ends with
	widest   = 23 * BlockSize // text that xorAVX512 does with the key block in one pass
	worthIt  = 448            // bytes from which on a sum in vector registers takes less time
)

// bulk is bulkIFMA without the addresses. It returns what is left of text behind a multiple of lastSize.
//
//go:noinline
func bulk(st *state, dst, src []byte, m *poly1305, text []byte) []byte {
	n := len(text) &^ (lastSize - 1)
	bulkIFMA(st, unsafe.SliceData(dst), unsafe.SliceData(src), len(src), m, unsafe.SliceData(text), n)
	return text[n:]
}

// ifmaChunk is how much text bulk gets at a time.
func (c *core) ifmaChunk() int { return max(c.chunk&^(bulkSize-1), 2*bulkSize) }

// addIFMA adds p to m, with zeros up to the next multiple of 16 bytes.
func (c *core) addIFMA(m *poly1305, p []byte) {
	var none state // as in addPadded
	for len(p) >= worthIt {
		n := min(len(p), c.ifmaChunk())
		left := bulk(&none, nil, nil, m, p[:n])
		p = p[n-len(left):]
	}
	c.addPadded(m, p)
}

// beginIFMA does the first pass, on n bytes, and the additional data.
func (c *core) beginIFMA(st *state, m *poly1305, iv *[16]byte, dst, src, aad []byte) {
	var key [BlockSize]byte
	c.input(st, iv[:])
	c.run(st, dst, src, &key, mac{})
	m.init(key[:32])
	clear(key[:])
	c.addIFMA(m, aad)
}

// followIFMA does a text and computes its tag from sum, which is out, or in if that is not overwritten. Of each chunk the
// beginning is done first and what is no multiple of a pass next, so that bulk can add all of the chunk to the sum: in
// each pass what the one before it has written.
func (c *core) followIFMA(tag []byte, out []byte, iv *[16]byte, in, sum, aad []byte) {
	var st state
	var m poly1305
	for at, n := 0, len(in); ; {
		end := min(at+c.ifmaChunk(), n)
		head := min(at+bulkSize, end)
		if at == 0 {
			if n <= widest {
				head = n
			}
			c.beginIFMA(&st, &m, iv, out[:head], in[:head], aad)
		} else {
			c.run(&st, out[at:head], in[at:head], nil, mac{})
		}
		left := sum[at:end]
		if tail := head + (end-head)&^(bulkSize-1); tail > head {
			rest := st
			rest[12] += uint32((tail - head) / BlockSize)
			c.run(&rest, out[tail:end], in[tail:end], nil, mac{})
			left = bulk(&st, out[head:tail], in[head:tail], &m, left)
			st = rest
		} else if tail < end {
			c.run(&st, out[tail:end], in[tail:end], nil, mac{})
		}
		c.addIFMA(&m, left)
		if at = end; at == n {
			break
		}
	}
	finish(tag, &st, &m, len(aad), len(in))
}

// openIFMAInPlace decrypts text and computes its tag. head has the beginning of the ciphertext.
func (c *core) openIFMAInPlace(tag []byte, text []byte, iv *[16]byte, aad, head []byte) {
	var st state
	var m poly1305
	at, n := len(head), len(text)
	c.beginIFMA(&st, &m, iv, text[:at], text[:at], aad)
	c.addIFMA(&m, head)
	for at < n {
		end := min(at+c.ifmaChunk(), n)
		tail, left := at, text[at:end]
		if end-at >= bulkSize+lastSize {
			tail += (end - at - lastSize) &^ (bulkSize - 1)
			left = bulk(&st, text[at:tail], text[at:tail], &m, left)
		}
		c.addIFMA(&m, left)
		c.run(&st, text[tail:end], text[tail:end], nil, mac{})
		at = end
	}
	finish(tag, &st, &m, len(aad), n)
}
