//go:build !purego

package cbc

//go:generate go -C ../../_asm run ./cbc

// The assembly. Each function encrypts or decrypts the n bytes of src, a multiple of 16 and at least 16, into dst. The
// block before the first one is at iv. dst and src are the same address or do not overlap.

//go:noescape
func encryptAESNI(k *asmKey, dst, src *byte, n int, iv *byte)

//go:noescape
func decryptAESNI(k *asmKey, dst, src *byte, n int, iv *byte)

//go:noescape
func encryptAESNIAVX(k *asmKey, dst, src *byte, n int, iv *byte)

//go:noescape
func decryptAESNIAVX(k *asmKey, dst, src *byte, n int, iv *byte)

//go:noescape
func encryptVAESAVX2(k *asmKey, dst, src *byte, n int, iv *byte)

//go:noescape
func decryptVAESAVX2(k *asmKey, dst, src *byte, n int, iv *byte)

//go:noescape
func encryptVAESAVX512(k *asmKey, dst, src *byte, n int, iv *byte)

//go:noescape
func decryptVAESAVX512(k *asmKey, dst, src *byte, n int, iv *byte)

// Each function below encrypts n bytes, a multiple of 16 and at least 16, of several messages side by side, and leaves
// the last block of ciphertext of each in before. Up to the lanes that half of the registers have, half of the lanes
// must be set, and beyond all: a message may be in several.

//go:noescape
func encryptLanesAESNI(k *asmKey, l *lanes, count, n int)

//go:noescape
func encryptLanesAESNIAVX(k *asmKey, l *lanes, count, n int)

//go:noescape
func encryptLanesVAESAVX2(k *asmKey, l *lanes, count, n int)

//go:noescape
func encryptLanesVAESAVX512(k *asmKey, l *lanes, count, n int)
