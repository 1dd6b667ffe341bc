//go:build !purego

package ccm

//go:generate go -C ../../_asm run ./ccm

// The assembly. begin encrypts y, mask and stream of s, and makes counter of what stream was. mac takes y over the n
// bytes of data. seal encrypts the n bytes of src into dst and authenticates them, and open decrypts and authenticates:
// both take y, stream and counter on. n is a multiple of 16 and at least 16. dst and src are the same address or do not
// overlap.

//go:noescape
func beginAESNI(k *asmKey, s *state)

//go:noescape
func macAESNI(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealAESNI(k *asmKey, s *state, dst, src *byte, n int)

//go:noescape
func openAESNI(k *asmKey, s *state, dst, src *byte, n int)

//go:noescape
func beginAESNIAVX(k *asmKey, s *state)

//go:noescape
func macAESNIAVX(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealAESNIAVX(k *asmKey, s *state, dst, src *byte, n int)

//go:noescape
func openAESNIAVX(k *asmKey, s *state, dst, src *byte, n int)

//go:noescape
func beginVAESAVX2(k *asmKey, s *state)

//go:noescape
func macVAESAVX2(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealVAESAVX2(k *asmKey, s *state, dst, src *byte, n int)

//go:noescape
func openVAESAVX2(k *asmKey, s *state, dst, src *byte, n int)

//go:noescape
func beginVAESAVX512(k *asmKey, s *state)

//go:noescape
func macVAESAVX512(k *asmKey, s *state, data *byte, n int)

//go:noescape
func sealVAESAVX512(k *asmKey, s *state, dst, src *byte, n int)

//go:noescape
func openVAESAVX512(k *asmKey, s *state, dst, src *byte, n int)
