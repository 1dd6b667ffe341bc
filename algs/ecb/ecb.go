// Package ecb is ecb(aes): AES on every block by itself (NIST SP 800-38A section 6.1). Equal blocks stay equal, so it
// hides next to nothing; it is here for people who build a mode of their own and want many blocks in one call.
package ecb

import "kcrypto/internal/aes"

const blockSize = aes.BlockSize // bytes
