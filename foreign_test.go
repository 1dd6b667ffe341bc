package kcrypto_test

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"math"

	"kcrypto/registry"
)

// Drivers as a user might write them, with flaws that a self-test must find.

// foreignGCM is gcm(aes) over crypto/cipher.
type foreignGCM struct {
	block cipher.Block
	flaw  string
}

// The flaws of foreignGCM.
const (
	noFlaw        = ""
	wrongIfLong   = "wrong beyond 600 bytes"
	forgiving     = "takes any tag"
	deafToAAD     = "ignores additional data beyond 16 bytes"
	shortNonce    = "uses 12 bytes of any nonce"
	wrongInPlace  = "wrong in place"
	panics        = "panics"
	refusesItsKey = "refuses keys of 24 bytes"
)

func foreignGCMDriver(name string, priority int, flaw string) registry.Driver {
	return registry.Driver{
		Algorithm: "gcm(aes)", Name: name, Impl: "acme", Module: "acme.example/gcm", Priority: priority,
		Type: registry.TypeAEAD, BlockSize: 1, IVSize: 12, AnyNonce: true, ChunkSize: 16,
		KeySizes: []int{16, 24, 32}, AuthSizes: []int{4, 8, 12, 13, 14, 15, 16}, MaxSize: 1<<36 - 32,
		NewAEAD: func(registry.Config) registry.AEAD { return &foreignGCM{flaw: flaw} },
	}
}

func (f *foreignGCM) SetKey(key []byte) error {
	if f.flaw == refusesItsKey && len(key) == 24 {
		return registry.ErrKeySize
	}
	f.block = blockOf(key)
	return nil
}

func (f *foreignGCM) Wipe() { f.block = nil }

// sealed returns the ciphertext and the full tag, in new memory.
func (f *foreignGCM) sealed(nonce, text, aad []byte) []byte {
	if f.flaw == shortNonce && len(nonce) > 12 {
		nonce = nonce[:12]
	}
	if f.flaw == deafToAAD {
		aad = aad[:min(len(aad), 16)]
	}
	out := must(cipher.NewGCMWithNonceSize(f.block, len(nonce))).Seal(nil, nonce, text, aad)
	if f.flaw == wrongIfLong && len(text) > 600 {
		out[600] ^= 1
	}
	return out
}

func (f *foreignGCM) Seal(dst, nonce, plaintext, aad []byte) {
	switch {
	case f.flaw == panics:
		panic("acme: not implemented")
	case f.flaw == wrongInPlace && len(plaintext) > 0 && &dst[0] == &plaintext[0]:
		clear(dst)
		return
	}
	copy(dst, f.sealed(nonce, plaintext, aad)) // dst ends after the tag that is wanted
}

// Open makes the text by encrypting the ciphertext, CTR being its own inverse, and the tag by sealing the text.
func (f *foreignGCM) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	n := len(ciphertext)
	text := f.sealed(nonce, ciphertext, aad)[:n]
	want := f.sealed(nonce, text, aad)[n:]
	copy(dst, text)
	return f.flaw == forgiving || subtle.ConstantTimeCompare(want[:len(tag)], tag) == 1
}

// foreignCTR is ctr(aes) over crypto/cipher, as a stream cipher.
type foreignCTR struct {
	key     []byte
	narrow  bool // flaw: the counter has 32 bits
	noSplit bool // flaw: always starts at the first block
}

func foreignCTRDriver(name string, priority int, make func() registry.Skcipher) registry.Driver {
	return registry.Driver{
		Algorithm: "ctr(aes)", Name: name, Impl: "acme", Module: "acme.example/ctr", Priority: priority,
		Type: registry.TypeSkcipher, BlockSize: 1, IVSize: 16, ChunkSize: 16, KeySizes: []int{16, 24, 32},
		NewSkcipher: func(registry.Config) registry.Skcipher { return make() },
	}
}

func (f *foreignCTR) SetKey(key []byte) error {
	f.key = append([]byte{}, key...)
	return nil
}

func (f *foreignCTR) Wipe()                       { clear(f.key) }
func (f *foreignCTR) Encrypt(dst, src, iv []byte) { f.XORBlocks(dst, src, iv, 0) }
func (f *foreignCTR) Decrypt(dst, src, iv []byte) { f.XORBlocks(dst, src, iv, 0) }
func (f *foreignCTR) Blocks([]byte) uint64        { return math.MaxUint64 }

func (f *foreignCTR) Bind(iv []byte) (registry.StreamCipher, []byte) {
	bound := *f
	bound.key = append([]byte{}, f.key...)
	return &bound, iv
}

func (f *foreignCTR) XORBlocks(dst, src, iv []byte, block uint64) {
	if f.noSplit {
		block = 0
	}
	if !f.narrow {
		subtle.XORBytes(dst, src, streamCTR(f.key, iv, block, len(src)))
		return
	}
	b, counter := blockOf(f.key), append([]byte{}, iv...)
	for i := 0; i < len(src); i += 16 {
		binary.BigEndian.PutUint32(counter[12:], binary.BigEndian.Uint32(iv[12:])+uint32(block)+uint32(i/16))
		var key [16]byte
		b.Encrypt(key[:], counter)
		subtle.XORBytes(dst[i:], src[i:], key[:])
	}
}

// foreignOFB is an algorithm that this module does not have: OFB, SP 800-38A section 6.4.
type foreignOFB struct{ block cipher.Block }

func (f *foreignOFB) SetKey(key []byte) error {
	f.block = blockOf(key)
	return nil
}

func (f *foreignOFB) Wipe()                       { f.block = nil }
func (f *foreignOFB) Decrypt(dst, src, iv []byte) { f.Encrypt(dst, src, iv) }

func (f *foreignOFB) Encrypt(dst, src, iv []byte) {
	out := append([]byte{}, iv...)
	for i := 0; i < len(src); i += 16 {
		f.block.Encrypt(out, out)
		subtle.XORBytes(dst[i:], src[i:], out)
	}
}

// foreignOFBDriver has its own vector, that of SP 800-38A appendix F.4.1.
func foreignOFBDriver() registry.Driver {
	return registry.Driver{
		Algorithm: "ofb(aes)", Name: "ofb-aes-acme", Impl: "acme", Module: "acme.example/ofb", Priority: 10,
		Type: registry.TypeSkcipher, BlockSize: 1, IVSize: 16, ChunkSize: 16, KeySizes: []int{16, 24, 32},
		NewSkcipher: func(registry.Config) registry.Skcipher { return new(foreignOFB) },
		Vectors: []registry.Vector{{
			Source: "SP 800-38A F.4.1",
			Key:    unhex("2b7e151628aed2a6abf7158809cf4f3c"),
			IV:     unhex("000102030405060708090a0b0c0d0e0f"),
			In: unhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" +
				"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"),
			Out: unhex("3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825" +
				"9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e"),
		}},
	}
}

func unhex(s string) []byte { return must(hex.DecodeString(s)) }
