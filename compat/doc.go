// Package compat has no code. The packages below it replace those that Go programs already call, so that a program gets
// this library's drivers by a change of its imports:
//
//   - [kcrypto/compat/aes] for crypto/aes, and through it for GCM and CTR of an unchanged crypto/cipher
//   - [kcrypto/compat/xts] for golang.org/x/crypto/xts
//   - [kcrypto/compat/chacha20] for golang.org/x/crypto/chacha20
//   - [kcrypto/compat/chacha20poly1305] for golang.org/x/crypto/chacha20poly1305
//
// Its tests run the originals' own test files on them. docs/migrating.md says what to change.
package compat
