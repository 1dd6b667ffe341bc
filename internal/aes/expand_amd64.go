//go:build !purego

package aes

//go:generate go -C ../../_asm run ./aes

// expandAESNI is [expandKey] by AES instructions. The portable drivers must not call it, so that masking "aes" in
// KCRYPTO leaves no such instruction.
func expandAESNI(enc *[240]byte, key []byte) (rounds int) {
	switch len(key) {
	case 16:
		expand128AESNI(enc, &key[0])
	case 24:
		expand192AESNI(enc, &key[0])
	case 32:
		expand256AESNI(enc, &key[0])
	}
	return roundsFor(len(key))
}

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

// invertAESNI writes to dec the round keys of the equivalent inverse cipher (FIPS 197 section 5.3.5) that belong to
// the rounds+1 of enc, in the order in which the AESDEC instruction uses them. dec and enc are different arrays.
//
//go:noescape
func invertAESNI(dec, enc *[240]byte, rounds int)
