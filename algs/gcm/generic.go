package gcm

import (
	"crypto/subtle"
	"encoding/binary"
)

// batch is the number of bytes of key stream made at a time: enough blocks to keep a cipher that works on several at
// once busy.
const batch = 32 * blockSize

// expand makes the key schedule and the powers of H.
func (k *key) expand(key []byte) {
	k.cipher.SetKey(key)
	var h [blockSize]byte
	k.cipher.EncryptBlocks(h[:], h[:])
	k.powers.set(load(h[:]))
	clear(h[:])
}

// hash takes GHASH from y over data, whose last block is padded with zeros.
func (k *key) hash(y element, data []byte) element { return k.powers.hash(y, data) }

// xorKeyStream XORs src into dst with the encrypted counter blocks after j0, and returns the encryption of j0 itself,
// which masks the tag. Only the last 32 bits of the counter count, and they wrap.
func (k *key) xorKeyStream(dst, src []byte, j0 *[blockSize]byte) (mask element) {
	var stream [batch]byte
	fixed := [12]byte(j0[:])
	counter := binary.BigEndian.Uint32(j0[12:])
	for used := blockSize; ; used = 0 { // bytes at the start of the stream that are not for src: j0's
		n := used + (min(len(src), batch-used)+blockSize-1)&^(blockSize-1)
		for b := stream[:n]; len(b) > 0; b = b[blockSize:] {
			copy(b, fixed[:])
			binary.BigEndian.PutUint32(b[12:], counter)
			counter++
		}
		k.cipher.EncryptBlocks(stream[:n], stream[:n])
		if used > 0 {
			mask = load(stream[:])
		}
		done := subtle.XORBytes(dst, src, stream[used:n])
		if dst, src = dst[done:], src[done:]; len(src) == 0 {
			return mask
		}
	}
}
