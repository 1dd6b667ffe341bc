//go:build !purego

package ctr

//go:generate go -C ../../_asm run ./ctr

// The assembly. Each function XORs n bytes, at least one, of src with the keystream that k makes of iv from a block
// on, into dst. dst and src are the same address or do not overlap. The functions of ctr(aes) count in the low half of
// the counter only: it must not run over before the last block.

//go:noescape
func ctrAESNI(k *asmKey, dst, src *byte, n int, iv *byte, block uint64)

//go:noescape
func ctrAESNIAVX(k *asmKey, dst, src *byte, n int, iv *byte, block uint64)

//go:noescape
func ctrVAESAVX2(k *asmKey, dst, src *byte, n int, iv *byte, block uint64)

//go:noescape
func ctrVAESAVX512(k *asmKey, dst, src *byte, n int, iv *byte, block uint64)

//go:noescape
func xctrAESNIAVX(k *asmKey, dst, src *byte, n int, iv *byte, block uint64)

//go:noescape
func xctrVAESAVX2(k *asmKey, dst, src *byte, n int, iv *byte, block uint64)

//go:noescape
func xctrVAESAVX512(k *asmKey, dst, src *byte, n int, iv *byte, block uint64)
