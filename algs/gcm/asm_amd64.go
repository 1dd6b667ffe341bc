//go:build !purego

package gcm

import "kcrypto/registry"

//go:generate go -C ../../_asm run ./gcm

// The assembly. expand, hash, seal and open are what the methods of asmKey with these names say.

//go:noescape
func expandAESNI(k *asmKey)

//go:noescape
func hashAESNI(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealAESNI(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func openAESNI(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func expandAESNIAVX(k *asmKey)

//go:noescape
func hashAESNIAVX(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealAESNIAVX(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func openAESNIAVX(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func expandVAESAVX2(k *asmKey)

//go:noescape
func hashVAESAVX2(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealVAESAVX2(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func openVAESAVX2(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func expandVAESAVX512(k *asmKey)

//go:noescape
func hashVAESAVX512(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealVAESAVX512(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

//go:noescape
func openVAESAVX512(k *asmKey, s *state, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *byte)

// batchVAESAVX512 seals the first n packets, at most 64, or opens them if diffs is not nil. The tag has tag bytes.
// Packets for which it is not made are left as they are, and their bits in skipped set. diffs gets for each of the
// others, in their order, the tag that came with it XORed with the one that it should have; what it writes there is a
// multiple of four tags.
//
//go:noescape
func batchVAESAVX512(k *asmKey, packets *registry.Packet, n, tag int, diffs *[window][tagSize]byte) (skipped uint64)
