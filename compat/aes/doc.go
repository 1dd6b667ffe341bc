// Package aes replaces crypto/aes. A program that imports it instead gets this library's drivers from the crypto/cipher
// functions that it already calls.
//
//	import "kcrypto/compat/aes" // was: "crypto/aes"
//
//	block, err := aes.NewCipher(key)
//	aead, err := cipher.NewGCM(block)  // the best driver of gcm(aes)
//	stream := cipher.NewCTR(block, iv) // the best driver of ctr(aes)
//	mode := cipher.NewCBCDecrypter(block, iv) // the best driver of cbc(aes)
//
// crypto/cipher asks a Block of another package for methods named NewGCM, NewCTR, NewCBCEncrypter and NewCBCDecrypter,
// and our [Block] has them. Go's authors say in a comment that they would like to remove that one day. Then
// cipher.NewGCM would still work over our Block, but slowly, and a test of this package would fail and say so.
// [kcrypto.NewAEAD] and [kcrypto.NewSkcipher] do not depend on it; a program that can change more than its imports
// should call them. They also wipe the key on Close. This package cannot, since crypto/aes keeps its copy of the key
// until the memory is reused.
//
// The transforms that do the work are kept in a pool. The first call under a key uses a transform of the pool, the
// second gives the key one of its own. A transform keeps its driver for life, so kcrypto.SetPriority has no effect on
// the transforms in the pool, until the garbage collector has emptied it.
//
// Results, panics and errors are those of crypto/aes with crypto/cipher of Go 1.26, word for word. If the KCRYPTO
// variable has a setting that cannot be understood, NewGCM returns an error, and NewCTR and the CBC functions panic,
// since they have no error to return.
//
// # What this cannot reach
//
//   - crypto/tls, and what builds on it (net/http): it makes its ciphers itself and accepts no others.
//   - cipher.NewGCMWithRandomNonce: it needs crypto/aes's own Block and returns an error for any other.
//   - GODEBUG=fips140=only: cipher.NewCTR and the CBC functions panic for any Block but crypto/aes's, and cipher.NewGCM
//     refuses every Block. This library has no FIPS 140 validation. (Under fips140=on everything works as usual.)
//   - cipher.NewOFB, NewCFBEncrypter and NewCFBDecrypter: they call our Block for one block at a time, as any other.
//   - Packages that call crypto/aes themselves. Only the imports that you change change.
package aes
