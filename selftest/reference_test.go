package selftest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"math/bits"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
)

// The references that vectors are verified with: Go's own code where it has the algorithm, else the definition
// written out from crypto/aes or from the ChaCha quarter round, slowly.

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// sealFunc encrypts text and returns it with a tag, of which the first tag bytes count. In every AEAD here encryption
// is its own inverse apart from the tag, so that one function serves both directions.
type sealFunc func(key, nonce, text, aad []byte, tag int) []byte

func sealGCM(key, nonce, text, aad []byte, _ int) []byte {
	return must(cipher.NewGCMWithNonceSize(must(aes.NewCipher(key)), len(nonce))).Seal(nil, nonce, text, aad)
}

// salted makes the RFC template of seal: the key's last bytes, the salt, begin the nonce.
func salted(seal sealFunc, salt int) sealFunc {
	return func(key, iv, text, aad []byte, tag int) []byte {
		n := len(key) - salt
		return seal(key[:n], append(key[n:len(key):len(key)], iv...), text, aad, tag)
	}
}

// sealRFC4543 authenticates AAD, IV and text as GCM's additional data (RFC 4543 section 3).
func sealRFC4543(key, iv, text, aad []byte, _ int) []byte {
	covered := append(append(append([]byte{}, aad...), iv...), text...)
	return append(append([]byte{}, text...), salted(sealGCM, 4)(key, iv, nil, covered, 16)...)
}

func sealChaChaPoly(key, nonce, text, aad []byte, _ int) []byte {
	return must(chacha20poly1305.New(key)).Seal(nil, nonce, text, aad)
}

func sealXChaChaPoly(key, nonce, text, aad []byte, _ int) []byte {
	return must(chacha20poly1305.NewX(key)).Seal(nil, nonce, text, aad)
}

// sealCCM is RFC 3610 section 2, block by block.
func sealCCM(key, nonce, text, aad []byte, tag int) []byte {
	b, count := must(aes.NewCipher(key)), 15-len(nonce)
	block := func(flags byte, n int) []byte {
		x := binary.BigEndian.AppendUint64(make([]byte, 8), uint64(n))
		copy(x[1:], nonce)
		x[0] = flags | byte(count-1)
		return x
	}
	padded := func(p []byte) []byte { return append(p[:len(p):len(p)], make([]byte, -len(p)&15)...) }
	first := block(byte(tag-2)/2<<3, len(text))
	if len(aad) > 0 {
		first[0] |= 0x40
		size := binary.BigEndian.AppendUint16(nil, uint16(len(aad)))
		if len(aad) >= 0xff00 {
			size = binary.BigEndian.AppendUint32([]byte{0xff, 0xfe}, uint32(len(aad)))
		}
		first = append(first, padded(append(size, aad...))...)
	}
	mac := make([]byte, 16)
	for p := append(first, padded(text)...); len(p) > 0; p = p[16:] {
		subtle.XORBytes(mac, mac, p[:16])
		b.Encrypt(mac, mac)
	}
	out := append(append([]byte{}, text...), mac...)
	stream := make([]byte, 16)
	for i := 0; i < len(text); i += 16 {
		b.Encrypt(stream, block(0, i/16+1))
		subtle.XORBytes(out[i:len(text)], text[i:], stream)
	}
	b.Encrypt(stream, block(0, 0))
	subtle.XORBytes(out[len(text):], mac, stream)
	return out[:len(text)+tag]
}

var seals = map[string]sealFunc{
	"gcm(aes)":                      sealGCM,
	"rfc4106(gcm(aes))":             salted(sealGCM, 4),
	"rfc4543(gcm(aes))":             sealRFC4543,
	"rfc7539(chacha20,poly1305)":    sealChaChaPoly,
	"rfc7539esp(chacha20,poly1305)": salted(sealChaChaPoly, 4),
	"xchacha20poly1305":             sealXChaChaPoly,
	"ccm(aes)":                      sealCCM,
	"rfc4309(ccm(aes))":             salted(sealCCM, 3),
}

// xorFunc XORs src with the keystream of key and iv from block number block on.
type xorFunc func(key, iv, dst, src []byte, block uint64)

// xorCTR counts by adding to the whole IV, byte by byte.
func xorCTR(key, iv, dst, src []byte, block uint64) {
	counter, carry := append([]byte{}, iv...), uint64(0)
	for i := range 16 {
		var digit uint64
		if i < 8 {
			digit = block >> (8 * i) & 0xff
		}
		carry += uint64(counter[15-i]) + digit
		counter[15-i] = byte(carry)
		carry >>= 8
	}
	cipher.NewCTR(must(aes.NewCipher(key)), counter).XORKeyStream(dst, src)
}

