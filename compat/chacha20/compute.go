package chacha20

import (
	"kcrypto"
	"kcrypto/compat/internal/pool"
)

// worker is a transform with memory for the data of a Cipher. A Cipher may be on its user's stack, which a driver must
// not see.
type worker struct {
	transform *kcrypto.Skcipher
	key       [KeySize]byte
	iv        [ivSize]byte
	block     [blockSize]byte
}

// workers are shared for each call: QUIC makes a Cipher for each packet, to encrypt 5 bytes.
var workers = pool.New(func() (*worker, error) {
	transform, err := kcrypto.AllocSkcipher("chacha20")
	return &worker{transform: transform}, err
})

// compute XORs src with the keystream from byte offset on, a multiple of 64, into dst.
func (c *Cipher) compute(dst, src []byte, offset uint64) {
	w := workers.Get()
	w.xor(dst, src, c.key, c.iv, offset)
	workers.Put(w)
}

// computeBlock makes block that of the keystream that begins at byte offset.
func (c *Cipher) computeBlock(offset uint64) {
	w := workers.Get()
	w.xor(w.block[:], w.block[:], c.key, c.iv, offset)
	c.block, w.block = w.block, [blockSize]byte{}
	workers.Put(w)
}

func (w *worker) xor(dst, src []byte, key [KeySize]byte, iv [ivSize]byte, offset uint64) {
	w.key, w.iv = key, iv
	err := w.transform.SetKey(w.key[:])
	clear(w.key[:])
	if err == nil {
		err = w.transform.XORKeyStreamAt(dst, src, w.iv[:], offset)
	}
	if err != nil {
		panic(err.Error())
	}
}
