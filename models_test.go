package kcrypto_test

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/xts"
)

// aeadModel says what an AEAD algorithm must output: Go's own crypto, or a composition of it as the RFC writes it.
type aeadModel struct {
	seal     func(key, nonce, text, aad []byte, tagSize int) []byte
	keySizes []int
	nonce    int
	anyNonce bool
	nonces   []int // others that it takes
	tags     []int
	aadSizes []int // nil: any
}

var aeadModels = map[string]aeadModel{
	"gcm(aes)": {seal: sealGCM, keySizes: []int{16, 24, 32}, nonce: 12, anyNonce: true,
		tags: []int{4, 8, 12, 13, 14, 15, 16}},
	"rfc4106(gcm(aes))": {seal: sealRFC4106, keySizes: []int{20, 28, 36}, nonce: 8,
		tags: []int{8, 12, 16}, aadSizes: []int{8, 12}},
	"rfc4543(gcm(aes))": {seal: sealRFC4543, keySizes: []int{20, 28, 36}, nonce: 8,
		tags: []int{16}, aadSizes: []int{8, 12}},
	"rfc7539(chacha20,poly1305)": {seal: sealChaCha, keySizes: []int{32}, nonce: 12, tags: []int{16}},
	"rfc7539esp(chacha20,poly1305)": {seal: sealESP, keySizes: []int{36}, nonce: 8, tags: []int{16},
		aadSizes: []int{8, 12}},
	"xchacha20poly1305": {seal: sealXChaCha, keySizes: []int{32}, nonce: 24, tags: []int{16}},
	"ccm(aes)": {seal: sealCCM, keySizes: []int{16, 24, 32}, nonce: 12, nonces: []int{7, 8, 9, 10, 11, 13},
		tags: []int{4, 6, 8, 10, 12, 14, 16}},
	"rfc4309(ccm(aes))": {seal: sealRFC4309, keySizes: []int{19, 27, 35}, nonce: 8, tags: []int{8, 12, 16},
		aadSizes: []int{8, 12}},
}

// takes reports whether nonces of n bytes are legal.
func (m *aeadModel) takes(n int) bool {
	return n == m.nonce || n > 0 && m.anyNonce || slices.Contains(m.nonces, n)
}

// another is a size of nonces that is not the default, 0 if there is none.
func (m *aeadModel) another() int {
	switch {
	case m.anyNonce:
		return 16
	case m.nonces != nil:
		return m.nonces[len(m.nonces)-1]
	}
	return 0
}