// xorRFC3686 has the counter block nonce | IV | 1 (RFC 3686 section 4).
func xorRFC3686(key, iv, dst, src []byte, block uint64) {
	n := len(key) - 4
	counter := append(append(append([]byte{}, key[n:]...), iv...), 0, 0, 0, 1)
	xorCTR(key[:n], counter, dst, src, block)
}

// xorXCTR encrypts IV xor counter, the counter being little-endian and beginning at 1 (HCTR2, ePrint 2021/1441).
func xorXCTR(key, iv, dst, src []byte, block uint64) {
	b := must(aes.NewCipher(key))
	for i := 0; i < len(src); i += 16 {
		var counter, keystream [16]byte
		binary.LittleEndian.PutUint64(counter[:], block+uint64(i/16)+1)
		subtle.XORBytes(counter[:], counter[:], iv)
		b.Encrypt(keystream[:], counter[:])
		subtle.XORBytes(dst[i:], src[i:], keystream[:])
	}
}

func xorChaCha20(key, iv, dst, src []byte, block uint64) {
	c := must(chacha20.NewUnauthenticatedCipher(key, iv[4:]))
	c.SetCounter(binary.LittleEndian.Uint32(iv) + uint32(block))
	c.XORKeyStream(dst, src)
}

// permute is ChaCha's permutation (RFC 8439 section 2.3, with any even number of rounds).
func permute(s *[16]uint32, rounds int) {
	quarter := func(a, b, c, d int) {
		for _, step := range [][4]int{{a, b, d, 16}, {c, d, b, 12}, {a, b, d, 8}, {c, d, b, 7}} {
			s[step[0]] += s[step[1]]
			s[step[2]] = bits.RotateLeft32(s[step[2]]^s[step[0]], step[3])
		}
	}
	for range rounds / 2 {
		for i := range 4 {
			quarter(i, 4+i, 8+i, 12+i)
		}
		for i := range 4 {
			quarter(i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
		}
	}
}

// chachaState is the constants, a key of 32 bytes and 16 bytes of counter and nonce.
func chachaState(key, input []byte) (s [16]uint32) {
	all := append(append([]byte("expand 32-byte k"), key...), input...)
	for i := range s {
		s[i] = binary.LittleEndian.Uint32(all[4*i:])
	}
	return s
}

// xorXChaCha is XChaCha from the draft's section 2 with any number of rounds: a subkey by HChaCha from the first 16
// bytes of the IV, then ChaCha with the last 8 bytes as its 64-bit block counter and the 8 before them as its nonce.
func xorXChaCha(rounds int) xorFunc {
	return func(key, iv, dst, src []byte, block uint64) {
		h := chachaState(key, iv[:16])
		permute(&h, rounds)
		var subkey []byte
		for _, w := range append(h[:4:4], h[12:]...) {
			subkey = binary.LittleEndian.AppendUint32(subkey, w)
		}
		s := chachaState(subkey, append(append([]byte{}, iv[24:]...), iv[16:24]...))
		for i := 0; i < len(src); i += 64 {
			at := binary.LittleEndian.Uint64(iv[24:]) + block + uint64(i/64)
			s[12], s[13] = uint32(at), uint32(at>>32)
			w := s
			permute(&w, rounds)
			var keystream []byte
			for j := range w {
				keystream = binary.LittleEndian.AppendUint32(keystream, w[j]+s[j])
			}
			subtle.XORBytes(dst[i:], src[i:], keystream)
		}
	}
}

var xors = map[string]xorFunc{
	"ctr(aes)":          xorCTR,
	"xctr(aes)":         xorXCTR,
	"rfc3686(ctr(aes))": xorRFC3686,
	"chacha20":          xorChaCha20,
	"xchacha20":         xorXChaCha(20),
	"xchacha12":         xorXChaCha(12),
}

// xorAt is xor from any byte offset on.
func (xor xorFunc) xorAt(key, iv, dst, src []byte, offset uint64, size int) {
	skip := int(offset % uint64(size))
	buf := append(make([]byte, skip), src...)
	xor(key, iv, buf, buf, offset/uint64(size))
	copy(dst, buf[skip:])
}

// blockFunc encrypts or decrypts a message of a block mode.
type blockFunc func(key, iv, dst, src []byte, decrypt bool)

func cryptECB(key, _, dst, src []byte, decrypt bool) {
	b := must(aes.NewCipher(key))
	for i := 0; i < len(src); i += 16 {
		if decrypt {
			b.Decrypt(dst[i:i+16], src[i:i+16])
		} else {
			b.Encrypt(dst[i:i+16], src[i:i+16])
		}
	}
}

// cryptXTS is IEEE 1619-2007 clauses 5.3 and 5.4 for every AES key size.
func cryptXTS(key, tweak, dst, src []byte, decrypt bool) {
	data, tweaks := must(aes.NewCipher(key[:len(key)/2])), must(aes.NewCipher(key[len(key)/2:]))
	crypt := data.Encrypt
	if decrypt {
		crypt = data.Decrypt
	}
	t := make([]byte, 16)
	tweaks.Encrypt(t, tweak)
	next := func(t []byte) []byte { // times x in GF(2^128): a shift left of the little-endian number
		out, carry := make([]byte, 16), byte(0)
		for i, b := range t {
			out[i], carry = b<<1|carry, b>>7
		}
		out[0] ^= 0x87 * carry
		return out
	}
	block := func(dst, src, t []byte) {
		b := make([]byte, 16)
		subtle.XORBytes(b, src, t)
		crypt(b, b)
		subtle.XORBytes(dst, b, t)
	}
	src = append([]byte{}, src...)
	rest := len(src) % 16
	full := len(src) - rest
	if rest > 0 {
		full -= 16 // the last full block takes part in the stealing
	}
	for i := 0; i < full; i += 16 {
		block(dst[i:i+16], src[i:i+16], t)
		t = next(t)
	}
	if rest == 0 {
		return
	}
	first, second := t, next(t)
	if decrypt {
		first, second = second, first
	}
	last := make([]byte, 16)
	block(last, src[full:full+16], first)
	stolen := append(append([]byte{}, src[full+16:]...), last[rest:]...)
	block(dst[full:full+16], stolen, second)
	copy(dst[full+16:], last[:rest])
}

// cryptCBC is Go's own.
func cryptCBC(key, iv, dst, src []byte, decrypt bool) {
	if b := must(aes.NewCipher(key)); decrypt {
		cipher.NewCBCDecrypter(b, iv).CryptBlocks(dst, src)
	} else {
		cipher.NewCBCEncrypter(b, iv).CryptBlocks(dst, src)
	}
}

// cryptCTS is CBC-CS3, by the addendum to SP 800-38A: of the last two blocks of CBC the last one comes first, and the
// other one is cut to what the message has of its last block.
func cryptCTS(key, iv, dst, src []byte, decrypt bool) {
	n := len(src)
	last := (n - 1) / 16 * 16 // where the last block begins
	if last == 0 {
		cryptCBC(key, iv, dst, src, decrypt)
		return
	}
	padded := make([]byte, last+16)
	if !decrypt {
		copy(padded, src)
		cryptCBC(key, iv, padded, padded, false)
		swapLast(padded)
		copy(dst, padded[:n])
		return
	}
	copy(padded, src)
	// The padding was zeros: there the block before it and what the one that comes first decrypts to are equal.
	var end [16]byte
	must(aes.NewCipher(key)).Decrypt(end[:], src[last-16:last])
	copy(padded[n:], end[n-last:])
	swapLast(padded)
	cryptCBC(key, iv, padded, padded, true)
	copy(dst, padded[:n])
}

// swapLast exchanges the last two blocks of b.
func swapLast(b []byte) {
	b = b[len(b)-32:]
	copy(b, append(append([]byte{}, b[16:]...), b[:16]...))
}

// cryptESSIV is CBC with an IV that is encrypted under the hash of the key.
func cryptESSIV(key, iv, dst, src []byte, decrypt bool) {
	salt, encrypted := sha256.Sum256(key), make([]byte, 16)
	must(aes.NewCipher(salt[:])).Encrypt(encrypted, iv)
	cryptCBC(key, encrypted, dst, src, decrypt)
}

var blockModes = map[string]blockFunc{
	"ecb(aes)": cryptECB, "cbc(aes)": cryptCBC, "cts(cbc(aes))": cryptCTS, "essiv(cbc(aes),sha256)": cryptESSIV,
	"xts(aes)": cryptXTS,
}
