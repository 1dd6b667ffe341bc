// Package consttime compares tags of 16 bytes, and what is left of one that was cut.
package consttime

import "encoding/binary"

// EqualWords reports whether tag is the 16 bytes that two words make, little-endian, in a time that does not depend on
// them. crypto/subtle takes the bytes in turn, which is a third of the time of a short message.
func EqualWords(tag *[16]byte, low, high uint64) bool {
	low ^= binary.LittleEndian.Uint64(tag[:])
	high ^= binary.LittleEndian.Uint64(tag[8:])
	return low|high == 0
}

// Equal reports whether two tags are equal, in such a time.
func Equal(a, b *[16]byte) bool {
	return EqualWords(a, binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:]))
}

// EqualCut reports whether tag, 4 to 16 bytes, is the beginning of want, in a time that depends on its length only.
// Both are read as two words that overlap where tag is shorter than these.
func EqualCut(want *[16]byte, tag []byte) bool {
	n := len(tag)
	if n >= 8 {
		first := binary.LittleEndian.Uint64(want[:]) ^ binary.LittleEndian.Uint64(tag)
		last := binary.LittleEndian.Uint64(want[n-8:]) ^ binary.LittleEndian.Uint64(tag[n-8:])
		return first|last == 0
	}
	first := binary.LittleEndian.Uint32(want[:]) ^ binary.LittleEndian.Uint32(tag)
	last := binary.LittleEndian.Uint32(want[n-4:]) ^ binary.LittleEndian.Uint32(tag[n-4:])
	return first|last == 0
}

// PutCut writes the first len(tag) bytes of whole, 4 to 16, in such a time: in two words, since a copy of a length that
// the compiler does not know is a call.
func PutCut(tag []byte, whole *[16]byte) {
	n := len(tag)
	if n >= 8 {
		binary.LittleEndian.PutUint64(tag, binary.LittleEndian.Uint64(whole[:]))
		binary.LittleEndian.PutUint64(tag[n-8:], binary.LittleEndian.Uint64(whole[n-8:]))
		return
	}
	binary.LittleEndian.PutUint32(tag, binary.LittleEndian.Uint32(whole[:]))
	binary.LittleEndian.PutUint32(tag[n-4:], binary.LittleEndian.Uint32(whole[n-4:]))
}
