package selftest

import (
	"bytes"
	"unsafe"
)

// poison is what every byte around a buffer holds, as in Linux's testmgr.
const poison = 0xfe

// Offsets in a layout count from a multiple of alignment. At least margin bytes of poison lie before and after.
const (
	alignment = 64
	margin    = 64
)

// area is memory for one operand of a call, used again from call to call.
type area struct {
	mem      []byte // starts at a multiple of alignment
	from, to int    // the operand within mem; the rest is poison
	content  []byte // what an input holds; not the driver's to change
	tail     []byte // what follows the operand instead of poison: the tag, when a ciphertext is opened in place
}

// reserve makes the operand n bytes of poison, offset bytes past a multiple of alignment.
func (a *area) reserve(offset, n int) []byte {
	a.from = margin + offset
	a.to = a.from + n
	a.content, a.tail = nil, nil
	if size := a.to + margin; size > cap(a.mem) {
		raw := make([]byte, 2*size+alignment)
		skip := -uintptr(unsafe.Pointer(unsafe.SliceData(raw))) % alignment
		a.mem = raw[skip:][:size]
	} else {
		a.mem = a.mem[:size]
	}
	fill(a.mem, poison)
	return a.mem[a.from:a.to:a.to]
}

// place makes the operand a copy of content.
func (a *area) place(offset int, content []byte) []byte {
	b := a.reserve(offset, len(content))
	copy(b, content)
	a.content = content
	return b
}

// writtenAround reports whether a byte around the operand was written, and its distance from the operand: -1 is the
// byte before its first one, 1 the byte after its last one.
func (a *area) writtenAround() (distance int, yes bool) {
	before, tail := a.mem[:a.from], a.mem[a.to:][:len(a.tail)]
	after := a.mem[a.to+len(tail):]
	if bytes.Equal(tail, a.tail) && poisoned(after) && poisoned(before) {
		return 0, false
	}
	for i, b := range tail {
		if b != a.tail[i] {
			return i + 1, true
		}
	}
	for i, b := range after {
		if b != poison {
			return len(tail) + i + 1, true
		}
	}
	i := len(before) - 1
	for before[i] == poison {
		i--
	}
	return i - len(before), true
}

// changed reports whether an input is no longer what was placed, poison around it included.
func (a *area) changed() bool {
	_, written := a.writtenAround()
	return written || !bytes.Equal(a.mem[a.from:a.to], a.content)
}

// untouched reports whether the operand of an area that was made by reserve is still poison.
func (a *area) untouched() bool { return poisoned(a.mem[a.from:a.to]) }

func poisoned(b []byte) bool { return bytes.Count(b, []byte{poison}) == len(b) }

// memory is the operands of a call. In place, dst holds the input too.
type memory struct {
	key, iv, aad, src, dst area
}

// operands lays out input in and an output of n bytes, and returns the input and the output's memory.
func (m *memory) operands(l *layout, in []byte, n int) (src, dst []byte) {
	if !l.inPlace {
		return m.src.place(l.src, in), m.dst.reserve(l.dstOffset(n), n)
	}
	size := max(len(in), n)
	b := m.dst.reserve(l.dstOffset(n), size)
	copy(b, in)
	m.dst.to -= size - n
	m.dst.tail = in[min(n, len(in)):]
	return b[:len(in):len(in)], b[:n:n]
}

// target is the dst of an AEAD call whose output goes to m.dst: the bytes that l says it holds already (they are
// poison as well) and, unless l says that the output has to go elsewhere, capacity for the output.
func (m *memory) target(l *layout) []byte {
	end := m.dst.to
	if l.grow {
		end = m.dst.from
	}
	return m.dst.mem[m.dst.from-l.prefix : m.dst.from : end]
}

func fill(b []byte, v byte) {
	if len(b) == 0 {
		return
	}
	b[0] = v
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}
