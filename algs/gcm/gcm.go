// Package gcm has the drivers of gcm(aes), AES in Galois/Counter Mode (NIST SP 800-38D), and the templates rfc4106 and
// rfc4543, the two ways in which IPsec's ESP uses it.
//
// A nonce must never be used twice with one key: that gives away the XOR of the two texts, and lets anyone forge tags.
// Nonces of 12 bytes are the rule. Any other size is hashed to 16 bytes first, which costs time and lets two different
// nonces meet by chance.
package gcm

const (
	algorithm = "gcm(aes)"

	blockSize = 16         // bytes
	nonceSize = 12         // bytes: the size that is not hashed
	tagSize   = 16         // bytes: the longest tag, which the shorter ones begin
	maxText   = 1<<36 - 32 // bytes: SP 800-38D section 5.2.1.1, so that the 32-bit counter does not come round
	maxAAD    = 1<<61 - 1  // bytes: the same, for the length in bits is a 64-bit number
)
