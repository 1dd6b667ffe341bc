//go:build !purego

package chacha

// What shortAVX512 takes at most, in bytes.
const (
	shortText = 3 * BlockSize
	shortAAD  = 64
)

// suitsShort tells whether all of a message is done by one call of assembly.
func (c *core) suitsShort(n, aad int) bool {
	return c.impl >= avx512 && n <= shortText && n <= c.chunk && aad <= shortAAD
}

// shortAVX512 seals or opens a message of n bytes under a nonce of 12. It stores the tag, or returns 0 if the one there is
// right.
//
//go:noescape
func shortAVX512(c *core, dst, src *byte, n int, nonce, aad *byte, aadN int, tag *byte, open bool) (diff uint64)
