package alike

import (
	"crypto/cipher"
	"fmt"
)

// Toy is a block cipher of 16-byte blocks that is not AES, and no cipher at all.
type Toy struct{ key []byte }

// NewToy makes a Toy of a key of 1 to 32 bytes.
func NewToy(key []byte) (cipher.Block, error) {
	if len(key) < 1 || len(key) > 32 {
		return nil, fmt.Errorf("toy: a key of %d bytes", len(key))
	}
	return &Toy{append([]byte{}, key...)}, nil
}

// BlockSize is 16.
func (*Toy) BlockSize() int { return 16 }

// Encrypt turns the block round and XORs it with the key.
func (t *Toy) Encrypt(dst, src []byte) {
	block := [16]byte(src)
	for i := range block {
		dst[i] = block[15-i] ^ t.key[i%len(t.key)]
	}
}

// Decrypt is the inverse of Encrypt.
func (t *Toy) Decrypt(dst, src []byte) {
	block := [16]byte(src)
	for i := range block {
		dst[15-i] = block[i] ^ t.key[i%len(t.key)]
	}
}