// aeadModelOf is the model of algorithm, without which the suite cannot test its drivers.
func aeadModelOf(t testing.TB, algorithm string) aeadModel {
	t.Helper()
	m, ok := aeadModels[algorithm]
	if !ok {
		t.Fatalf("the suite has no model of %s: write one in models_test.go", algorithm)
	}
	return m
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// sealGCM is crypto/cipher's GCM; a shorter tag is the beginning of the full one (SP 800-38D section 7.1, step 6).
func sealGCM(key, nonce, text, aad []byte, tagSize int) []byte {
	full := must(cipher.NewGCMWithNonceSize(blockOf(key), len(nonce))).Seal(nil, nonce, text, aad)
	return full[:len(text)+tagSize]
}

// sealRFC4106 takes the salt from the end of the key and puts it before the IV.
func sealRFC4106(key, nonce, text, aad []byte, tagSize int) []byte {
	n := len(key) - 4
	return sealGCM(key[:n], join(key[n:], nonce), text, aad, tagSize)
}

// sealRFC4543 authenticates SPI|SN, IV and text, and leaves the text in clear.
func sealRFC4543(key, nonce, text, aad []byte, tagSize int) []byte {
	n := len(key) - 4
	return join(text, sealGCM(key[:n], join(key[n:], nonce), nil, join(aad, nonce, text), tagSize))
}

func sealChaCha(key, nonce, text, aad []byte, _ int) []byte {
	return must(chacha20poly1305.New(key)).Seal(nil, nonce, text, aad)
}

func sealESP(key, nonce, text, aad []byte, _ int) []byte {
	return sealChaCha(key[:32], join(key[32:], nonce), text, aad, 16)
}

func sealXChaCha(key, nonce, text, aad []byte, _ int) []byte {
	return must(chacha20poly1305.NewX(key)).Seal(nil, nonce, text, aad)
}

// sealCCM is CCM (SP 800-38C section 6.1) composed of crypto/cipher's CBC, whose last block is the MAC, and its CTR.
func sealCCM(key, nonce, text, aad []byte, tagSize int) []byte {
	counted := make([]byte, 15-len(nonce)) // the field that counts, for A_0
	b0 := join([]byte{byte(tagSize/2-1)<<3 | byte(len(counted)-1)}, nonce,
		binary.BigEndian.AppendUint64(nil, uint64(len(text)))[8-len(counted):])
	covered := b0
	if n := len(aad); n > 0 {
		b0[0] |= 0x40
		size := []byte{byte(n >> 8), byte(n)}
		if n >= 0xff00 {
			size = []byte{0xff, 0xfe, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
		}
		covered = join(b0, size, aad)
		covered = join(covered, make([]byte, -len(covered)&15))
	}
	covered = join(covered, text, make([]byte, -len(text)&15))
	chain := cryptCBC(key, make([]byte, 16), covered, false)
	out := join(chain[len(chain)-16:], text) // S_0 masks the tag, S_1 and so on the text
	a0 := join([]byte{byte(len(counted) - 1)}, nonce, counted)
	cipher.NewCTR(blockOf(key), a0).XORKeyStream(out, out)
	return join(out[16:], out[:tagSize])
}

// sealRFC4309 takes 3 bytes of salt from the end of the key and puts them before the IV.
func sealRFC4309(key, nonce, text, aad []byte, tagSize int) []byte {
	n := len(key) - 3
	return sealCCM(key[:n], join(key[n:], nonce), text, aad, tagSize)
}

// skModel says what a symmetric cipher without authentication must output.
type skModel struct {
	keySizes      []int
	iv            int
	min, multiple int                                              // lengths in bytes: at least, and a multiple of
	crypt         func(key, iv, in []byte, decrypt bool) []byte    // block modes
	keystream     func(key, iv []byte, block uint64, n int) []byte // stream ciphers, from any block on
	chunk         int                                              // bytes a block of keystream
	blocks        func(iv []byte) uint64                           // how many there are; nil: no end below 2^64
}

var skModels = map[string]skModel{
	"ctr(aes)":          {keySizes: []int{16, 24, 32}, iv: 16, keystream: streamCTR, chunk: 16},
	"rfc3686(ctr(aes))": {keySizes: []int{20, 28, 36}, iv: 8, keystream: streamRFC3686, chunk: 16, blocks: blocksRFC3686},
	"xctr(aes)":         {keySizes: []int{16, 24, 32}, iv: 16, keystream: slowXCTR, chunk: 16},
	"ecb(aes)":          {keySizes: []int{16, 24, 32}, multiple: 16, crypt: cryptECB},
	"cbc(aes)":          {keySizes: []int{16, 24, 32}, iv: 16, multiple: 16, crypt: cryptCBC},
	"cts(cbc(aes))":     {keySizes: []int{16, 24, 32}, iv: 16, min: 16, crypt: slowCTS},
	"xts(aes)":          {keySizes: []int{32, 48, 64}, iv: 16, min: 16, crypt: slowXTS},
	"chacha20":          {keySizes: []int{32}, iv: 16, keystream: streamChaCha, chunk: 64, blocks: blocksChaCha},
	"xchacha20":         {keySizes: []int{32}, iv: 32, keystream: streamXChaCha(20), chunk: 64, blocks: blocksXChaCha},
	"xchacha12":         {keySizes: []int{32}, iv: 32, keystream: streamXChaCha(12), chunk: 64, blocks: blocksXChaCha},

	"essiv(cbc(aes),sha256)": {keySizes: []int{16, 24, 32}, iv: 16, multiple: 16, crypt: cryptESSIV},
}

func skModelOf(t testing.TB, algorithm string) skModel {
	t.Helper()
	m, ok := skModels[algorithm]
	if !ok {
		t.Fatalf("the suite has no model of %s: write one in models_test.go", algorithm)
	}
	return m
}

// fits reports whether a message of n bytes is legal.
func (m *skModel) fits(n int) bool { return n >= m.min && (m.multiple == 0 || n%m.multiple == 0) }

// encrypt is the right answer for one message.
func (m *skModel) encrypt(key, iv, in []byte) []byte {
	if m.keystream == nil {
		return m.crypt(key, iv, in, false)
	}
	out := m.keystream(key, iv, 0, len(in))
	subtle.XORBytes(out, out, in)
	return out
}

// xorAt is the right answer for a piece of a stream that begins at byte offset.
func (m *skModel) xorAt(key, iv, in []byte, offset uint64) []byte {
	skip := int(offset % uint64(m.chunk))
	out := m.keystream(key, iv, offset/uint64(m.chunk), skip+len(in))[skip:]
	subtle.XORBytes(out, out, in)
	return out
}

// streamCTR is crypto/cipher's CTR from block number block on: a 128-bit big-endian counter (SP 800-38A appendix B.1).
func streamCTR(key, iv []byte, block uint64, n int) []byte {
	counter := bytes.Clone(iv)
	lo := binary.BigEndian.Uint64(counter[8:])
	binary.BigEndian.PutUint64(counter[8:], lo+block)
	if lo+block < lo {
		binary.BigEndian.PutUint64(counter, binary.BigEndian.Uint64(counter)+1)
	}
	out := make([]byte, n)
	cipher.NewCTR(blockOf(key), counter).XORKeyStream(out, out)
	return out
}

// streamRFC3686 makes the counter block of nonce (the end of the key), IV, and a counter from 1.
func streamRFC3686(key, iv []byte, block uint64, n int) []byte {
	k := len(key) - 4
	return streamCTR(key[:k], join(key[k:], iv, []byte{0, 0, 0, 1}), block, n)
}

// blocksRFC3686: the counter has 32 bits, and 0 is not used.
func blocksRFC3686([]byte) uint64 { return 1<<32 - 1 }

// streamChaCha is x/crypto's ChaCha20; the IV is the little-endian counter and the nonce.
func streamChaCha(key, iv []byte, block uint64, n int) []byte {
	c := must(chacha20.NewUnauthenticatedCipher(key, iv[4:]))
	c.SetCounter(uint32(uint64(binary.LittleEndian.Uint32(iv)) + block))
	out := make([]byte, n)
	c.XORKeyStream(out, out)
	return out
}

func blocksChaCha(iv []byte) uint64 { return 1<<32 - uint64(binary.LittleEndian.Uint32(iv)) }

// streamXChaCha takes the IV as 16 bytes for HChaCha, 8 of nonce, and a 64-bit little-endian position, as Linux does.
func streamXChaCha(rounds int) func(key, iv []byte, block uint64, n int) []byte {
	return func(key, iv []byte, block uint64, n int) []byte {
		position := binary.LittleEndian.Uint64(iv[24:]) + block
		last16 := append(binary.LittleEndian.AppendUint64(nil, position), iv[16:24]...)
		return slowChaCha(slowHChaCha(key, iv[:16], rounds), last16, n, rounds)
	}
}

func blocksXChaCha(iv []byte) uint64 {
	if p := binary.LittleEndian.Uint64(iv[24:]); p > 0 {
		return -p
	}
	return math.MaxUint64
}

func cryptECB(key, _, in []byte, decrypt bool) []byte {
	b := blockOf(key)
	crypt := b.Encrypt
	if decrypt {
		crypt = b.Decrypt
	}
	out := make([]byte, len(in))
	for i := 0; i < len(in); i += 16 {
		crypt(out[i:], in[i:])
	}
	return out
}

// cryptCBC is crypto/cipher's CBC.
func cryptCBC(key, iv, in []byte, decrypt bool) []byte {
	mode := cipher.NewCBCEncrypter
	if decrypt {
		mode = cipher.NewCBCDecrypter
	}
	out := make([]byte, len(in))
	mode(blockOf(key), iv).CryptBlocks(out, in)
	return out
}

// cryptESSIV is cryptCBC with an IV that is encrypted under the hash of the key.
func cryptESSIV(key, iv, in []byte, decrypt bool) []byte {
	salt := sha256.Sum256(key)
	return cryptCBC(key, cryptECB(salt[:], nil, iv, false), in, decrypt)
}

// Tests of the models against a second source: Go's own crypto against the slow definitions, and these against Go's
// own.

func TestModelGCM(t *testing.T) {
	d := newRandom(t.Name())
	for range 60 {
		key, nonce := d.bytes(16+8*d.IntN(3)), d.bytes(1+d.upTo(70))
		text, aad := d.bytes(d.upTo(300)), d.bytes(d.upTo(100))
		if d.IntN(2) == 0 { // a counter about to wrap
			j0 := d.bytes(16)
			binary.BigEndian.PutUint32(j0[12:], -uint32(d.IntN(20)))
			nonce = nonceFor(key, j0)
		}
		if s := difference(sealGCM(key, nonce, text, aad, 16), slowGCM(key, nonce, text, aad, 16)); s != "" {
			t.Fatalf("nonce of %d bytes, text of %d, aad of %d: %s", len(nonce), len(text), len(aad), s)
		}
	}
}

func TestNonceForIsSolved(t *testing.T) {
	d := newRandom(t.Name())
	key, j0 := d.bytes(32), d.bytes(16)
	got := ghash(hashKey(blockOf(key)), nonceFor(key, j0), lengthBlock(0, 16)).bytes()
	if s := difference(got, j0); s != "" {
		t.Fatal(s)
	}
}

func TestModelXTS(t *testing.T) {
	d := newRandom(t.Name())
	for range 40 {
		key, number := d.bytes(32+32*d.IntN(2)), d.Uint64()
		text := d.bytes(16 * (1 + d.IntN(40)))
		iv := append(binary.LittleEndian.AppendUint64(nil, number), make([]byte, 8)...)
		c := must(xts.NewCipher(newAES, key))
		want := make([]byte, len(text))
		c.Encrypt(want, text, number)
		if s := difference(slowXTS(key, iv, text, false), want); s != "" {
			t.Fatalf("%d bytes: %s", len(text), s)
		}
		if s := difference(slowXTS(key, iv, want, true), text); s != "" {
			t.Fatalf("%d bytes, decryption: %s", len(text), s)
		}
	}
}

func newAES(key []byte) (cipher.Block, error) { return blockOf(key), nil }

// TestModelXTSStealing checks what IEEE 1619 says of ciphertext stealing: if a message is cut inside its last block,
// its ciphertext begins as that of the whole message, and decryption is the inverse.
func TestModelXTSStealing(t *testing.T) {
	d := newRandom(t.Name())
	for n := 17; n < 80; n++ {
		key, iv, text := d.bytes(64), d.bytes(16), d.bytes(n)
		sealed := slowXTS(key, iv, text, false)
		if s := difference(slowXTS(key, iv, sealed, true), text); s != "" {
			t.Fatalf("%d bytes: %s", n, s)
		}
		if n%16 == 0 {
			continue
		}
		first := slowXTS(key, iv, text[:n&^15], false)
		if keep := n&^15 - 16; !bytes.Equal(sealed[:keep], first[:keep]) ||
			!bytes.Equal(sealed[n&^15:], first[keep:keep+n%16]) {
			t.Fatalf("%d bytes: the ciphertext does not begin as that of %d bytes does", n, n&^15)
		}
	}
}

// TestModelCTS checks what RFC 3962 section 5 says of ciphertext stealing: whole blocks are CBC with the last two
// exchanged, and a message that ends inside its last block has the ciphertext of the same message with zeros up to the
// block's end, cut to its length. Decryption is the inverse.
func TestModelCTS(t *testing.T) {
	d := newRandom(t.Name())
	for n := 16; n < 100; n++ {
		key, iv, text := d.bytes(32), d.bytes(16), d.bytes(n)
		sealed := slowCTS(key, iv, text, false)
		if s := difference(slowCTS(key, iv, sealed, true), text); s != "" {
			t.Fatalf("%d bytes and back: %s", n, s)
		}
		want := cryptCBC(key, iv, join(text, make([]byte, -n&15)), false)
		if k := len(want) - 32; k >= 0 {
			want = join(want[:k], want[k+16:], want[k:k+16])
		}
		if s := difference(sealed, want[:n]); s != "" {
			t.Fatalf("%d bytes: %s", n, s)
		}
	}
}

func TestModelChaCha(t *testing.T) {
	d := newRandom(t.Name())
	for range 40 {
		key, nonce, n := d.bytes(32), d.bytes(24), d.upTo(700)
		counter := d.Uint32()
		iv := append(binary.LittleEndian.AppendUint32(nil, counter), nonce[:12]...)
		if n > 64*int(min(blocksChaCha(iv), 20)) {
			continue
		}
		if s := difference(slowChaCha(key, iv, n, 20), streamChaCha(key, iv, 0, n)); s != "" {
			t.Fatalf("ChaCha20, %d bytes: %s", n, s)
		}
		want := make([]byte, n)
		must(chacha20.NewUnauthenticatedCipher(key, nonce)).XORKeyStream(want, want)
		if s := difference(streamXChaCha(20)(key, join(nonce, make([]byte, 8)), 0, n), want); s != "" {
			t.Fatalf("XChaCha20, %d bytes: %s", n, s)
		}
	}
}

// TestModelXChaChaPosition composes XChaCha20 past 2^32 blocks from x/crypto's ChaCha20: the upper half of the position
// is in the place of the nonce's first word.
func TestModelXChaChaPosition(t *testing.T) {
	d := newRandom(t.Name())
	key, nonce := d.bytes(32), d.bytes(24)
	position := uint64(7)<<32 - 3
	iv := append(bytes.Clone(nonce), binary.LittleEndian.AppendUint64(nil, position)...)
	sub := must(chacha20.HChaCha20(key, nonce[:16]))
	words := func(p uint64) []byte { return append(binary.LittleEndian.AppendUint64(nil, p), nonce[16:]...) }
	want := join(streamChaCha(sub, words(position), 0, 3*64), streamChaCha(sub, words(position+3), 0, 5*64))
	if s := difference(streamXChaCha(20)(key, iv, 0, 8*64), want); s != "" {
		t.Fatal(s)
	}
}
