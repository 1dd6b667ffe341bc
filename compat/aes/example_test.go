package aes_test

import (
	"crypto/cipher"
	"crypto/rand"
	"fmt"

	"kcrypto/compat/aes"
)

// The code is the same as with crypto/aes.
func ExampleNewCipher() {
	key, nonce := make([]byte, 32), make([]byte, 12)
	rand.Read(key)
	rand.Read(nonce)
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	sealed := aead.Seal(nil, nonce, []byte("attack at dawn"), nil)
	text, err := aead.Open(nil, nonce, sealed, nil)
	fmt.Printf("%s %v\n", text, err)
	// Output: attack at dawn <nil>
}

// A mode of one's own, here a keystream whose counter is little-endian: many blocks in one call are several times as
// fast as one after another.
func ExampleBlock_EncryptBlocks() {
	block, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		panic(err)
	}
	keystream := make([]byte, 4*aes.BlockSize)
	for i := range 4 {
		keystream[i*aes.BlockSize] = byte(i)
	}
	block.(*aes.Block).EncryptBlocks(keystream, keystream)
	fmt.Printf("%x\n", keystream[:16])
	// Output: 66e94bd4ef8a2c3b884cfa59ca342b2e
}
