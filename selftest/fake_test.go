package selftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"kcrypto/registry"
)

// describe returns the descriptor of a driver of algorithm, as the algorithm packages have them.
func describe(algorithm string) registry.Driver {
	name := strings.NewReplacer("(", "-", ")", "", ",", "-").Replace(algorithm) + "-fake"
	d := registry.Driver{Algorithm: algorithm, Name: name, BlockSize: 1, ChunkSize: 16}
	aesKeys := []int{16, 24, 32}
	if seals[algorithm] != nil {
		d.Type, d.AuthSizes, d.IVSize, d.KeySizes = registry.TypeAEAD, []int{16}, 8, []int{20, 28, 36}
	} else {
		d.Type, d.IVSize, d.KeySizes = registry.TypeSkcipher, 16, aesKeys
	}
	switch algorithm {
	case "ecb(aes)":
		d.IVSize, d.BlockSize, d.MultipleOf = 0, 16, 16
	case "cbc(aes)", "essiv(cbc(aes),sha256)":
		d.BlockSize, d.MultipleOf = 16, 16
	case "cts(cbc(aes))":
		d.BlockSize, d.MinSize = 16, 16
	case "xts(aes)":
		d.KeySizes, d.BlockSize, d.MinSize = []int{32, 48, 64}, 16, 16
	case "rfc3686(ctr(aes))":
		d.IVSize, d.KeySizes = 8, []int{20, 28, 36}
	case "chacha20":
		d.KeySizes, d.ChunkSize = []int{32}, 64
	case "xchacha20", "xchacha12":
		d.KeySizes, d.IVSize, d.ChunkSize = []int{32}, 32, 64
	case "gcm(aes)":
		d.KeySizes, d.IVSize, d.AuthSizes, d.AnyNonce = aesKeys, 12, []int{4, 8, 12, 13, 14, 15, 16}, true
	case "ccm(aes)":
		d.KeySizes, d.IVSize, d.AuthSizes, d.MaxSize = aesKeys, 12, []int{4, 6, 8, 10, 12, 14, 16}, 1<<24-1
		for n := 7; n <= 13; n++ {
			d.Nonces = append(d.Nonces, registry.NonceSize{Size: n, MaxSize: uint64(1)<<(8*(15-n)) - 1})
		}
	case "rfc4309(ccm(aes))":
		d.KeySizes, d.AuthSizes, d.AADSizes = []int{19, 27, 35}, []int{8, 12, 16}, []int{8, 12}
	case "rfc4106(gcm(aes))":
		d.AuthSizes, d.AADSizes = []int{8, 12, 16}, []int{8, 12}
	case "rfc4543(gcm(aes))":
		d.AADSizes = []int{8, 12}
	case "rfc7539(chacha20,poly1305)":
		d.KeySizes, d.IVSize, d.ChunkSize = []int{32}, 12, 64
	case "rfc7539esp(chacha20,poly1305)":
		d.KeySizes, d.AADSizes, d.ChunkSize = []int{36}, []int{8, 12}, 64
	case "xchacha20poly1305":
		d.KeySizes, d.IVSize, d.ChunkSize = []int{32}, 24, 64
	}
	return d
}

// fault breaks a correct transform; nil leaves it whole. chunk is Setup.Chunk.
type (
	aeadFault     func(a AEAD, chunk int) AEAD
	skcipherFault func(c Skcipher, chunk int) Skcipher
)

// fakeSubject makes a driver of algorithm from the references, broken by the faults that are not nil.
func fakeSubject(algorithm string, breakAEAD aeadFault, breakSkcipher skcipherFault) Subject {
	return fakeSubjectOf(describe(algorithm), breakAEAD, breakSkcipher)
}

