//go:build !amd64 || purego

package aes

// ExpandKeyAESNI is [ExpandKey]: this build has no assembly.
func ExpandKeyAESNI(enc *[240]byte, key []byte) (rounds int) { return ExpandKey(enc, key) }

// InvertKeyAESNI is [InvertKey]: this build has no assembly.
func InvertKeyAESNI(dec, enc *[240]byte, rounds int) { InvertKey(dec, enc, rounds) }
