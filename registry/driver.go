package registry

import "slices"

// Type is the kind of transform a driver makes.
type Type string

// The kinds of transform, named as in /proc/crypto.
const (
	TypeAEAD     Type = "aead"
	TypeSkcipher Type = "skcipher"
)

// Driver describes one implementation of one algorithm. It is plain data: registering it runs nothing.
//
// A driver made outside this module sets Priority and, for an algorithm that this module does not know, its own
// vectors; for an algorithm that this module knows, the module's vectors are run on it as well.
type Driver struct {
	Algorithm string // "gcm(aes)"; several drivers share it
	Name      string // "gcm-aes-vaes-avx512"; unique among driver and algorithm names
	Impl      string // "vaes_avx512": what WithImpl asks for
	Module    string // who brings it; "kcrypto" is this module's own and refused to others
	Priority  int    // >= 0; the highest usable one serves the algorithm's name

	// Needs lists CPU features and levels; all must be present, and an unknown name is refused. Features: tsc, invtsc,
	// sse2, ssse3, sse41, aes, pclmulqdq, movbe, bmi2, adx, avx, avx2, vaes, vpclmulqdq, gfni, avx512f, avx512bw,
	// avx512vl, avx512dq, ifma, vbmi. Levels, each with all that it stands on: avx512 (F, BW, VL, DQ), avx512_ifma,
	// aesni, aesni_avx, vaes_avx2, vaes_avx512. On other architectures than amd64 all are missing.
	Needs []string
	// Unavailable, if set, says why the driver cannot serve here for a reason other than the CPU; "" means it can. It is
	// asked once and the answer is kept, so it may depend on what is the same for the whole process (the system, GODEBUG
	// and the environment at start) and not on the goroutine, the time, or anything that changes. It must not use the
	// registry.
	Unavailable func() string

	Type       Type
	BlockSize  int         // bytes; 1 for stream ciphers and AEADs
	IVSize     int         // bytes; for an AEAD the default nonce size
	AnyNonce   bool        // the AEAD takes nonces of any size from 1 byte
	Nonces     []NonceSize // AEAD: the sizes of nonces it takes, ascending, IVSize among them; nil: IVSize, or any
	ChunkSize  int         // bytes: granularity of the underlying primitive, 16 or 64
	KeySizes   []int       // accepted key sizes in bytes, ascending
	AuthSizes  []int       // AEAD: accepted tag sizes in bytes, ascending; the last is the default
	MinSize    int         // bytes: shortest message (16 for xts)
	MaxSize    uint64      // bytes: longest message; 0 means no limit below 2^63
	MaxAAD     uint64      // bytes: longest additional data; 0 means no limit below 2^63
	AADSizes   []int       // AEAD: accepted additional data sizes in bytes; nil means any
	MultipleOf int         // skcipher: message length must be a multiple of this (16 for ecb); 0 means any

	NewAEAD     func(Config) AEAD     // set exactly when Type is TypeAEAD
	NewSkcipher func(Config) Skcipher // set exactly when Type is TypeSkcipher

	// Tunings lists what about the driver is tuned for the model of the CPU. The self-test runs every form.
	Tunings []Tuning

	// Vectors are a foreign driver's own known answers; this module's drivers get theirs from selftest.
	Vectors []Vector
}

// NonceSize is a size of nonces that an AEAD takes, in bytes, with the longest message under such a nonce, where that
// depends on it.
type NonceSize struct {
	Size    int
	MaxSize uint64 // bytes; 0 means no limit below 2^63
}

// TakesNonce reports whether an AEAD takes nonces of n bytes.
func (d *Driver) TakesNonce(n int) bool {
	return n == d.IVSize || d.AnyNonce && n > 0 || slices.Contains(d.NonceSizes(), n)
}

// Longest returns the longest message in bytes under a nonce of n bytes, which the driver takes; 0 means no limit below
// 2^63.
func (d *Driver) Longest(n int) uint64 {
	for _, s := range d.Nonces {
		if s.Size == n {
			return s.MaxSize
		}
	}
	return d.MaxSize
}

// NonceSizes lists the sizes of Nonces in bytes.
func (d *Driver) NonceSizes() []int {
	sizes := make([]int, len(d.Nonces))
	for i, s := range d.Nonces {
		sizes[i] = s.Size
	}
	return sizes
}

// Config is what a driver's constructor gets.
type Config struct {
	// Chunk is the number of bytes a driver may work on before the goroutine must become preemptible
	// (rounded by the driver to its own block). Always > 0.
	Chunk int
	// Tuning holds what was chosen for this machine, by the names of Tunings. nil leaves the first values. It is not to
	// be changed. [Config.Value] reads it.
	Tuning map[string]string
}

// Vector is one known answer of a foreign driver. For an AEAD, Out is ciphertext and tag together.
type Vector struct {
	Source       string // the standard or document it comes from
	Key, IV, AAD []byte
	In, Out      []byte
	AuthSize     int // AEAD: tag bytes; 0 means the driver's default
}

// AEAD is the key object behind one AEAD transform. The caller (package kcrypto) has checked every length and every
// overlap before a call, so a driver checks nothing again.
//
// Seal and Open may be called by many goroutines at once. A driver must not keep any argument, and must not hand nonce
// or aad to another goroutine: for this module's drivers they may lie on the caller's stack. (Those of other modules
// get copies on the heap, which the registry makes.) nonce may lie inside dst, so it is read before anything is
// written.
type AEAD interface {
	// SetKey expands key, whose length is one of Driver.KeySizes, replacing any earlier key.
	SetKey(key []byte) error
	// Seal writes the ciphertext of plaintext and then the tag to dst. len(dst)-len(plaintext) is the tag size.
	// dst and plaintext start at the same byte or do not overlap.
	Seal(dst, nonce, plaintext, aad []byte)
	// Open writes the plaintext of ciphertext to dst, which is as long, and reports whether tag is authentic. What
	// dst holds after false is unspecified: the caller wipes it. tag may follow ciphertext in memory, and does not
	// overlap dst.
	Open(dst, nonce, ciphertext, tag, aad []byte) bool
	// Wipe overwrites all key material. Only SetKey may follow.
	Wipe()
}