// fakeSubjectOf is fakeSubject for a descriptor that differs from the algorithm's usual one.
func fakeSubjectOf(d registry.Driver, breakAEAD aeadFault, breakSkcipher skcipherFault) Subject {
	algorithm := d.Algorithm
	s := Subject{Driver: d}
	if seal := seals[algorithm]; seal != nil {
		s.AEAD = func(c Setup) (AEAD, error) {
			f := &fakeAEAD{d: &d, seal: seal, nonce: d.IVSize, tag: defaultTag(&d)}
			if c.NonceSize > 0 {
				f.nonce = c.NonceSize
			}
			if breakAEAD == nil {
				return f, nil
			}
			return breakAEAD(f, c.Chunk), nil
		}
		return s
	}
	s.Skcipher = func(c Setup) (Skcipher, error) {
		f := &fakeSkcipher{d: &d, xor: xors[algorithm], crypt: blockModes[algorithm]}
		if breakSkcipher == nil {
			return f, nil
		}
		return breakSkcipher(f, c.Chunk), nil
	}
	if xors[algorithm] != nil {
		s.Stream = func(c Skcipher, iv []byte) (Stream, error) {
			return &fakeStream{c: c, iv: bytes.Clone(iv)}, nil
		}
	}
	return s
}

// fakeAEAD is a correct AEAD transform.
type fakeAEAD struct {
	d          *registry.Driver
	seal       sealFunc
	key        []byte
	nonce, tag int
}

func (f *fakeAEAD) SetKey(key []byte) error {
	f.key = nil
	if !slices.Contains(f.d.KeySizes, len(key)) {
		return fmt.Errorf("fake: %w: %d bytes", registry.ErrKeySize, len(key))
	}
	f.key = bytes.Clone(key)
	return nil
}

func (f *fakeAEAD) SetAuthSize(n int) error {
	if !slices.Contains(f.d.AuthSizes, n) {
		return fmt.Errorf("fake: %w: %d bytes", registry.ErrAuthSize, n)
	}
	f.tag = n
	return nil
}

func (f *fakeAEAD) NonceSize() int { return f.nonce }
func (f *fakeAEAD) Overhead() int  { return f.tag }
func (f *fakeAEAD) Close() error   { f.key = nil; return nil }

// check says what is wrong with a call on n bytes of text.
func (f *fakeAEAD) check(nonce, aad []byte, n int) error {
	switch {
	case f.key == nil:
		return registry.ErrNoKey
	case len(nonce) != f.nonce:
		return registry.ErrNonceSize
	case f.d.AADSizes != nil && !slices.Contains(f.d.AADSizes, len(aad)), f.d.MaxAAD > 0 && uint64(len(aad)) > f.d.MaxAAD,
		f.d.MaxSize > 0 && uint64(n) > f.d.MaxSize:
		return registry.ErrLength
	}
	return nil
}

func (f *fakeAEAD) Seal(dst, nonce, plaintext, aad []byte) []byte {
	if err := f.check(nonce, aad, len(plaintext)); err != nil {
		panic(err.Error())
	}
	return append(dst, f.seal(f.key, nonce, plaintext, aad, f.tag)[:len(plaintext)+f.tag]...)
}

func (f *fakeAEAD) Open(dst, nonce, ciphertext, aad []byte) ([]byte, error) {
	if err := f.check(nonce, aad, len(ciphertext)-f.tag); err != nil {
		return nil, err
	}
	n := len(ciphertext) - f.tag
	if n < 0 {
		return nil, registry.ErrAuth
	}
	plaintext := f.seal(f.key, nonce, ciphertext[:n], aad, f.tag)[:n]
	if !bytes.Equal(f.seal(f.key, nonce, plaintext, aad, f.tag)[:n+f.tag], ciphertext) {
		clear(append(dst, plaintext...)[len(dst):])
		return nil, registry.ErrAuth
	}
	return append(dst, plaintext...), nil
}

// fakeSkcipher is a correct skcipher transform: a stream cipher if xor is set, else a block mode.
type fakeSkcipher struct {
	d     *registry.Driver
	xor   xorFunc
	crypt blockFunc
	key   []byte
}

