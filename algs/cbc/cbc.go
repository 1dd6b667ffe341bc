// Package cbc has the drivers of cbc(aes), AES in cipher block chaining mode (NIST SP 800-38A section 6.2), and of
// cts(cbc(aes)), the same with ciphertext stealing (CBC-CS3 of the addendum to SP 800-38A, as in RFC 3962 section 5).
//
// Each block of plaintext is XORed with the block of ciphertext before it, the first one with the IV, and encrypted. So
// the blocks of a message can be decrypted side by side, and not be encrypted so. CBC hides the data and does not
// authenticate it.
package cbc

import "kcrypto/internal/aes"

const blockSize = aes.BlockSize // bytes
