// Package consttime compares tags of 16 bytes.
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
