//go:build !purego

package gcm

import (
	"encoding/binary"
	"unsafe"

	"kcrypto/algs/internal/consttime"
)

// Seal encrypts and authenticates.
func (k *asmKey) Seal(dst, nonce, plaintext, aad []byte) {
	n := len(plaintext)
	iv := unsafe.SliceData(nonce)
	s := state{lengths: [2]uint64{uint64(n) * 8, uint64(len(aad)) * 8}, begin: 1}
	if len(nonce) != nonceSize || len(aad) > k.chunk {
		iv, aad = k.prepare(&s, nonce, aad)
	}
	for ; n > k.chunk; n -= k.chunk {
		k.seal(&s, iv, aad, dst, plaintext[:k.chunk], nil)
		dst, plaintext = dst[k.chunk:], plaintext[k.chunk:]
		iv, aad, s.begin = nil, nil, 0
	}
	k.seal(&s, iv, aad, dst, plaintext, &s.tag)
	putTag(dst[n:], &s.tag)
}

// Open authenticates and decrypts.
func (k *asmKey) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	n := len(ciphertext)
	iv := unsafe.SliceData(nonce)
	s := state{lengths: [2]uint64{uint64(n) * 8, uint64(len(aad)) * 8}, begin: 1}
	if len(nonce) != nonceSize || len(aad) > k.chunk {
		iv, aad = k.prepare(&s, nonce, aad)
	}
	for ; n > k.chunk; n -= k.chunk {
		k.open(&s, iv, aad, dst, ciphertext[:k.chunk], nil)
		dst, ciphertext = dst[k.chunk:], ciphertext[k.chunk:]
		iv, aad, s.begin = nil, nil, 0
	}
	k.open(&s, iv, aad, dst, ciphertext, &s.tag)
	if len(tag) == tagSize {
		return consttime.Equal(&s.tag, (*[tagSize]byte)(tag))
	}
	return consttime.EqualCut(&s.tag, tag)
}

// putTag writes a tag, or the beginning of it.
func putTag(dst []byte, tag *[tagSize]byte) {
	if len(dst) == tagSize {
		*(*[tagSize]byte)(dst) = *tag
		return
	}
	consttime.PutCut(dst, tag)
}

// prepare does what the assembly does not: nonces of any size, and additional data of more than a chunk. It returns
// the nonce if the assembly is to make J0 of it, and the additional data that is still to be hashed.
func (k *asmKey) prepare(s *state, nonce, aad []byte) (iv *byte, rest []byte) {
	iv = unsafe.SliceData(nonce)
	if len(nonce) != nonceSize {
		k.j0(s, nonce)
		iv = nil
	}
	if len(aad) > k.chunk {
		k.hashAll(s, aad)
		aad = nil
	}
	return iv, aad
}

// j0 makes the first counter block of a nonce that is not 12 bytes, SP 800-38D section 7.1 step 2.
func (k *asmKey) j0(s *state, nonce []byte) {
	k.hashAll(s, nonce)
	var lengths [blockSize]byte
	binary.BigEndian.PutUint64(lengths[8:], uint64(len(nonce))*8)
	k.hash(s, lengths[:])
	s.counter, s.y = s.y, [blockSize]byte{}
}

// hashAll takes GHASH over data of at least one byte, the last block padded with zeros.
func (k *asmKey) hashAll(s *state, data []byte) {
	for ; len(data) > k.chunk; data = data[k.chunk:] {
		k.hash(s, data[:k.chunk])
	}
	k.hash(s, data)
}

// gmac is for rfc4543.
func (k *asmKey) gmac(nonce, aad, iv, text []byte) [tagSize]byte {
	var head [2 * blockSize]byte // the beginning, up to a block's end
	n := copy(head[:], aad)
	n += copy(head[n:], iv)
	more := copy(head[n:], text)
	s := state{lengths: [2]uint64{0, uint64(n+len(text)) * 8}, begin: 1}
	k.hash(&s, head[:n+more])
	if text = text[more:]; len(text) > k.chunk {
		k.hashAll(&s, text)
		text = nil
	}
	k.seal(&s, unsafe.SliceData(nonce), text, nil, nil, &s.tag)
	return s.tag
}
