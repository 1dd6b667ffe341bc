//go:build !purego

package xts

import (
	"errors"
	"unsafe"

	"kcrypto/algs/internal/chunk"
	"kcrypto/internal/aes"
	"kcrypto/registry"
)

const (
	loopBytes     = 512 // what the loop of the widest assembly takes at a time, and a multiple of what the others take
	sectorsAtOnce = 32  // sectors whose tweaks are encrypted in one pass
)

// asmKey is xts(aes) under one key, for the drivers in assembly. It has no pointers.
type asmKey struct {
	weakKeys
	data  aes.FullSchedule // Key1 of the standard
	impl  aes.Impl
	chunk int          // bytes that one call of assembly may take, a multiple of loopBytes
	tweak aes.Schedule // Key2; at a multiple of 16, for the reason that FullSchedule gives
}

var _ = [0]struct{}{} == [unsafe.Offsetof(asmKey{}.tweak) % 16]struct{}{} // or it does not compile

type tweakBlock [blockSize]byte

func newAsm(i aes.Impl) func(registry.Config) registry.Skcipher {
	return func(c registry.Config) registry.Skcipher {
		return &asmKey{
			data: aes.NewFullSchedule(), tweak: aes.NewSchedule(),
			impl: i, chunk: chunk.Round(c.Chunk, loopBytes),
		}
	}
}

// SetKey takes a key of 32, 48 or 64 bytes: one for the data and one as long for the tweak.
func (k *asmKey) SetKey(key []byte) error {
	half := len(key) / 2
	return errors.Join(k.data.SetKey(key[:half]), k.tweak.SetKey(key[half:]))
}

// Wipe overwrites the key.
func (k *asmKey) Wipe() {
	k.data.Wipe()
	k.tweak.Wipe()
}

// Encrypt encrypts one data unit. The iv is its tweak.
func (k *asmKey) Encrypt(dst, src, iv []byte) { k.unit(dst, src, &iv[0], false) }

// Decrypt decrypts one data unit. The iv is its tweak.
func (k *asmKey) Decrypt(dst, src, iv []byte) { k.unit(dst, src, &iv[0], true) }

// unit encrypts or decrypts one data unit in calls of a chunk each. A last one of less than a block cannot be done
// alone, because of stealing.
func (k *asmKey) unit(dst, src []byte, iv *byte, decrypt bool) {
	var tweak tweakBlock
	for len(src) >= k.chunk+blockSize {
		k.crypt(&dst[0], &src[0], k.chunk, 1, iv, &tweak, decrypt)
		dst, src, iv = dst[k.chunk:], src[k.chunk:], nil
	}
	k.crypt(&dst[0], &src[0], len(src), 1, iv, &tweak, decrypt)
}

// EncryptSectors encrypts consecutive sectors, each a data unit whose tweak is its number, little-endian.
func (k *asmKey) EncryptSectors(dst, src []byte, sectorSize int, first uint64) {
	k.sectors(dst, src, sectorSize, first, false)
}

// DecryptSectors decrypts what EncryptSectors encrypted.
func (k *asmKey) DecryptSectors(dst, src []byte, sectorSize int, first uint64) {
	k.sectors(dst, src, sectorSize, first, true)
}

func (k *asmKey) sectors(dst, src []byte, size int, first uint64, decrypt bool) {
	var tweaks [sectorsAtOnce]tweakBlock
	for len(src) > 0 {
		count := k.atOnce(len(src), size)
		if count == 0 {
			count = 1
			tweak{lo: first}.put(tweaks[0][:])
			k.unit(dst[:size], src[:size], &tweaks[0][0], decrypt)
		} else {
			k.numbers(&tweaks, first, count)
			k.crypt(&dst[0], &src[0], size, count, nil, &tweaks[0], decrypt)
		}
		dst, src = dst[size*count:], src[size*count:]
		first += uint64(count)
	}
}

