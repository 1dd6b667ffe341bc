//go:build !purego

package xts

//go:generate go -C ../../_asm run ./xts

// impl says which assembly a key uses.
type impl uint8

const (
	aesni impl = iota
	aesniAVX
	vaesAVX2
	vaesAVX512
)

// crypt encrypts or decrypts count data units of size bytes each, one behind the other. The first tweak is the
// encryption of iv; with a nil iv, tweaks holds the encrypted tweaks of all units. If size is a multiple of asmBatch,
// the tweak of the block behind a unit takes the place of the unit's own.
//
// Assembly is called in a function that may grow the stack: that is where a goroutine can be stopped, since neither
// assembly nor a loop around it is.
//
//go:noinline
func (k *asmKey) crypt(dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock, decrypt bool) {
	if decrypt {
		switch k.impl {
		case aesni:
			decryptAESNI(k, dst, src, size, count, iv, tweaks)
		case aesniAVX:
			decryptAESNIAVX(k, dst, src, size, count, iv, tweaks)
		case vaesAVX2:
			decryptVAESAVX2(k, dst, src, size, count, iv, tweaks)
		case vaesAVX512:
			decryptVAESAVX512(k, dst, src, size, count, iv, tweaks)
		}
		return
	}
	switch k.impl {
	case aesni:
		encryptAESNI(k, dst, src, size, count, iv, tweaks)
	case aesniAVX:
		encryptAESNIAVX(k, dst, src, size, count, iv, tweaks)
	case vaesAVX2:
		encryptVAESAVX2(k, dst, src, size, count, iv, tweaks)
	case vaesAVX512:
		encryptVAESAVX512(k, dst, src, size, count, iv, tweaks)
	}
}

// numbers sets the first count of the tweaks to the encryption of the sector numbers from first on.
func (k *asmKey) numbers(tweaks *[group]tweakBlock, first uint64, count int) {
	switch k.impl {
	case aesni:
		numbersAESNI(k, tweaks, first, count)
	case aesniAVX:
		numbersAESNIAVX(k, tweaks, first, count)
	case vaesAVX2:
		numbersVAESAVX2(k, tweaks, first, count)
	case vaesAVX512:
		numbersVAESAVX512(k, tweaks, first, count)
	}
}

//go:noescape
func encryptAESNI(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func decryptAESNI(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func numbersAESNI(k *asmKey, tweaks *[group]tweakBlock, first uint64, count int)

//go:noescape
func encryptAESNIAVX(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func decryptAESNIAVX(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func numbersAESNIAVX(k *asmKey, tweaks *[group]tweakBlock, first uint64, count int)

//go:noescape
func encryptVAESAVX2(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func decryptVAESAVX2(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func numbersVAESAVX2(k *asmKey, tweaks *[group]tweakBlock, first uint64, count int)

//go:noescape
func encryptVAESAVX512(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func decryptVAESAVX512(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func numbersVAESAVX512(k *asmKey, tweaks *[group]tweakBlock, first uint64, count int)
