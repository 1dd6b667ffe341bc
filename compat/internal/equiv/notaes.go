package equiv

import (
	"crypto/cipher"
	"fmt"
)

// NotAES is a block cipher of 16-byte blocks that is not AES, and not secure.
type NotAES struct{ key []byte }

// NewNotAES makes a NotAES of a key of 1 to 32 bytes.
func NewNotAES(key []byte) (cipher.Block, error) {
	if len(key) < 1 || len(key) > 32 {
		return nil, fmt.Errorf("notaes: a key of %d bytes", len(key))
	}
	return &NotAES{append([]byte{}, key...)}, nil
}

// BlockSize is 16.
func (*NotAES) BlockSize() int { return 16 }

// Encrypt reverses the block and XORs it with the key.
func (t *NotAES) Encrypt(dst, src []byte) {
	block := [16]byte(src)
	for i := range block {
		dst[i] = block[15-i] ^ t.key[i%len(t.key)]
	}
}

// Decrypt is the inverse of Encrypt.
func (t *NotAES) Decrypt(dst, src []byte) {
	block := [16]byte(src)
	for i := range block {
		dst[15-i] = block[i] ^ t.key[i%len(t.key)]
	}
}