// atOnce is how many of the sectors in n bytes one call of assembly takes, 0 if they are longer than a chunk.
func (k *asmKey) atOnce(n, size int) int { return min(n/size, k.chunk/size, sectorsAtOnce) }

// EncryptUnits encrypts data units, whose tweaks are ivs.
func (k *asmKey) EncryptUnits(dst, src []byte, size int, ivs []byte) {
	k.units(dst, src, size, ivs, false)
}

// DecryptUnits decrypts what EncryptUnits encrypted.
func (k *asmKey) DecryptUnits(dst, src []byte, size int, ivs []byte) {
	k.units(dst, src, size, ivs, true)
}

func (k *asmKey) units(dst, src []byte, size int, ivs []byte, decrypt bool) {
	var tweaks [sectorsAtOnce]tweakBlock
	for len(src) > 0 {
		count := k.atOnce(len(src), size)
		if count == 0 {
			count = 1
			k.unit(dst[:size], src[:size], &ivs[0], decrypt)
		} else {
			for i := range count {
				load(ivs[i*blockSize:]).put(tweaks[i][:]) // words, as they have just been written
			}
			k.encryptIVs(&tweaks, count)
			k.crypt(&dst[0], &src[0], size, count, nil, &tweaks[0], decrypt)
		}
		dst, src, ivs = dst[size*count:], src[size*count:], ivs[blockSize*count:]
	}
}

// crypt encrypts or decrypts count data units of size bytes each, one behind the other. The first tweak is the
// encryption of iv; with a nil iv, tweaks holds the encrypted tweaks of all units. If size is a multiple of loopBytes,
// the tweak of the block behind a unit takes the place of the unit's own.
//
// Assembly is called in a function that may grow the stack: that is where a goroutine can be stopped, since neither
// assembly nor a loop around it is.
//
//go:noinline
func (k *asmKey) crypt(dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock, decrypt bool) {
	if decrypt {
		switch k.impl {
		case aes.AESNI:
			decryptAESNI(k, dst, src, size, count, iv, tweaks)
		case aes.AESNIAVX:
			decryptAESNIAVX(k, dst, src, size, count, iv, tweaks)
		case aes.VAESAVX2:
			decryptVAESAVX2(k, dst, src, size, count, iv, tweaks)
		case aes.VAESAVX512:
			decryptVAESAVX512(k, dst, src, size, count, iv, tweaks)
		}
		return
	}
	switch k.impl {
	case aes.AESNI:
		encryptAESNI(k, dst, src, size, count, iv, tweaks)
	case aes.AESNIAVX:
		encryptAESNIAVX(k, dst, src, size, count, iv, tweaks)
	case aes.VAESAVX2:
		encryptVAESAVX2(k, dst, src, size, count, iv, tweaks)
	case aes.VAESAVX512:
		encryptVAESAVX512(k, dst, src, size, count, iv, tweaks)
	}
}

// numbers sets the first count of the tweaks to the encryption of the sector numbers from first on.
func (k *asmKey) numbers(tweaks *[sectorsAtOnce]tweakBlock, first uint64, count int) {
	switch k.impl {
	case aes.AESNI:
		numbersAESNI(k, tweaks, first, count)
	case aes.AESNIAVX:
		numbersAESNIAVX(k, tweaks, first, count)
	case aes.VAESAVX2:
		numbersVAESAVX2(k, tweaks, first, count)
	case aes.VAESAVX512:
		numbersVAESAVX512(k, tweaks, first, count)
	}
}

// encryptIVs encrypts the first count of the tweaks.
func (k *asmKey) encryptIVs(tweaks *[sectorsAtOnce]tweakBlock, count int) {
	switch k.impl {
	case aes.AESNI:
		ivsAESNI(k, tweaks, count)
	case aes.AESNIAVX:
		ivsAESNIAVX(k, tweaks, count)
	case aes.VAESAVX2:
		ivsVAESAVX2(k, tweaks, count)
	case aes.VAESAVX512:
		ivsVAESAVX512(k, tweaks, count)
	}
}
