// Package xts has the drivers of xts(aes), AES in XTS mode (IEEE 1619, NIST SP 800-38E), which encrypts data units such
// as disk sectors without making them longer.
//
// A data unit is encrypted as a whole: no part of it can be cut off, appended or encrypted apart, and lengths that are
// no multiple of 16 bytes use ciphertext stealing. XTS hides the data and does not authenticate it.
package xts

const (
	blockSize = 16      // bytes
	maxUnit   = 1 << 24 // bytes: IEEE 1619 section 5.1 allows 2^20 blocks a data unit
)
