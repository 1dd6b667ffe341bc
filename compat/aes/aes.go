package aes

import (
	"crypto/aes"
	"crypto/cipher"

	"kcrypto"
	"kcrypto/compat/internal/pool"
)

// BlockSize is the AES block size in bytes.
const BlockSize = aes.BlockSize

// KeySizeError is crypto/aes's: the key's length in bytes, which was not 16, 24 or 32.
type KeySizeError = aes.KeySizeError

// Block is AES (FIPS 197) under one key. Single blocks are encrypted by crypto/aes; many at once, and the modes that
// crypto/cipher makes of a Block, by this library's drivers. It may be used by any number of goroutines at once, and
// must not be copied.
type Block struct {
	one           cipher.Block
	key           [32]byte
	size          int // of the key in bytes
	ecb, ctr, cbc skKeyed
}

// NewCipher makes a Block of a key of 16, 24 or 32 bytes, which is copied; another length is a [KeySizeError]. The
// cipher.Block returned is a [*Block].
func NewCipher(key []byte) (cipher.Block, error) {
	one, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	b := &Block{one: one, size: len(key)}
	copy(b.key[:], key)
	return b, nil
}

// BlockSize is 16, the block size in bytes.
func (b *Block) BlockSize() int { return BlockSize }

// Encrypt encrypts the first block of src into dst, both 16 bytes or more; dst may be src. It panics as crypto/aes
// does.
func (b *Block) Encrypt(dst, src []byte) { b.one.Encrypt(dst, src) }

// Decrypt is the inverse of Encrypt, with the same rules.
func (b *Block) Decrypt(dst, src []byte) { b.one.Decrypt(dst, src) }

// EncryptBlocks encrypts every block of src, independently of one another, to dst[:len(src)], by the best driver of
// ecb(aes). It is for building modes: equal blocks stay equal, so it is unsafe as a cipher by itself.
//
// It panics if len(src) is no multiple of 16, dst is shorter, or they overlap without being the same memory.
func (b *Block) EncryptBlocks(dst, src []byte) {
	t, shared := b.ecb.Get(ecb, b.key[:b.size])
	finish(t.Encrypt(dst, src, nil), ecb, t, shared)
}

// DecryptBlocks is the inverse of EncryptBlocks, with the same rules.
func (b *Block) DecryptBlocks(dst, src []byte) {
	t, shared := b.ecb.Get(ecb, b.key[:b.size])
	finish(t.Decrypt(dst, src, nil), ecb, t, shared)
}

type (
	skPool  = pool.Pool[kcrypto.Skcipher]
	skKeyed = pool.Keyed[kcrypto.Skcipher, *kcrypto.Skcipher]
)

var (
	ecb = newPool("ecb(aes)")
	ctr = newPool("ctr(aes)")
	cbc = newPool("cbc(aes)")
)

func newPool(algorithm string) *skPool {
	return pool.New(func() (*kcrypto.Skcipher, error) { return kcrypto.AllocSkcipher(algorithm) })
}

// finish ends a call on a transform: it puts a shared one back into the pool, and panics if the call failed.
func finish(err error, from *skPool, t *kcrypto.Skcipher, shared bool) {
	if shared {
		from.Put(t)
	}
	if err != nil {
		panic(err.Error())
	}
}
