//go:build !purego

package gcm

import (
	"unsafe"

	"kcrypto/algs/internal/consttime"
)

// whole reports whether one call of assembly, without a state, does for a message with these sizes. Seal and Open then
// make that call and no other, as each stores its arguments anew.
func (k *batchKey) whole(nonce, text, aad int) bool {
	return nonce == nonceSize && text <= k.chunk && aad <= k.chunk
}

// onePass is the longest text, in bytes, that the assembly does at once, if there is a block of additional data at
// most. For more it keeps the encryption of J0 where the tag goes. That must not be dst: who sees that memory at work,
// as with a ring that is shared, would have H from it and the tag.
const onePass = 512

// Seal encrypts and authenticates. (It is not asmKey's: a method that comes with an embedded type costs a call more.)
func (k *batchKey) Seal(dst, nonce, plaintext, aad []byte) {
	n := len(plaintext)
	if !k.whole(len(nonce), n, len(aad)) {
		k.asmKey.Seal(dst, nonce, plaintext, aad)
		return
	}
	if n <= onePass && len(aad) <= blockSize && len(dst)-n == tagSize {
		sealVAESAVX512(&k.asmKey, nil, unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad),
			unsafe.SliceData(dst), unsafe.SliceData(plaintext), n, &dst[n])
		return
	}
	var tag [tagSize]byte
	sealVAESAVX512(&k.asmKey, nil, unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad),
		unsafe.SliceData(dst), unsafe.SliceData(plaintext), n, &tag[0])
	putTag(dst[n:], &tag)
}

// Open authenticates and decrypts.
func (k *batchKey) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	n := len(ciphertext)
	if k.whole(len(nonce), n, len(aad)) {
		var want [tagSize]byte
		openVAESAVX512(&k.asmKey, nil, unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad),
			unsafe.SliceData(dst), unsafe.SliceData(ciphertext), n, &want[0])
		if len(tag) == tagSize {
			return consttime.Equal(&want, (*[tagSize]byte)(tag))
		}
		return consttime.EqualCut(&want, tag)
	}
	return k.asmKey.Open(dst, nonce, ciphertext, tag, aad)
}
