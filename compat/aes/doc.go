// Package aes stands in for crypto/aes: a program that imports it instead gets this library's drivers from the
// crypto/cipher functions that it calls already.
//
//	import "kcrypto/compat/aes" // was: "crypto/aes"
//
//	block, err := aes.NewCipher(key)
//	aead, err := cipher.NewGCM(block)  // the best driver of gcm(aes)
//	stream := cipher.NewCTR(block, iv) // the best driver of ctr(aes)
//
// crypto/cipher asks a Block it does not know for methods named NewGCM, NewCTR, NewCBCEncrypter and NewCBCDecrypter,
// and our [Block] has them. Go's authors say in a comment that they would like to remove that one day. Should they, then
// cipher.NewGCM goes on working over our Block, slowly; a test of this package fails and says so. [kcrypto.NewAEAD] and
// [kcrypto.NewSkcipher] depend on nobody: a program that can be changed in more than its imports is better off with them.
// They also wipe the key on Close, which this package cannot: crypto/aes keeps its copy of it until the memory is reused.
//
// The transforms that do the work are kept in a store, a key's first use being served by one of these and its second by one
// of its own. A transform keeps its driver for life, so kcrypto.SetPriority reaches Blocks only when the garbage collector has
// emptied the store.
//
// Results, panics and errors are those of crypto/aes with crypto/cipher of Go 1.26, word for word. A setting of the
// KCRYPTO variable that cannot be understood is an error of NewGCM, and a panic of NewCTR, which has no error to return.
//
// # What this cannot reach
//
//   - crypto/tls, and what builds on it (net/http): it makes its ciphers itself and takes none from outside.
//   - cipher.NewGCMWithRandomNonce: it wants crypto/aes's own Block and returns an error for any other.
//   - GODEBUG=fips140=only: cipher.NewCTR and the CBC functions panic for any Block but crypto/aes's, and cipher.NewGCM
//     refuses every Block. This library has no FIPS 140 validation. (Under fips140=on all works as always.)
//   - cipher.NewOFB, NewCFBEncrypter and NewCFBDecrypter: they run over our Block one block at a time, as over any.
//   - Packages that call crypto/aes themselves. Only imports that are changed are changed.
package aes
