// Package chacha has the drivers of the ChaCha family: the streams chacha20 (RFC 8439), xchacha20 and xchacha12
// (draft-irtf-cfrg-xchacha; 12 rounds are the variant of Adiantum), the AEADs rfc7539(chacha20,poly1305) (RFC 8439) and
// xchacha20poly1305 (the same draft), and the template rfc7539esp (RFC 7634).
//
// The portable code uses additions, rotations, XOR and multiplications of machine words: no table, no branch and no
// address depends on a secret. Where a processor multiplies in a time that depends on the operands (some small 32-bit
// cores), Poly1305 is as constant as that multiplication.
//
// Every object may be used by many goroutines at once between a SetKey and the next. Wipe and SetKey overwrite the key;
// subkeys and one-time keys of a call live on its stack and are overwritten when it ends, but what the compiler spilt
// from registers cannot be reached.
package chacha
