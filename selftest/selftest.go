// Package selftest checks drivers at run time, before their first use: a driver that computes wrongly on this
// machine, be it the code's fault, the CPU's or an emulator's, must not serve anyone.
//
// What is tested is what callers get: the caller of [Run] hands in constructors of finished transforms. A normal run
// takes about 2 ms for a fast driver:
//
//   - known answers from named standards, at least ten an algorithm, each in several layouts of its buffers, with
//     poison bytes around every buffer, in both directions, with one forged tag for AEADs;
//   - sizes of keys, tags and messages that must be taken or refused;
//   - for xts, cbc and essiv, calls over many sectors, which must equal one call a sector; for AEADs, batches of
//     messages the same, of every tag size, in place and not, with forgeries in every place, and messages in parts;
//   - 64 random messages, 32 KiB in all, compared with the generic driver.
//
// Full mode does what Linux's testmgr does in its extended tests: 100 random layouts a vector, 800 random messages
// compared with the generic driver, wrong sizes included, 800 inauthentic messages, batches of up to 300 messages with
// every tag size, and 200 messages in parts.
package selftest

import (
	"context"

	"kcrypto/registry"
)

// AEAD is the transform of an AEAD driver, as callers get it. Errors wrap registry's classes; Seal panics on a
// caller's mistake.
type AEAD interface {
	SetKey(key []byte) error
	SetAuthSize(n int) error
	NonceSize() int
	Overhead() int
	Seal(dst, nonce, plaintext, additionalData []byte) []byte
	Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error)
	Close() error
}

// Skcipher is the transform of a symmetric cipher driver, as callers get it. Methods for sectors are called
// only where there are any, XORKeyStreamAt for stream ciphers only.
type Skcipher interface {
	SetKey(key []byte) error
	IVSize() int
	Encrypt(dst, src, iv []byte) error
	Decrypt(dst, src, iv []byte) error
	EncryptSectors(dst, src []byte, sectorSize int, first uint64) error
	DecryptSectors(dst, src []byte, sectorSize int, first uint64) error
	EncryptSectorsIV(dst, src []byte, sectorSize int, iv registry.SectorIV) error
	DecryptSectorsIV(dst, src []byte, sectorSize int, iv registry.SectorIV) error
	XORKeyStreamAt(dst, src, iv []byte, offset uint64) error
	Close() error
}

// Stream is a keystream with a position in bytes. If it has a Close method, that is called after use.
type Stream interface {
	XORKeyStream(dst, src []byte)
	Seek(offset uint64) error
}

// Setup says how a transform is made.
type Setup struct {
	NonceSize int // AEAD: nonce size in bytes; 0 means the driver's default
	Chunk     int // bytes of work between two preemption points; 0 means the default. Small values test the border.
}

// Subject is a driver and the ways to make its transforms.
type Subject struct {
	Driver   registry.Driver                             // its description
	AEAD     func(Setup) (AEAD, error)                   // set for an AEAD
	Skcipher func(Setup) (Skcipher, error)               // set for a skcipher
	Stream   func(s Skcipher, iv []byte) (Stream, error) // set for a stream cipher
}

// Options say how thorough [Run] is.
type Options struct {
	Full     bool                  // as long as Linux's extended tests: seconds instead of milliseconds
	Seed     uint64                // of everything random; 0 draws one from crypto/rand. A failure's text names it.
	Progress func(done, total int) // called after each step, on the caller's goroutine; may be nil
}

// Run tests the driver s, against generic if that is not nil; nil means that s is the reference itself, which gets
// known answers only. It returns nil, or what went wrong in one line, or the context's error (wrapped) if that ended
// first. A panic or a memory fault in the driver is a failure of the driver.
//
// An algorithm that has no vectors, neither here nor in Driver.Vectors, is an error.
func Run(ctx context.Context, s Subject, generic *Subject, o Options) error {
	r := newRun(s, generic, o.Seed)
	defer r.close()
	return r.steps(ctx, r.plan(o.Full), o.Progress)
}

// Known reports whether this package has vectors for algorithm, a name such as "gcm(aes)".
func Known(algorithm string) bool { return VectorCount(algorithm) > 0 }

// VectorCount returns how many vectors this package has for algorithm.
func VectorCount(algorithm string) int { return len(known[algorithm].vectors) }
