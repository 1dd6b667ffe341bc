//go:build !purego

package gcm

import (
	"crypto/subtle"
	"encoding/binary"
	"unsafe"

	"kcrypto/internal/aes"
	"kcrypto/internal/chunk"
	"kcrypto/registry"
)

// asmKey is gcm(aes) under one key, for the drivers in assembly. It has no pointers.
type asmKey struct {
	enc    [240]byte // round keys
	rounds uint32
	impl   impl
	chunk  int        // bytes that one call of assembly may take, a multiple of asmBatch
	powers [1120]byte //lint:ignore U1000 powers of H that only assembly sees, in the layout of the implementation: _asm/gcm
}

// state is a message under way. It is on the stack, where nobody wipes it: the last call clears all that could tell the key.
type state struct {
	counter [blockSize]byte // the next counter block, bytes reversed
	y       [blockSize]byte // GHASH so far, bytes reversed
	tag     [tagSize]byte   // the encryption of J0, and in the end the tag
	lengths [2]uint64       // of the text and of the additional data, in bits
	begin   uint64          // 1 if the next call begins the message; without a nonce, counter is J0 then
	nonce   [blockSize]byte // for the assembly: what it makes counter blocks of
	key     [blockSize]byte // also
}

// asmBatch is what the widest main loop takes at a time, and a multiple of what the others take, in bytes.
const asmBatch = 512

func newAsmKey(i impl) func(registry.Config) registry.AEAD {
	return func(c registry.Config) registry.AEAD {
		k := asmKey{impl: i, chunk: chunk.Round(c.Chunk, asmBatch), rounds: blankRounds}
		if i == vaesAVX512 {
			return &batchKey{k}
		}
		return &k
	}
}

// blankRounds is what a key object without a key has: assembly counts back from the last round key, and with 0 it would
// read what lies before the object.
const blankRounds = 10

// SetKey takes a key of 16, 24 or 32 bytes.
func (k *asmKey) SetKey(key []byte) error {
	clear(k.enc[:]) // a shorter key's schedule leaves the end of a longer one's, from which that key can be computed
	k.rounds = uint32(aes.ExpandKeyAESNI(&k.enc, key))
	k.expand()
	return nil
}

// Wipe overwrites the key.
func (k *asmKey) Wipe() {
	clear(k.enc[:])
	clear(k.powers[:])
	k.rounds = blankRounds
}

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
	if tag := dst[n:]; len(tag) == tagSize {
		*(*[tagSize]byte)(tag) = s.tag
	} else {
		copy(tag, s.tag[:])
	}
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
		return equal(&s.tag, (*[tagSize]byte)(tag))
	}
	return subtle.ConstantTimeCompare(s.tag[:len(tag)], tag) == 1
}

// equal compares in constant time. ConstantTimeCompare takes a third of the time of a short message for 16 bytes.
func equal(a, b *[tagSize]byte) bool {
	d := binary.LittleEndian.Uint64(a[:]) ^ binary.LittleEndian.Uint64(b[:])
	d |= binary.LittleEndian.Uint64(a[8:]) ^ binary.LittleEndian.Uint64(b[8:])
	return subtle.ConstantTimeEq(int32(d|d>>32), 0) == 1
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