func (f *fakeSkcipher) SetKey(key []byte) error {
	f.key = nil
	if !slices.Contains(f.d.KeySizes, len(key)) {
		return fmt.Errorf("fake: %w: %d bytes", registry.ErrKeySize, len(key))
	}
	f.key = bytes.Clone(key)
	return nil
}

func (f *fakeSkcipher) IVSize() int  { return f.d.IVSize }
func (f *fakeSkcipher) Close() error { f.key = nil; return nil }

func (f *fakeSkcipher) check(n int, iv []byte) error {
	switch {
	case f.key == nil:
		return registry.ErrNoKey
	case len(iv) != f.d.IVSize:
		return registry.ErrNonceSize
	case n < f.d.MinSize || n%max(f.d.MultipleOf, 1) != 0:
		return registry.ErrLength
	}
	return nil
}

func (f *fakeSkcipher) Encrypt(dst, src, iv []byte) error {
	if f.xor != nil {
		return f.XORKeyStreamAt(dst, src, iv, 0)
	}
	if err := f.check(len(src), iv); err != nil {
		return err
	}
	f.crypt(f.key, iv, dst, src, false)
	return nil
}

func (f *fakeSkcipher) Decrypt(dst, src, iv []byte) error {
	if f.xor != nil {
		return f.XORKeyStreamAt(dst, src, iv, 0)
	}
	if err := f.check(len(src), iv); err != nil {
		return err
	}
	f.crypt(f.key, iv, dst, src, true)
	return nil
}

func (f *fakeSkcipher) EncryptSectors(dst, src []byte, size int, first uint64) error {
	return sectorLoop(dst, src, size, from(first), f.Encrypt)
}

func (f *fakeSkcipher) DecryptSectors(dst, src []byte, size int, first uint64) error {
	return sectorLoop(dst, src, size, from(first), f.Decrypt)
}

func (f *fakeSkcipher) EncryptSectorsIV(dst, src []byte, size int, iv registry.SectorIV) error {
	return sectorLoop(dst, src, size, iv, f.Encrypt)
}

func (f *fakeSkcipher) DecryptSectorsIV(dst, src []byte, size int, iv registry.SectorIV) error {
	return sectorLoop(dst, src, size, iv, f.Decrypt)
}

func sectorLoop(
	dst, src []byte, size int, number registry.SectorIV, crypt func(dst, src, iv []byte) error,
) error {
	for i := 0; i < len(src); i += size {
		var iv [16]byte
		number = number.Fill(iv[:])
		if err := crypt(dst[i:i+size], src[i:i+size], iv[:]); err != nil {
			return err
		}
	}
	return nil
}

func (f *fakeSkcipher) XORKeyStreamAt(dst, src, iv []byte, offset uint64) error {
	if f.xor == nil {
		return registry.ErrType
	}
	if err := f.check(len(src), iv); err != nil {
		return err
	}
	if f.d.ChunkSize == 64 && !f.counterLasts(iv, (offset+uint64(len(src))+63)/64) {
		return registry.ErrLength
	}
	f.xor.xorAt(f.key, iv, dst, src, offset, f.d.ChunkSize)
	return nil
}

// counterLasts reports whether ChaCha's counter has so many blocks left: it has 32 bits, XChaCha's 64.
func (f *fakeSkcipher) counterLasts(iv []byte, blocks uint64) bool {
	if f.d.IVSize == 16 {
		return uint64(binary.LittleEndian.Uint32(iv))+blocks <= 1<<32
	}
	at := binary.LittleEndian.Uint64(iv[24:])
	return at == 0 || blocks <= -at
}

// fakeStream is a Stream over random access.
type fakeStream struct {
	c      Skcipher
	iv     []byte
	offset uint64
	closed bool
}

func (f *fakeStream) XORKeyStream(dst, src []byte) {
	if err := f.c.XORKeyStreamAt(dst, src, f.iv, f.offset); err != nil {
		panic(err.Error())
	}
	f.offset += uint64(len(src))
}

func (f *fakeStream) Seek(offset uint64) error { f.offset = offset; return nil }

func (f *fakeStream) Close() error { f.closed = true; return nil }
