//go:build !purego

package aes

//go:generate go -C ../../_asm run ./aes

// ExpandKeyAESNI is [ExpandKey] for the drivers that run AES instructions anyway: the CPU must have the level aesni of
// internal/cpu. The portable drivers must not call it, so that masking "aes" in KCRYPTO leaves no such instruction.
func ExpandKeyAESNI(enc *[240]byte, key []byte) (rounds int) {
	switch len(key) {
	case 16:
		expand128AESNI(enc, &key[0])
	case 24:
		expand192AESNI(enc, &key[0])
	case 32:
		expand256AESNI(enc, &key[0])
	}
	return Rounds(len(key))
}

// InvertKeyAESNI is [InvertKey], under the same condition. dec and enc are different arrays.
func InvertKeyAESNI(dec, enc *[240]byte, rounds int) { invertAESNI(dec, enc, rounds) }

// expand128AESNI writes the 176 bytes of round keys of the 16-byte key.
//
//go:noescape
func expand128AESNI(enc *[240]byte, key *byte)

// expand192AESNI writes the 208 bytes of round keys of the 24-byte key.
//
//go:noescape
func expand192AESNI(enc *[240]byte, key *byte)

// expand256AESNI writes the 240 bytes of round keys of the 32-byte key.
//
//go:noescape
func expand256AESNI(enc *[240]byte, key *byte)

// invertAESNI writes rounds+1 decryption keys; rounds is at least 2.
//
//go:noescape
func invertAESNI(dec, enc *[240]byte, rounds int)