// Packet is one message of a batch.
//
// For a caller: Dst is appended to, as in Seal and Open, and holds the result afterwards; Src is the plaintext or the
// ciphertext with its tag; Err is nil or what was wrong with this packet.
//
// For a driver: Dst has been lengthened already, and its last bytes are where the output goes, len(Src) bytes and the
// tag for sealing, len(Src) without the tag for opening.
type Packet struct {
	Dst, Nonce, Src, AAD []byte
	Err                  error
}

// BatchAEAD is an AEAD that gains by having several messages at once. The rules are AEAD's: everything has been
// checked, nothing may be kept; the nonce of a packet may lie inside its Dst. tag is the tag size in bytes. No
// packet's output shares memory with another packet; a driver must not touch memory outside of the packets even if a
// caller breaks that rule.
//
// A driver that has a better way for some packets only leaves the others to SealEach and OpenEach.
type BatchAEAD interface {
	AEAD
	// SealBatch seals the packets. It changes nothing in them but the output, and Err, which is nil before, of a packet
	// that it cannot seal.
	SealBatch(packets []Packet, tag int)
	// OpenBatch opens the packets and reports whether all are authentic. It sets Err, which is nil before, to ErrAuth in
	// those that are not, whose output is then unspecified: the caller wipes it. It changes nothing else but the output.
	OpenBatch(packets []Packet, tag int) (ok bool)
}

// Skcipher is the key object behind one symmetric cipher transform. As with AEAD, arguments have been checked:
// len(dst) == len(src), they are the same memory or do not overlap, and iv has Driver.IVSize bytes. A driver does
// not write to iv, does not keep any argument, and does not hand iv to another goroutine. iv may lie inside dst, so it
// is read before anything is written.
type Skcipher interface {
	// SetKey expands key, whose length is one of Driver.KeySizes, replacing any earlier key.
	SetKey(key []byte) error
	Encrypt(dst, src, iv []byte)
	Decrypt(dst, src, iv []byte)
	// Wipe overwrites all key material. Only SetKey may follow.
	Wipe()
}

// Request is one message of a batch for a symmetric cipher. Its ciphertext or plaintext is written to Dst[:len(Src)].
//
// For a caller: Err is nil afterwards or what was wrong with this request. For a driver: Dst is as long as Src or
// longer.
type Request struct {
	Dst, Src, IV []byte
	Err          error
}

// BatchSkcipher is a Skcipher that gains by having several messages at once. The rules are Skcipher's: everything has
// been checked, nothing may be kept; the IV of a request may lie inside its Dst. No request's output shares memory with
// another request; a driver must not touch memory outside of the requests even if a caller breaks that rule.
type BatchSkcipher interface {
	Skcipher
	// EncryptBatch encrypts the requests. It changes nothing in them but the output, and Err, which is nil before, of a
	// request that it cannot encrypt.
	EncryptBatch(requests []Request)
	// DecryptBatch decrypts the requests, under the same rules.
	DecryptBatch(requests []Request)
}

// StreamCipher is a Skcipher whose output is the input XORed with a keystream that can be entered at any block.
// A block is Driver.ChunkSize bytes.
type StreamCipher interface {
	Skcipher
	// XORBlocks XORs src with the keystream that begins at block number block under iv. src need not end at a
	// block's end. As iv may, so dst and src may lie on the caller's stack if they are no longer than a block.
	XORBlocks(dst, src, iv []byte, block uint64)
	// Blocks is how many blocks there are under iv before the counter would run over; math.MaxUint64 means
	// more than can be counted.
	Blocks(iv []byte) uint64
	// Bind returns a copy of the key object for iv alone, with whatever depends on both key and iv done once
	// (XChaCha derives its subkey), and the iv to hand to the copy's own methods. The copy is independent of later
	// SetKey and Wipe calls on the original.
	Bind(iv []byte) (bound StreamCipher, boundIV []byte)
}

// SectorCipher is a Skcipher that handles many sectors with consecutive numbers in one call (xts: the tweak is the
// little-endian sector number). len(src) is a multiple of sectorSize, and first+count does not exceed 2^64. Other
// numbers and IVs are a [UnitCipher]'s, or get a call for each sector.
type SectorCipher interface {
	Skcipher
	EncryptSectors(dst, src []byte, sectorSize int, first uint64)
	DecryptSectors(dst, src []byte, sectorSize int, first uint64)
}

// UnitCipher is a Skcipher that gains by having several data units of one size at once, each with an IV of its own,
// such as sectors. size is one that a message may have, len(src) a multiple of it, and ivs has the units' IVs, one
// behind the other. dst and src are the same memory or do not overlap, and ivs, which may lie on the caller's stack,
// overlaps neither. A driver does not write to ivs.
//
// Only this module's drivers are asked for it. Those of others get a call for each unit.
type UnitCipher interface {
	Skcipher
	EncryptUnits(dst, src []byte, size int, ivs []byte)
	DecryptUnits(dst, src []byte, size int, ivs []byte)
}

// WeakKeyChecker is a Skcipher that knows weak keys (xts: equal halves).
type WeakKeyChecker interface {
	// WeakKey says what is weak about key in a few words, or "" if nothing is.
	WeakKey(key []byte) string
}
