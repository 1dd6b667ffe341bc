//go:build !purego

package xts

//go:generate go -C ../../_asm run ./xts

// The assembly. encrypt and decrypt take count data units of size bytes each, as asmKey.crypt says. numbers sets the
// first count of the tweaks to the encryption of the sector numbers from first on, and ivs to that of what they are.

//go:noescape
func encryptAESNI(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func decryptAESNI(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func numbersAESNI(k *asmKey, tweaks *[sectorsAtOnce]tweakBlock, first uint64, count int)

//go:noescape
func ivsAESNI(k *asmKey, tweaks *[sectorsAtOnce]tweakBlock, count int)

//go:noescape
func encryptAESNIAVX(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func decryptAESNIAVX(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func numbersAESNIAVX(k *asmKey, tweaks *[sectorsAtOnce]tweakBlock, first uint64, count int)

//go:noescape
func ivsAESNIAVX(k *asmKey, tweaks *[sectorsAtOnce]tweakBlock, count int)

//go:noescape
func encryptVAESAVX2(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func decryptVAESAVX2(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func numbersVAESAVX2(k *asmKey, tweaks *[sectorsAtOnce]tweakBlock, first uint64, count int)

//go:noescape
func ivsVAESAVX2(k *asmKey, tweaks *[sectorsAtOnce]tweakBlock, count int)

//go:noescape
func encryptVAESAVX512(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func decryptVAESAVX512(k *asmKey, dst, src *byte, size, count int, iv *byte, tweaks *tweakBlock)

//go:noescape
func numbersVAESAVX512(k *asmKey, tweaks *[sectorsAtOnce]tweakBlock, first uint64, count int)

//go:noescape
func ivsVAESAVX512(k *asmKey, tweaks *[sectorsAtOnce]tweakBlock, count int)
