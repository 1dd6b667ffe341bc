package main

import (
	"context"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"math"

	"golang.org/x/crypto/argon2"

	"kcrypto"
	"kcrypto/examples/internal/job"
)

// A header is not authentic, and may ask for hours of work or all memory. Without -costly it does not get more than
// this. What cryptsetup makes takes 1 GiB at most, and some seconds.
const (
	mostMemory     = 1 << 20   // KiB, of Argon2
	mostCostly     = 4 << 20   // KiB: LUKS2 has no more
	mostPasses     = 100       // of Argon2 over its memory
	mostIterations = 200 << 20 // of PBKDF2: minutes
)

// A limit says how much work a header may ask for.
type limit struct{ costly bool }

func (l limit) iterations(n int64) error {
	switch {
	case n < 1 || n > math.MaxInt32:
		return fmt.Errorf("%d iterations of PBKDF2: want 1 to %d", n, math.MaxInt32)
	case n > mostIterations && !l.costly:
		return fmt.Errorf("%d iterations of PBKDF2, more than %d: with -costly it is tried", n, mostIterations)
	}
	return nil
}

func (l limit) argon2(passes, memory, threads int64) error {
	switch {
	case passes < 1 || passes > math.MaxInt32 || threads < 1 || threads > math.MaxUint8 ||
		memory < 8*threads || memory > mostCostly:
		return fmt.Errorf("%d passes of Argon2 over %d KiB by %d threads: want 1 to %d, 8 KiB a thread to %d KiB, 1 to %d",
			passes, memory, threads, math.MaxInt32, mostCostly, math.MaxUint8)
	case (passes > mostPasses || memory > mostMemory) && !l.costly:
		return fmt.Errorf("%d passes of Argon2 over %d KiB, more than %d or %d KiB: with -costly it is tried",
			passes, memory, mostPasses, mostMemory)
	}
	return nil
}

type hashFunc = func() hash.Hash

var hashes = map[string]hashFunc{"sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New}

func hashOf(name string) (hashFunc, error) {
	h := hashes[name]
	if h == nil {
		return nil, fmt.Errorf("the hash is %q: this program knows sha1, sha256 and sha512", name)
	}
	return h, nil
}

// deriveKey is PBKDF2. Ctrl-C ends the wait for it.
func (l limit) deriveKey(
	ctx context.Context, hash hashFunc, secret, salt []byte, iterations int64, size int,
) ([]byte, error) {
	if err := l.iterations(iterations); err != nil {
		return nil, err
	}
	return job.Await(ctx, func() ([]byte, error) {
		return pbkdf2.Key(hash, string(secret), salt, int(iterations), size)
	})
}

// deriveArgon2 is Argon2i or Argon2id.
func (l limit) deriveArgon2(ctx context.Context, k *kdf, secret []byte, size int) ([]byte, error) {
	if err := l.argon2(k.Time, k.Memory, k.CPUs); err != nil {
		return nil, err
	}
	derive := argon2.IDKey
	if k.Type == "argon2i" {
		derive = argon2.Key
	}
	return job.Await(ctx, func() ([]byte, error) {
		return derive(secret, k.Salt, uint32(k.Time), uint32(k.Memory), uint8(k.CPUs), uint32(size)), nil
	})
}

const maxStripes = 1 << 14 // what all known programs write is 4000

// material reads what a key slot holds at offset, decrypts it with key and merges its stripes, which makes the volume's
// key of size bytes if the passphrase was right. The slot's sectors have 512 bytes and are numbered from 0.
func material(
	r io.ReaderAt, offset int64, m mode, key []byte, size int, stripes int64, hash hashFunc,
) ([]byte, error) {
	if stripes < 1 || stripes > maxStripes {
		return nil, fmt.Errorf("%d stripes: want 1 to %d", stripes, maxStripes)
	}
	n := size * int(stripes)
	split := make([]byte, (n+unit-1)/unit*unit)
	defer clear(split)
	if _, err := r.ReadAt(split, offset); err != nil {
		return nil, err
	}
	c, err := kcrypto.NewSkcipher(m.algorithm, key)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.DecryptSectorsIV(split, split, unit, kcrypto.SectorIV{Form: m.form}); err != nil {
		return nil, err
	}
	return merge(split[:n], size, hash()), nil
}

// merge undoes the anti-forensic splitter: all stripes of size bytes are needed to find the secret (LUKS1's section
// 2.4, which LUKS2 has kept).
func merge(stripes []byte, size int, h hash.Hash) []byte {
	d := make([]byte, size)
	for ; len(stripes) > size; stripes = stripes[size:] {
		subtle.XORBytes(d, d, stripes[:size])
		diffuse(d, h)
	}
	subtle.XORBytes(d, d, stripes)
	return d
}

// diffuse replaces each piece of d, as long as a hash, by the hash of its number and itself.
func diffuse(d []byte, h hash.Hash) {
	for i := uint32(0); len(d) > 0; i++ {
		n := min(h.Size(), len(d))
		h.Reset()
		binary.Write(h, binary.BigEndian, i)
		h.Write(d[:n])
		copy(d[:n], h.Sum(nil))
		d = d[n:]
	}
}
