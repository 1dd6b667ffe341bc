// Package kcrypto gives Go programs the fastest implementation of a symmetric cipher that works on the machine, as the
// Linux crypto API does for the kernel.
//
// An algorithm, such as "gcm(aes)", has several drivers: portable Go ("gcm-aes-generic"), Go's own ("gcm-aes-stdlib")
// and assembly for wider and wider vector registers. Each driver has a priority, a list of CPU features that it needs,
// and a self-test. A caller allocates a transform by the algorithm's name and gets the driver with the highest priority
// that this CPU can run and whose self-test passed. A driver's own name gets that driver or an error. The transform
// says which driver it has:
//
//	aead, err := kcrypto.NewAEAD("gcm(aes)", key)
//	defer aead.Close()
//	ciphertext := aead.Seal(nil, nonce, plaintext, header) // aead is a cipher.AEAD
//	aead.Driver()                                          // "gcm-aes-vaes-avx512"
//
// [AEAD] is for authenticated encryption and [Skcipher] for the other ciphers. [Sealer] and AEAD.SealParts are for
// messages that are not one slice, AEAD.OpenTo and AEAD.OpenSeeker for those in files. [Stream] is a keystream with a
// position; EncryptSectors and [Disk] are for disks, and [SectorIV] says how they number their sectors. [Drivers]
// lists the drivers, and [Explain] says why one was chosen. The tcrypt command lists, tests and measures them all.
//
// # Algorithms
//
//	gcm(aes)                                    keys 16, 24, 32; nonce 12 (any with WithNonceSize); tags 4, 8, 12-16
//	rfc4106(gcm(aes)), rfc4543(gcm(aes))        key + 4 byte salt; IV 8; AAD is SPI|SN, 8 or 12 bytes (IPsec ESP)
//	ccm(aes)                                    keys 16, 24, 32; nonce 12 (7-13 with WithNonceSize); tags 4, 6, ... 16
//	rfc4309(ccm(aes))                           key + 3 byte salt; IV 8; AAD is SPI|SN (IPsec ESP)
//	rfc7539(chacha20,poly1305)                  key 32; nonce 12; tag 16 (RFC 8439); alias chacha20poly1305
//	rfc7539esp(chacha20,poly1305)               key 32 + 4 byte salt; IV 8 (RFC 7634)
//	xchacha20poly1305                           key 32; nonce 24
//	ctr(aes), rfc3686(ctr(aes)), xctr(aes)      streams; IV 16, 8, 16
//	chacha20, xchacha20, xchacha12              streams; IV 16 (counter, nonce), 32, 32
//	xts(aes)                                    keys 32, 48, 64; IV 16; disks
//	cbc(aes), cts(cbc(aes))                     keys 16, 24, 32; IV 16; whole blocks, and any length from 16 bytes (CS3)
//	essiv(cbc(aes),sha256)                      keys 16, 24, 32; IV 16, the sector's number; old disks
//	ecb(aes)                                    single blocks, for building a mode; equal blocks stay equal
//
// # Settings
//
// The KCRYPTO environment variable, read once, and [Configure] take key=value pairs separated by commas:
//
//	cpu.FEATURE=off              as if the CPU lacked it: aes, pclmulqdq, avx, avx2, vaes, vpclmulqdq, avx512, bmi2,
//	                             movbe, ifma, ssse3, all
//	prefer.ALGORITHM=DRIVER      this driver for that algorithm, if it works
//	disable=GLOB[;GLOB]          drivers that are not to be used
//	preferymm=auto|on|off        whether drivers with 512-bit registers come last (auto: by the CPU's model)
//	chunk=BYTES                  work between two points where a goroutine can be stopped (65536)
//	tune.NAME=VALUE              a form of a driver's code in place of the one for the CPU's model: chacha.pass=16|24,
//	                             chacha.block=vector|scalar
//	selftest=lazy|eager|full     test a driver at its first use, all at once, or at length
//	strict=on                    a failed self-test or a missing preferred driver is an error, not a step down
//
// What GODEBUG=cpu.* switches off is off here too. A setting that cannot be understood makes every allocation return
// [registry.ErrConfig] with the sentence that mends it.
//
// # Constant time, wiping, concurrency
//
// No driver branches on a secret or uses one as an address. Keys are wiped on Close, on SetKey, and when the garbage
// collector frees a transform; copies that Go's runtime may have made of a stack cannot be wiped. After SetKey a
// transform is safe for concurrent use. SetKey, SetAuthSize and Close must not run at the same time as other calls.
// SECURITY.md says what is promised and what is not.
package kcrypto
